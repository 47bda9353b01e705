/*
 * work.c: the lists of work name turns by numbers, so every turn is read again and compared with
 * what was asked for; then what stands around it is read. No snapshot is held meanwhile.
 */
#include "work/work_parts.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "json/json.h"

#define BATCH 32                   /* messages read at a time */

/* ---- messages ---- */

static bool
is_in_scope(const struct work_want *w, const struct message *m)
{
	const char *session = w->who.session;

	if (session != NULL && *session != '\0' && strcmp(m->session, session) != 0)
		return false;
	if (w->but != NULL && *w->but != '\0' && strcmp(m->session, w->but) == 0)
		return false;
	if (w->since_us != TIME_NONE && (m->time_us == TIME_NONE || m->time_us < w->since_us))
		return false;
	return w->until_us == TIME_NONE || (m->time_us != TIME_NONE && m->time_us < w->until_us);
}

int
work_each_row(struct work_search *s, struct work_row *rows, size_t n, work_message_fn *fn,
	void *arg, struct err *err)
{
	const struct scope any = { s->want->who.user, s->want->who.agent, s->want->who.project,
		NULL };
	const struct message *batch[BATCH];
	LOCAL(arena) a = ARENA_INIT;
	int64_t wanted[BATCH];
	size_t n_kept = 0;
	int rc = 0;

	for (size_t i = 0; i < n; i++)         /* each once */
		if (n_kept == 0 || rows[n_kept - 1].row != rows[i].row)
			rows[n_kept++] = rows[i];
	for (size_t at = 0, seen = 0; at < n_kept && seen < WORK_MESSAGES && rc == 0; ) {
		size_t n_batch = 0;

		for (; n_batch < BATCH && at < n_kept; at++)
			wanted[n_batch++] = rows[at].row;
		arena_reset(&a);
		rc = messages_by_rows(s->s, &any, wanted, n_batch, &a, batch, err);
		for (size_t i = 0; i < n_batch && rc == 0; i++)
			if (batch[i] != NULL && is_in_scope(s->want, batch[i])) {
				seen++;
				rc = fn(s, arg, batch[i], err);
			}
	}
	return rc < 0 ? -1 : 0;
}

int
work_each(struct work_search *s, const uint64_t *keys, size_t n, work_message_fn *fn, void *arg,
	struct err *err)
{
	FREED struct work_row *rows = NULL;
	size_t n_rows;
	int rc = work_rows(s->s, &s->want->who, s->want->kind, keys, n, &rows, &n_rows, err);

	if (rc == 0)
		rc = work_each_row(s, rows, n_rows, fn, arg, err);
	return rc;
}

int
work_session(struct work_search *s, const char *id, struct err *err)
{
	const struct scope who = { s->want->who.user, NULL, NULL, NULL };
	struct err ignored = ERR_INIT;
	const struct json *v;
	const char *dir = NULL, *text;

	if (s->session != NULL && strcmp(s->session->id, id) == 0)
		return 0;
	if (sessions_find(s->s, &who, id, s->a, &s->session, err) < 0)
		return -1;
	text = s->session != NULL && s->session->metadata != NULL ? s->session->metadata : "";
	if (*text != '\0' && json_parse(text, strlen(text), s->a, &v, &ignored) == 0)
		dir = json_get_string(v, "cwd", NULL);
	s->session_dir = dir != NULL ? dir : "";
	return 0;
}

/* ---- results ---- */

struct looking {
	struct work_search *s;
	const struct message *call;
	const char *id;
	struct work_result *out;
};

static int
is_result(void *arg, const struct message *m)
{
	struct looking *l = arg;
	bool ours = *l->id == '\0' || m->tool_call_id == NULL || *m->tool_call_id == '\0' ||
	    strcmp(m->tool_call_id, l->id) == 0;

	if (m->row <= l->call->row || m->role != ROLE_TOOL || !ours)
		return 0;
	l->out->found = true;
	l->out->time_us = m->time_us;
	l->out->row = m->row;
	l->out->text = arena_strndup(l->s->a, m->content, MIN(m->content_len, 4096));
	l->out->len = MIN(m->content_len, 4096);
	outcome_read(m->content, m->content_len, m->extra, &l->out->outcome);
	return 1;
}

int
work_result(struct work_search *s, const struct message *m, const char *call_id,
	struct work_result *out, struct err *err)
{
	const struct scope who = { s->want->who.user, NULL, NULL, NULL };
	struct looking l = { s, m, call_id, out };

