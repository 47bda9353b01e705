/*
 * missed.c: an error counts when work_after knows its cure at that time, and when what followed it
 * is the same cure: the same program in place of one that is missing, the same line, or one of the
 * commands that cured it.
 */
#include "work/missed.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/order.h"
#include "work/work_parts.h"

/* A result of a tool that tells of an error. */
struct failure { int64_t row, us; };

struct walk {
	struct failure *list;
	size_t n, cap;
	int64_t n_sessions;
	struct arena arena;
	struct buf lines, session;         /* session: of the message before */
};

static int
on_result(void *arg, const struct message *m)
{
	struct walk *w = arg;
	struct outcome o;

	if (w->n_sessions == 0 || strcmp(m->session, w->session.data) != 0) {
		w->n_sessions++;
		buf_reset(&w->session);
		buf_adds(&w->session, m->session);
	}
	outcome_read(m->content, m->content_len, m->extra, &o);
	buf_reset(&w->lines);
	if (m->time_us == TIME_NONE || o.worked == WORKED_YES ||
	    !work_error_lines(m->content, m->content_len, &o, &w->lines))
		return 0;
	*xpush(w->list, w->n, w->cap) = (struct failure){ m->row, m->time_us };
	return 0;
}

ORDER_BY_TWO(by_time, struct failure, us, row)

/* Whether line runs a program that other runs as well and did, which failed, does not. */
static bool
runs_same(const char *line, const char *other, const char *did, struct arena *a)
{
	const char *const *x, *const *y, *const *z;
	size_t n_x = calls_programs(line, a, &x), n_y = calls_programs(other, a, &y),
	       n_z = calls_programs(did, a, &z);

	for (size_t i = 0; i < n_x; i++) {
		bool failed = false, same = false;

		for (size_t k = 0; k < n_z; k++)
			failed |= strcmp(x[i], z[k]) == 0;
		for (size_t k = 0; k < n_y; k++)
			same |= strcmp(x[i], y[k]) == 0;
		if (same && !failed)
			return true;
	}
	return false;
}

static bool
is_same_cure(const struct work *before, const struct work *again, struct arena *a)
{
	if (*before->instead != '\0')
		return *again->instead != '\0' && (*before->missing != '\0'
		    ? runs_same(before->instead, again->instead, again->did, a)
		    : strcmp(before->instead, again->instead) == 0);
	for (size_t i = 0; i < before->n_notes; i++)
		for (size_t k = 0; k < again->n_notes; k++)
			if (work_is_step(before, &before->notes[i]) &&
			    work_is_step(again, &again->notes[k]) &&
			    strcmp(before->notes[i].text, again->notes[k].text) == 0)
				return true;
	return false;
}

/* Reads what followed the error in its own session; *out NULL: it was not cured there. */
static int
read_again(struct store *st, const struct work_want *want, const struct message *m,
	const struct work *before, struct arena *a, struct missed *out, struct err *err)
{
	struct work_want own = *want;
	struct work_search s = { .s = st, .want = &own, .a = a };
	const struct message *cure;
	struct work *w = work_item(&s, m);

	own.but = NULL;
	w->kind = WORK_ERROR;
	w->text = before->text;
	int rc = work_around(&s, w, err);
	out->again = NULL;
	if (rc == 0 && work_is_cured(w) && *w->cure_id != '\0' && is_same_cure(before, w, a)) {
		out->before = before;
		out->again = memcpy(arena_alloc(a, sizeof(*w)), w, sizeof(*w));
		rc = messages_find(st, &(struct scope){ .user = want->who.user }, w->cure_id, a,
		    &cure, err);
		if (rc == 0 && (cure == NULL || cure->time_us == TIME_NONE))
			out->again = NULL;
		else if (rc == 0)
			out->minutes = (double)(cure->time_us - m->time_us) / 60e6;
	}
	free(s.items);
	return rc < 0 ? -1 : 0;
}

/* The errors that were handed out, by session and line. */
struct told { uint64_t *keys; size_t n, cap; };

static bool
is_new(struct told *t, const struct message *m, const struct work *w, struct arena *a)
{
	uint64_t key = work_key(WORK_ERROR, arena_printf(a, "%s %s", m->session,
	    error_norm(w->text, strlen(w->text), a)));

	for (size_t i = 0; i < t->n; i++)
		if (t->keys[i] == key)
			return false;
	*xpush(t->keys, t->n, t->cap) = key;
	return true;
}

static int
look_at(struct store *s, const struct scope *who, const struct failure *f, struct told *told,
	struct arena *a, missed_fn *fn, void *arg, struct err *err)
{
	struct work_want w = { .who = { .user = who->user }, .dir = "", .since_us = TIME_NONE,
		.until_us = f->us };
	const struct work *before;
	const struct message *m;
	struct missed found;
	struct outcome o;

	if (messages_by_rows(s, who, &f->row, 1, a, &m, err) < 0)
		return -1;
	if (m == NULL || *m->project == '\0')
		return 0;
	outcome_read(m->content, m->content_len, m->extra, &o);
	w.who.project = m->project;
	w.but = m->session;
	w.text = m->content;
	if (work_after(s, &w, &o, a, &before, err) < 0)
		return -1;
	if (before == NULL || !is_new(told, m, before, a))
		return 0;
	if (read_again(s, &w, m, before, a, &found, err) < 0)
		return -1;
	return found.again == NULL ? 0 : fn(arg, &found, err);
}

int
missed_each(struct store *s, const struct scope *who, missed_fn *fn, void *arg,
	int64_t *n_sessions, struct err *err)
{
	struct message_filter f = MESSAGE_FILTER_ANY;
	struct walk w = { .arena = ARENA_INIT };
	struct told told = { NULL, 0, 0 };

	f.role = ROLE_TOOL;
	buf_init(&w.lines, conf_caps.output_bytes);
	buf_init(&w.session, conf_caps.output_bytes);
	int rc = messages_each(s, who, &f, on_result, &w, err);
	if (w.n > 0)
		qsort(w.list, w.n, sizeof(*w.list), by_time);
	for (size_t i = 0; i < w.n && rc == 0; i++) {
		arena_reset(&w.arena);
		rc = look_at(s, who, &w.list[i], &told, &w.arena, fn, arg, err);
	}
	*n_sessions = w.n_sessions;
	arena_release(&w.arena);
	buf_release(&w.lines);
	buf_release(&w.session);
	free(told.keys);
	free(w.list);
	return rc < 0 ? -1 : 0;
}
