/*
 * forget.c: finds all that goes before anything is changed, so that a dry run tells what a real one
 * does. A session of which every message goes, goes itself.
 */
#include <strings.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "facts/forget_parts.h"
#include "store/about.h"
#include "store/categories.h"
#include "store/records.h"
#include "text/words.h"

/* ---- what goes ---- */

static void
add_words(struct forget *f, const char *text)
{
	if (text != NULL)
		forget_words_add(&f->words, text, strlen(text));
}

static void
add_words_of(struct forget *f, const struct message *m)
{
	forget_words_add(&f->words, m->content, m->content_len);
	add_words(f, m->name);
	add_words(f, m->source_id);
	add_words(f, m->tool_calls);
	add_words(f, m->tool_call_id);
	add_words(f, m->extra);
}

static int
add_message(void *arg, const struct message *m)
{
	struct forget *f = arg;

	for (size_t i = 0; i < f->n_sessions; i++)
		if (strcmp(f->sessions[i], m->session) == 0)
			return 0;
	xgrow(&f->messages, &f->cap_messages, f->n_messages + 1, sizeof(*f->messages));
	f->messages[f->n_messages] = (struct forget_message){ .row = m->row,
		.session = arena_strdup(&f->arena, m->session) };
	memcpy(f->messages[f->n_messages++].id, m->id, ID_TEXT);
	add_words_of(f, m);
	return 0;
}

/* A message that goes with its session. */
static void
note_in_session(struct forget *f, int64_t row, const char *id)
{
	struct forget_message *m;

	xgrow(&f->in_sessions, &f->cap_in_sessions, f->n_in_sessions + 1,
	    sizeof(*f->in_sessions));
	m = &f->in_sessions[f->n_in_sessions++];
	*m = (struct forget_message){ .row = row };
	memcpy(m->id, id, ID_TEXT);
}

static int
add_session_message(void *arg, const struct message *m)
{
	struct forget *f = arg;

	note_in_session(f, m->row, m->id);
	add_words_of(f, m);
	return 0;
}

static int
add_session(struct forget *f, struct store *s, const struct session *v, struct err *err)
{
	const struct scope who = { f->who.user, NULL, NULL, v->id };
	const struct message_filter any = MESSAGE_FILTER_ANY;

	for (size_t i = 0; i < f->n_sessions; i++)
		if (strcmp(f->sessions[i], v->id) == 0)
			return 0;
	xgrow(&f->sessions, &f->cap_sessions, f->n_sessions + 1, sizeof(*f->sessions));
	f->sessions[f->n_sessions++] = arena_strdup(&f->arena, v->id);
	add_words(f, v->id);
	add_words(f, v->title);
	add_words(f, v->system_prompt);
	add_words(f, v->metadata);
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
	if (records_undone_each(s, &f->who, add_sought, &undone, err) < 0)
		return -1;
	return undone.found ? 0
	    : err_set(err, ERR_NOINPUT, "no message, fact, reflection or summary '%.100s'", id);
}

static int
add_field(void *arg, const struct about *v)
{
	add_words(arg, v->value);
	return 0;
}

static int
add_category(void *arg, const struct category *c)
{
	add_words(arg, c->name);
	add_words(arg, c->keywords);
	return 0;
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
	if (about_each(s, &f->who, add_field, f, err) < 0 ||
	    categories_each(s, &f->who, add_category, f, err) < 0)
		return -1;
	return records_undone_each(s, &f->who, add_record, f, err);
}

static int
by_row(const void *x, const void *y)
{
	const struct forget_message *a = x, *b = y;

	return (a->row > b->row) - (a->row < b->row);
}

/* ---- sessions that lose all or some of their messages ---- */

static int
count_message(void *arg, const struct message *m)
{
	(void)m;
	++*(size_t *)arg;
	return 0;
}