	*out = (struct work_result){ .outcome = { WORKED_UNKNOWN, EXIT_UNKNOWN } };
	/* most are the next turn */
	if (messages_around(s->s, &who, m->row, 0, 2, is_result, &l, err) < 0)
		return -1;
	return out->found || *call_id == '\0' ? 0
	    : messages_around(s->s, &who, m->row, 0, WORK_RESULT_TURNS, is_result, &l, err);
}

const char *
work_trimmed(struct work_search *s, const char *line)
{
	size_t n = strlen(line);

	line = ascii_trim(line, &n);
	return arena_strndup(s->a, line, n);
}

/* ---- items ---- */

struct work *
work_item(struct work_search *s, const struct message *m)
{
	struct work *w = xpush(s->items, s->n, s->cap);

	*w = (struct work){ .kind = s->want->kind,
		.session = arena_strdup(s->a, m->session),
		.title = "",
		.agent = arena_strdup(s->a, m->agent),
		.project = arena_strdup(s->a, m->project),
		.time_us = m->time_us,
		.first_us = m->time_us,
		.modified_us = TIME_NONE,
		.again_us = TIME_NONE,
		.outcome = { WORKED_UNKNOWN, EXIT_UNKNOWN },
		.trust = m->trust,
		.did = "",
		.missing = "",
		.commit = "",
		.summary = "",
		.by = "",
		.commit_us = TIME_NONE,
		.instead = "",
		.dir = "",
		.output = "" };
	memcpy(w->id, m->id, ID_TEXT);
	return w;
}

void
work_note(struct work_search *s, struct work *w, const char *what, const struct message *m,
	const char *text, size_t len, const struct outcome *o)
{
	struct work_note *n = &w->notes[w->n_notes];

	while (len > 0 && (*text == ' ' || *text == '\n' || *text == '\t')) {
		text++;
		len--;
	}
	if (w->n_notes == WORK_NOTES || len == 0)
		return;
	*n = (struct work_note){ .what = what,
		.text = arena_strndup(s->a, text, utf8_clip(text, len, WORK_TEXT)),
		.outcome = { WORKED_UNKNOWN, EXIT_UNKNOWN } };
	if (o != NULL)
		n->outcome = *o;
	memcpy(n->id, m->id, ID_TEXT);
	w->n_notes++;
}

/* ---- all of it ---- */

bool
work_is_cured(const struct work *w)
{
	/* a line that was wrong is as wrong when somebody writes it again */
	return *w->instead != '\0' || (w->outcome.worked == WORKED_YES &&
	    w->again_us == TIME_NONE);
}

static int
class_of(const struct work *w)
{
	if (w->kind == WORK_FILE)
		return w->exact ? 0 : 1;
	if (w->kind == WORK_COMMAND)
		return w->outcome.worked == WORKED_YES ? 0
		    : w->outcome.worked == WORKED_UNKNOWN ? 1 : 2;
	return work_is_cured(w) ? 0 : 1;
}

static int
by_worth(const void *x, const void *y)
{
	const struct work *a = x, *b = y;

	if (class_of(a) != class_of(b))
		return class_of(a) - class_of(b);
	if ((a->time_us == TIME_NONE) != (b->time_us == TIME_NONE))
		return a->time_us == TIME_NONE ? 1 : -1;
	if (a->time_us != b->time_us)
		return a->time_us < b->time_us ? 1 : -1;
	return strcmp(b->id, a->id);
}

int
work_find(struct store *st, const struct work_want *want, struct arena *a, const struct work **out,
	size_t *n, struct err *err)
{
	struct work_search s = { .s = st, .want = want, .a = a };
	struct work *found;
	int rc = want->kind == WORK_FILE ? work_files(&s, err)
	    : want->kind == WORK_COMMAND ? work_commands(&s, err) : work_errors(&s, err);

	if (s.n > 0)
		qsort(s.items, s.n, sizeof(*s.items), by_worth);
	*n = MIN(s.n, want->limit);
	found = arena_alloc(a, *n * sizeof(*found) + 1);
	if (*n > 0)
		memcpy(found, s.items, *n * sizeof(*found));
	*out = found;
	for (size_t i = 0; i < *n && rc == 0; i++) {
		struct work *w = &found[i];

		if (*w->session == '\0')
			continue;
		if (w->kind == WORK_FILE)
			rc = work_file_tell(&s, w, err);
		if (rc == 0)
			rc = work_session(&s, w->session, err);
		if (rc == 0 && s.session != NULL && s.session->title != NULL)
			w->title = s.session->title;
	}
	free(s.items);
	return rc;
}
