/*
 * forget.c: finds all that goes before anything is changed, so that a dry run tells what a real one
 * does. A session of which every message goes, goes itself.
 */
#include <strings.h>

#include "base/alloc.h"
#include "base/id.h"
#include "base/order.h"
#include "facts/forget_parts.h"
#include "store/records.h"
#include "text/words.h"

/* ---- what goes ---- */

static bool
has_session(const struct forget *f, const char *name)
{
	return text_index(name, f->sessions, f->n_sessions) >= 0;
}

static void
note_session(struct forget *f, const char *name)
{
	*xpush(f->sessions, f->n_sessions, f->cap_sessions) = arena_strdup(&f->arena, name);
}

static int
add_message(void *arg, const struct message *m)
{
	struct forget_message one = { .row = m->row };
	struct forget *f = arg;

	if (has_session(f, m->session))
		return 0;
	/* they come by session */
	if (f->n_names == 0 || strcmp(f->names[f->n_names - 1], m->session) != 0)
		*xpush(f->names, f->n_names, f->cap_names) = arena_strdup(&f->arena, m->session);
	one.session = (uint32_t)(f->n_names - 1);
	id_parse(m->id, strlen(m->id), one.id);
	*xpush(f->messages, f->n_messages, f->cap_messages) = one;
	return 0;
}

/* A scope with an agent has what is nobody's, too; that of an agent alone goes with it. */
static int
add_filtered(void *arg, const struct message *m)
{
	const struct forget *f = arg;
	const char *agent = f->who.agent;

	return agent == NULL || *agent == '\0' || strcmp(m->agent, agent) == 0
	    ? add_message(arg, m)
	    : 0;
}

/* A message that goes with its session. */
static void
note_in_session(struct forget *f, int64_t row)
{
	struct forget_range *r = f->n_ranges > 0 ? &f->ranges[f->n_ranges - 1] : NULL;

	f->n_in_sessions++;
	if (r != NULL && r->hi >> FORGET_TURN_BITS == row >> FORGET_TURN_BITS && r->hi < row) {
		r->hi = row;
		return;
	}
	*xpush(f->ranges, f->n_ranges, f->cap_ranges) = (struct forget_range){ row, row };
}

static int
add_session_message(void *arg, const struct message *m)
{
	note_in_session(arg, m->row);
	return 0;
}

static int
add_session(struct forget *f, struct store *s, const struct session *v, struct err *err)
{
	const struct scope who = { f->who.user, NULL, NULL, v->id };
	const struct message_filter any = MESSAGE_FILTER_ANY;

	if (has_session(f, v->id))
		return 0;
	note_session(f, v->id);
	f->n_named = f->n_sessions;
	return messages_each(s, &who, &any, add_session_message, f, err);
}

static int
no_session(struct store *s, const struct forget *f, const char *name, struct err *err)
{
	bool gone;

	return session_is_gone(s, &f->who, name, &gone, err) < 0
	    ? -1
	    : err_set(err, ERR_NOINPUT, "no session '%.100s'%s", name,
		  gone ? ": it was removed for good before" : "");
}

struct sessions_of { struct forget *f; struct store *s; struct err *err; };

static int
add_any_session(void *arg, const struct session *v)
{
	struct sessions_of *of = arg;

	return add_session(of->f, of->s, v, of->err);
}

static int
add_record(void *arg, const struct fact *r)
{
	struct forget *f = arg;
	const struct record_head *h = &r->head;

	for (size_t i = 0; i < f->n_records; i++)
		if (f->records[i].row == h->row)
			return 0;
	xgrow(&f->records, &f->cap_records, f->n_records + 1, sizeof(*f->records));
	f->records[f->n_records] = (struct made_record){ .row = h->row };
	memcpy(f->records[f->n_records++].id, h->id, ID_TEXT);
	return 0;
}

struct sought { struct forget *f; const char *id; bool found; };

static int
add_sought(void *arg, const struct fact *r)
{
	struct sought *v = arg;

	if (strcasecmp(r->head.id, v->id) != 0)
		return 0;
	v->found = true;
	return add_record(v->f, r);
}

static int
add_id(struct forget *f, struct store *s, const char *id, struct err *err)
{
	struct sought undone = { f, id, false };
	const struct message *m;
	const struct fact *r;

	if (messages_find(s, &f->who, id, &f->arena, &m, err) < 0)
		return -1;
	if (m != NULL)
		return add_message(f, m);
	if (records_find(s, &f->who, id, &f->arena, &r, err) < 0)
		return -1;
	if (r != NULL)
		return add_record(f, r);
	if (records_was_each(s, &f->who, 0, add_sought, &undone, err) < 0)
		return -1;
	return undone.found ? 0
	    : err_set(err, ERR_NOINPUT, "no message, fact, reflection or summary '%.100s'", id);
}