static void
note_word(void *arg, struct forget_word *w)
{
	*(bool *)arg |= w->len >= 3 && !w->is_term && !words_is_stop(w->text, w->len);
}

/* Messages [at, end) are of one session: it goes whole, or is noted as one that loses some. */
static int
settle_session(struct forget *f, struct store *s, size_t at, size_t end, size_t *kept,
	struct err *err)
{
	const char *name = f->messages[at].session;
	const struct scope who = { f->who.user, NULL, NULL, name };
	const struct message_filter any = MESSAGE_FILTER_ANY;
	const struct session *v;
	size_t n = 0;

	if (messages_each(s, &who, &any, count_message, &n, err) < 0 ||
	    sessions_find(s, &who, name, &f->arena, &v, err) < 0)
		return -1;
	if (v != NULL && n == end - at) {
		for (size_t i = at; i < end; i++)
			note_in_session(f, f->messages[i].row, f->messages[i].id);
		xgrow(&f->sessions, &f->cap_sessions, f->n_sessions + 1, sizeof(*f->sessions));
		f->sessions[f->n_sessions++] = name;
		add_words(f, v->title);
		add_words(f, v->system_prompt);
		add_words(f, v->metadata);
		return 0;
	}
	memmove(f->messages + *kept, f->messages + at, (end - at) * sizeof(*f->messages));
	*kept += end - at;
	xgrow(&f->parts, &f->cap_parts, f->n_parts + 1, sizeof(*f->parts));
	f->untitle = xreallocarray(f->untitle, f->n_parts + 1, sizeof(*f->untitle));
	f->untitle[f->n_parts] = false;
	if (v != NULL && v->title != NULL)
		forget_words_look(&f->words, v->title, strlen(v->title), note_word,
		    &f->untitle[f->n_parts]);
	f->parts[f->n_parts++] = name;
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
		for (end = at + 1; end < n &&
		     strcmp(f->messages[end].session, f->messages[at].session) == 0; end++)
			;
		if (settle_session(f, s, at, end, &kept, err) < 0)
			return -1;
	}
	f->n_messages = kept;
	return 0;
}

/* ---- the plan ---- */

static void
clear(struct forget *f)
{
	forget_words_free(&f->words);
	arena_reset(&f->arena);
	f->n_sessions = f->n_parts = f->n_messages = f->n_records = f->n_made = 0;
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
		f->n_records, NULL };
}

int
forget_versions_each(struct forget *f, struct store *s, int64_t row, fact_fn *fn, void *arg,
	struct err *err)
{
	const struct fact *r;
	int rc = records_by_row(s, &f->who, row, TIME_NONE, &f->arena, &r, err);

	if (rc == 0 && r != NULL)
		rc = fn(arg, r);
	return rc == 0 ? record_was_each(s, &f->who, row, fn, arg, err) : rc;
}

static int
add_record_words(void *arg, const struct fact *r)
{
	struct forget *f = arg;

	forget_words_add(&f->words, r->head.content, r->head.content_len);
	add_words(f, r->head.tags);
	add_words(f, r->head.extra);
	add_words(f, r->head.source_id);
	add_words(f, r->key);
	add_words(f, r->subcategory);
	add_words(f, r->summary.structured);
	return 0;
}

static int
add_words_of_records(struct forget *f, struct store *s, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < f->n_records && rc == 0; i++)
		rc = forget_versions_each(f, s, f->records[i].row, add_record_words, f, err);
	for (size_t i = 0; i < f->n_made && rc == 0; i++)
		rc = forget_versions_each(f, s, f->made[i].row, add_record_words, f, err);
	return rc;
}

/* ---- what the proof looks for ---- */

static void
note_id(void *arg, const char *id)
{
	add_words(arg, id);
}

static void
note_vector(void *arg, uint64_t key, const uint8_t *bytes, size_t len)
{
	struct forget *f = arg;

	xgrow(&f->vectors, &f->cap_vectors, f->n_vectors + 1, sizeof(*f->vectors));
	f->vectors[f->n_vectors++] =
	    (struct forget_vector){ key, hash64(bytes, len, 0), (uint32_t)len };
}

static int
by_number(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

static int
by_key(const void *x, const void *y)
{
	const struct forget_vector *a = x, *b = y;

	return (a->key > b->key) - (a->key < b->key);
}

/* All that is stored of them, of every model. */
static int
note_vectors(struct forget *f, struct store *s, struct err *err)
{
	static const enum vector_kind kinds[] = { VECTOR_MESSAGE, VECTOR_FACT, VECTOR_SUMMARY,
		VECTOR_REFLECTION };
	size_t n_records = f->n_records + f->n_made, n = 0;
	int64_t *rows = xreallocarray(NULL,
	    MAX(f->n_messages + f->n_in_sessions, n_records) + 1, sizeof(*rows));
	int rc = 0;

	for (size_t i = 0; i < f->n_messages; i++)
		rows[n++] = f->messages[i].row;
	for (size_t i = 0; i < f->n_in_sessions; i++)
		rows[n++] = f->in_sessions[i].row;
	for (size_t k = 0; k < NELEM(kinds) && rc == 0; k++) {
		struct vector_rows of = { kinds[k], rows, n };

		qsort(rows, n, sizeof(*rows), by_number);
		rc = vectors_bytes_each(s, &f->who, &of, note_vector, f, err);
		if (k > 0)
			continue;
		for (n = 0; n < n_records; n++)
			rows[n] = n < f->n_records ? f->records[n].row
						   : f->made[n - f->n_records].row;
	}
	free(rows);
	if (f->n_vectors > 0)
		qsort(f->vectors, f->n_vectors, sizeof(*f->vectors), by_key);
	return rc;
}

/* What the proof looks for besides the words of messages: ids, as a log has them, and vectors. */
static int
note_traces(struct forget *f, struct store *s, struct err *err)
{
	forget_ids(f, note_id, f);
	return note_vectors(f, s, err);
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
	int rc = 0;

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
	if (want->by_filter && messages_each(s, &f->who, &want->filter, add_message, f, err) < 0)
		return -1;
	for (size_t i = 0; i < want->n_ids; i++)
		if (add_id(f, s, want->ids[i], err) < 0)
			return -1;
	if (settle_sessions(f, s, err) < 0)
		return -1;
	rc = forget_find_made(f, s, err);
	if (rc == 0)
		rc = add_words_of_records(f, s, err);
	return rc == 0 && want->proof ? note_traces(f, s, err) : rc;
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
	free(f->untitle);
	free(f->messages);
	free(f->in_sessions);
	free(f->vectors);
	free(f->records);
	free(f->made);
	free(f->guarded);
	free(f);
}

void
forget_ids(const struct forget *f, forget_id_fn *fn, void *arg)
{
	for (size_t i = 0; i < f->n_messages; i++)
		fn(arg, f->messages[i].id);
	for (size_t i = 0; i < f->n_in_sessions; i++)
		fn(arg, f->in_sessions[i].id);
	for (size_t i = 0; i < f->n_records; i++)
		fn(arg, f->records[i].id);
	for (size_t i = 0; i < f->n_made; i++)
		fn(arg, f->made[i].id);
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
	*n = forget_count(f);
	for (size_t i = 0; i < f->n_sessions; i++)
		fn(arg, FORGET_SESSION, NULL, f->sessions[i]);
	for (size_t i = 0; i < f->n_messages; i++)
		fn(arg, FORGET_MESSAGE, f->messages[i].id, f->messages[i].session);
	for (size_t i = 0; i < f->n_records; i++)
		fn(arg, FORGET_RECORD, f->records[i].id, NULL);
	for (size_t i = 0; i < f->n_made; i++)
		fn(arg, FORGET_MADE, f->made[i].id, NULL);
}