static int
add_all(struct forget *f, struct store *s, struct err *err)
{
	static const enum record_type types[] = { RECORD_FACT, RECORD_REFLECTION, RECORD_SUMMARY };
	struct sessions_of of = { f, s, err };

	if (sessions_each(s, &f->who, add_any_session, &of, err) < 0)
		return -1;
	for (size_t i = 0; i < NELEM(types); i++) {
		struct record_filter any = RECORD_FILTER_ANY(types[i]);

		any.also = RECORDS_ALL;
		if (records_each(s, &f->who, &any, add_record, f, err) < 0)
			return -1;
	}
	return records_was_each(s, &f->who, 0, add_record, f, err);
}

ORDER_BY(by_row, struct forget_message, row)

ORDER_BY(by_lo, struct forget_range, lo)

/* ---- sessions that lose all or some of their messages ---- */

static int
count_message(void *arg, const struct message *m)
{
	(void)m;
	++*(size_t *)arg;
	return 0;
}

/* Messages [at, end) are of one session: it goes whole, or is noted as one that loses some. */
static int
settle_session(struct forget *f, struct store *s, size_t at, size_t end, size_t *kept,
	struct err *err)
{
	const char *name = f->names[f->messages[at].session];
	const struct scope who = { f->who.user, NULL, NULL, name };
	const struct message_filter any = MESSAGE_FILTER_ANY;
	struct forget_part part = { .name = name };
	LOCAL(arena) a = ARENA_INIT;
	const struct session *v;
	size_t n = 0;

	if (messages_each(s, &who, &any, count_message, &n, err) < 0 ||
	    sessions_find(s, &who, name, &a, &v, err) < 0)
		return -1;
	if (v != NULL && n == end - at) {
		for (size_t i = at; i < end; i++)
			note_in_session(f, f->messages[i].row);
		note_session(f, name);
		return 0;
	}
	memmove(f->messages + *kept, f->messages + at, (end - at) * sizeof(*f->messages));
	*kept += end - at;
	if (v != NULL && v->title != NULL) {
		part.title = arena_strdup(&f->arena, v->title);
		forget_words_add(&f->sought, part.title, strlen(part.title));
	}
	*xpush(f->parts, f->n_parts, f->cap_parts) = part;
	return 0;
}

static int
settle_sessions(struct forget *f, struct store *s, struct err *err)
{
	size_t kept = 0, n = 0;

	if (f->n_messages > 0)
		qsort(f->messages, f->n_messages, sizeof(*f->messages), by_row);
	for (size_t i = 0; i < f->n_messages; i++)     /* each once */
		if (n == 0 || f->messages[n - 1].row != f->messages[i].row)
			f->messages[n++] = f->messages[i];
	for (size_t at = 0, end; at < n; at = end) {
		const char *name = f->names[f->messages[at].session];

		for (end = at + 1;
		     end < n && strcmp(f->names[f->messages[end].session], name) == 0; end++)
			;
		if (settle_session(f, s, at, end, &kept, err) < 0)
			return -1;
	}
	f->n_messages = f->cap_messages = kept;
	f->messages = xreallocarray(f->messages, kept + 1, sizeof(*f->messages));
	if (f->n_ranges > 0)
		qsort(f->ranges, f->n_ranges, sizeof(*f->ranges), by_lo);
	return 0;
}

static void
note_word(void *arg, struct forget_word *w, enum forget_form form)
{
	*(bool *)arg |= form == FORGET_WORD && (w->also & FORGET_BIT(form)) != 0 &&
	    !words_is_stop(w->text, w->last + 1u);
}

/* The title of a session that loses messages goes where it has words of what goes. */
static int
settle_titles(struct forget *f, struct store *s, struct err *err)
{
	if (forget_seek(f, s, err) < 0)
		return -1;
	for (size_t i = 0; i < f->n_parts; i++)
		if (f->parts[i].title != NULL)
			forget_words_look(&f->sought, f->parts[i].title,
			    strlen(f->parts[i].title), note_word, &f->parts[i].untitle);
	return 0;
}

/* ---- the plan ---- */

static void
clear(struct forget *f)
{
	forget_words_release(&f->words);
	forget_words_release(&f->sought);
	arena_reset(&f->arena);
	f->n_sessions = f->n_parts = f->n_messages = f->n_records = f->n_made = 0;
	f->n_named = f->n_names = f->n_ranges = f->n_looked = 0;
	f->n_in_sessions = f->n_vectors = f->n_guarded = 0;
}

struct going
forget_going(const struct forget *f, int64_t **rows, int64_t **records)
{
	*rows = xreallocarray(NULL, f->n_messages + 1, sizeof(**rows));
	*records = xreallocarray(NULL, f->n_records + f->n_made + 1, sizeof(**records));
	for (size_t i = 0; i < f->n_messages; i++)
		(*rows)[i] = f->messages[i].row;
	for (size_t i = 0; i < f->n_records; i++)
		(*records)[i] = f->records[i].row;
	for (size_t i = 0; i < f->n_made; i++)
		(*records)[f->n_records + i] = f->made[i].row;
	return (struct going){ f->sessions, f->n_sessions, *rows, *records, f->n_messages,
		f->n_records, NULL, false };
}

int
forget_versions_each(struct forget *f, struct store *s, int64_t row, fact_fn *fn, void *arg,
	struct err *err)
{
	const struct fact *r;
	int rc = records_by_row(s, &f->who, row, TIME_NONE, &f->arena, &r, err);

	if (rc == 0 && r != NULL)
		rc = fn(arg, r);
	return rc == 0 ? records_was_each(s, &f->who, row, fn, arg, err) : rc;
}

struct forget *
forget_new(const struct scope *who, const struct forget_want *want)
{
	struct forget *f = xcalloc(1, sizeof(*f));

	f->want = want;
	f->who = *who;
	return f;
}

int
forget_plan(struct store *s, struct forget *f, struct err *err)
{
	const struct forget_want *want = f->want;
	const struct session *v;

	clear(f);
	if (want->all && add_all(f, s, err) < 0)
		return -1;
	for (size_t i = 0; i < want->n_sessions; i++) {
		if (sessions_find(s, &f->who, want->sessions[i], &f->arena, &v, err) < 0)
			return -1;
		if (v == NULL)
			return no_session(s, f, want->sessions[i], err);
		if (add_session(f, s, v, err) < 0)
			return -1;
	}
	if (want->by_filter && messages_each(s, &f->who, &want->filter, add_filtered, f, err) < 0)
		return -1;
	for (size_t i = 0; i < want->n_ids; i++)
		if (add_id(f, s, want->ids[i], err) < 0)
			return -1;
	if (settle_sessions(f, s, err) < 0)
		return -1;
	if (forget_find_made(f, s, err) < 0 || settle_titles(f, s, err) < 0)
		return -1;
	return want->proof ? forget_note_traces(f, s, err) : 0;
}

void
forget_free(struct forget *f)
{
	if (f == NULL)
		return;
	clear(f);
	arena_release(&f->arena);
	free(f->sessions);
	free(f->parts);
	free(f->names);
	free(f->messages);
	free(f->ranges);
	free(f->vectors);
	free(f->records);
	free(f->made);
	free(f->guarded);
	free(f);
}

void
forget_protected(const struct forget *f, forget_fn *fn, void *arg)
{
	for (size_t i = 0; i < f->n_guarded; i++)
		if (!forget_takes_record(f, f->guarded[i].row))
			fn(arg, FORGET_RECORD, f->guarded[i].id, NULL);
}

struct forget_counts
forget_count(const struct forget *f)
{
	return (struct forget_counts){ (int64_t)f->n_sessions,
		(int64_t)(f->n_messages + f->n_in_sessions), (int64_t)f->n_records,
		(int64_t)f->n_made };
}

void
forget_tell(const struct forget *f, forget_fn *fn, void *arg, struct forget_counts *n)
{
	char id[ID_TEXT];

	*n = forget_count(f);
	for (size_t i = 0; i < f->n_sessions; i++)
		fn(arg, FORGET_SESSION, NULL, f->sessions[i]);
	for (size_t i = 0; i < f->n_messages; i++)
		fn(arg, FORGET_MESSAGE, id_format(f->messages[i].id, id),
		    f->names[f->messages[i].session]);
	for (size_t i = 0; i < f->n_records; i++)
		fn(arg, FORGET_RECORD, f->records[i].id, NULL);
	for (size_t i = 0; i < f->n_made; i++)
		fn(arg, FORGET_MADE, f->made[i].id, NULL);
}
