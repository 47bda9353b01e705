/*
 * export.c: walks a store in the order of export.h. The hash and the number of lines are kept while
 * they are written, so nothing is read twice.
 */
#include "transfer/export.h"

#include "base/alloc.h"
#include "base/base64.h"
#include "base/bytes.h"
#include "base/order.h"
#include "json/json.h"
#include "records/record.h"
#include "transfer/export_parts.h"
#include "transfer/lines.h"

/* ---- lines ---- */

int
exporter_end_record(struct exporter *e)
{
	if (e->out->full)
		return err_set(e->err, ERR_DATA, "a record is over %llu bytes",
		    (unsigned long long)e->out->max);
	return e->ended(e->arg);
}

int
exporter_end_line(struct exporter *e)
{
	buf_addc(e->out, '\n');
	sha256_add(&e->sum, e->out->data + e->start, e->out->len - e->start);
	e->n_lines++;
	return exporter_end_record(e);
}

struct buf *
exporter_line(struct exporter *e)
{
	e->start = e->out->len;
	return e->out;
}

void
exporter_init(struct exporter *e, struct store *s, const struct export_options *o,
	struct buf *out, int (*ended)(void *arg), void *arg, struct err *err)
{
	*e = (struct exporter){ .s = s, .o = o, .who = o->who, .out = out, .ended = ended,
		.arg = arg, .err = err, .redact = { .on = o->redact } };
	e->who.session = NULL;
	sha256_init(&e->sum);
	cleaner_init(&e->redact.cleaner);
}

void
exporter_release(struct exporter *e)
{
	cleaner_release(&e->redact.cleaner);
	arena_release(&e->redact.arena);
}

static int
put_line_of(struct exporter *e, const char *type, const struct field *table, const void *from)
{
	line_of(exporter_line(e), type, table, e->who.user, from);
	return exporter_end_line(e);
}

static void
hex_member(struct buf *out, const char *key, const uint8_t *bytes, size_t n)
{
	char hex[SHA256_TEXT];

	json_str(out, key, hex_format(bytes, n, hex));
}

/* A key, and bytes of it in base64; key NULL: an element of an array. */
static void
bytes_member(struct buf *out, const char *key, const uint8_t *bytes, size_t n)
{
	LOCAL(buf) b = buf_of(out->max);

	buf_addc(&b, '"');
	base64_encode(&b, bytes, n);
	buf_addc(&b, '"');
	if (key != NULL)
		json_raw(out, key, b.data, b.len);
	else
		buf_add(out, b.data, b.len);
}

int
exporter_end(struct exporter *e)
{
	struct buf *out = exporter_line(e);
	uint8_t sum[SHA256_BYTES];

	sha256_end(&e->sum, sum);
	json_record(out, "exported");
	json_int(out, "records", e->n_lines);
	hex_member(out, "sha256", sum, SHA256_BYTES);
	json_close(out);
	return exporter_end_line(e);
}

/* ---- sessions and messages ---- */

int
exporter_session(struct exporter *e)
{
	struct session v = *e->session;
	struct buf *out = exporter_line(e);

	e->n.n_sessions++;
	e->session = NULL;
	v.title = redact_text(&e->redact, v.title, NULL);
	v.system_prompt = redact_text(&e->redact, v.system_prompt, NULL);
	v.metadata = redact_json(&e->redact, v.metadata);
	v.told_us = e->o->news ? v.told_us : TIME_NONE;
	v.again &= e->o->news;
	line_of(out, "session", session_fields, e->who.user, &v);
	line_add(out, told_fields, e->who.user, &v);
	return exporter_end_line(e);
}

/* Those of one record, if it has any. */
static int
put_vectors(struct exporter *e, enum vector_kind kind, int64_t row, const char *id,
	const char *text, size_t len)
{
	struct vectors_given v = { .kind = kind };
	struct buf *out = exporter_line(e);

	if (vectors_out_of(e->vectors, kind, row, &v, e->err) != 0)
		return -1;
	if (v.n_parts == 0)
		return 0;
	memcpy(v.id, id, ID_TEXT);
	sha256(text, len, v.of);
	LOCAL(buf) parts = buf_of(out->max);
	json_array_open(&parts, NULL);
	for (size_t i = 0; i < v.n_parts; i++) {
		json_next(&parts);
		bytes_member(&parts, NULL, v.parts + i * v.part_bytes, v.part_bytes);
	}
	json_array_close(&parts);
	line_of(out, "vectors", vectors_fields, e->who.user, &v);
	line_reopen(out);
	json_raw(out, "parts", parts.data, parts.len);
	json_close(out);
	return exporter_end_line(e);
}

int
exporter_message(void *arg, const struct message *given)
{
	struct exporter *e = arg;
	struct message m = *given;
	int rc;

	if (!part_has(e->o, given))
		return 0;
	if (e->session != NULL && (rc = exporter_session(e)) != 0)
		return rc;
	arena_reset(&e->redact.arena);
	if (e->o->redact) {
		m.content = redact_text(&e->redact, m.content, &m.content_len);
		sha256(m.content, m.content_len, m.sha256);
		m.tool_calls = redact_json(&e->redact, m.tool_calls);
		m.extra = redact_json(&e->redact, m.extra);
	}
	e->n.n_messages++;
	record_message(exporter_line(e), e->who.user, &m);
	if (*m.source_id == '\0')
		line_add(e->out, place_fields, e->who.user, &m);
	rc = exporter_end_line(e);
	return rc != 0 || e->vectors == NULL
	    ? rc
	    : put_vectors(e, VECTOR_MESSAGE, m.row, m.id, m.content, m.content_len);
}

static int
walk_session(void *arg, const struct session *v, bool in_scope)
{
	struct exporter *e = arg;
	const char *wanted = e->o->who.session;
	struct scope in = e->who;

	if (wanted != NULL && *wanted != '\0' && strcmp(wanted, v->id) != 0)
		return 0;
	in.session = v->id;
	e->session = in_scope ? v : NULL;
	if (messages_in_order(e->s, &in, &e->o->filter, exporter_message, e, e->err) != 0)
		return -1;
	/* a session without messages that go out is told only of a whole memory */
	int rc = e->session != NULL && !part_is(e->o) ? exporter_session(e) : 0;
	e->session = NULL;
	return rc;
}

/* ---- records ---- */

static int
put_step(struct exporter *e)
{
	const struct step_given *st = e->step;

	e->step = NULL;
	return put_line_of(e, "step", step_fields, st);
}

int
exporter_step(void *arg, const struct step_given *st)
{
	struct exporter *e = arg;

	e->step = st;
	return part_is(e->o) ? 0 : put_step(e);
}

int
exporter_later(struct exporter *e, const struct fact *f, struct arena *a, const char **text,
	struct buf *member)
{
	return e->o->later == NULL
	    ? 0
	    : e->o->later(e->o->later_arg, &e->who, f, a, text, member, e->err);
}

/* step NULL: as it is now, with what was said of it later. */
static int
put_record(struct exporter *e, const struct fact *given, const char *step)
{
	struct fact f = *given;
	LOCAL(buf) extra = buf_of(e->out->max);

	arena_reset(&e->redact.arena);
	if (step == NULL && e->o->later != NULL) {
		json_open(&extra);
		if (exporter_later(e, given, &e->redact.arena, &(const char *){ "" }, &extra) != 0)
			return -1;
		json_members(&extra, f.head.extra);
		json_close(&extra);
		f.head.extra = extra.data;
	}
	if (e->o->redact) {
		f.head.content = redact_text(&e->redact, f.head.content, &f.head.content_len);
		f.head.extra = redact_json(&e->redact, f.head.extra);
		f.summary.structured = redact_json(&e->redact, f.summary.structured);
	}
	line_record(exporter_line(e), e->who.user, &f, step);
	return exporter_end_line(e);
}

static int
put_gone(struct exporter *e, const char *id, const char *step)
{
	struct buf *out = exporter_line(e);

	json_record(out, "gone");
	json_str(out, "id", id);
	json_str(out, "user", e->who.user);
	json_str(out, "by_step", step);
	json_close(out);
	return exporter_end_line(e);
}

int
exporter_change(void *arg, const struct step_given *st, const char *id, const struct fact *f)
{
	struct exporter *e = arg;
	LOCAL(arena) a = ARENA_INIT;
	const struct fact *now;
	int rc = 0;

	e->n.n_changes++;
	if (part_is(e->o)) {
		rc = records_find(e->s, &e->who, id, &a, &now, e->err);
		if (rc == 0 && (now == NULL || !part_takes(e->o, now)))
			return rc;
	}
	if (rc == 0 && e->step != NULL)
		rc = put_step(e);
	if (rc == 0)
		rc = f == NULL ? put_gone(e, id, st->id) : put_record(e, f, st->id);
	return rc;
}

static int
walk_now(void *arg, const struct fact *f)
{
	struct exporter *e = arg;

	return part_takes(e->o, f) ? put_record(e, f, NULL) : 0;
}

static int
put_records(struct exporter *e)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);
	int rc = 0;

	if (!e->o->now_only)
		return steps_in_order(e->s, &e->who, exporter_step, exporter_change, e, e->err);
	f.also = RECORDS_ALL;
	for (int type = RECORD_FACT; type <= RECORD_REFLECTION && rc == 0; type++) {
		f.type = (enum record_type)type;
		rc = records_each(e->s, &e->who, &f, walk_now, e, e->err);
	}
	return rc;
}

/* ---- vectors of records ---- */

struct ids { struct exporter *e; char (*at)[ID_TEXT]; size_t n, cap; };

static int
keep_record(void *arg, const struct fact *f)
{
	struct ids *v = arg;

	if (!part_takes(v->e->o, f))
		return 0;
	memcpy(*xpush(v->at, v->n, v->cap), f->head.id, ID_TEXT);
	return 0;
}

static int
by_id(const void *x, const void *y)
{
	return strcmp(x, y);
}

static int
put_record_vectors(struct exporter *e, enum vector_kind kind, const char *id)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct fact *f;
	int rc = records_find(e->s, &e->who, id, &a, &f, e->err);

	if (rc == 0 && f != NULL)
		rc = put_vectors(e, kind, f->head.row, id, f->head.content, f->head.content_len);
	return rc;
}

/* In order of ids, by kind. */
static int
put_vectors_of_records(struct exporter *e)
{
	static const enum vector_kind kinds[] = { [RECORD_FACT] = VECTOR_FACT,
		[RECORD_SUMMARY] = VECTOR_SUMMARY, [RECORD_REFLECTION] = VECTOR_REFLECTION };
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);
	struct ids v = { .e = e };
	int rc = 0;

	f.also = RECORDS_ALL;
	for (int type = RECORD_FACT; type <= RECORD_REFLECTION && rc == 0; type++) {
		v.n = 0;
		f.type = (enum record_type)type;
		rc = records_each(e->s, &e->who, &f, keep_record, &v, e->err);
		if (v.n > 0)
			qsort(v.at, v.n, sizeof(*v.at), by_id);
		for (size_t i = 0; i < v.n && rc == 0; i++)
			rc = put_record_vectors(e, kinds[type], v.at[i]);
	}
	free(v.at);
	return rc;
}

/* ---- the rest ---- */

static int
put_model(void *arg, const struct vector_model *m)
{
	struct exporter *e = arg;
	struct buf *out = exporter_line(e);

	json_record(out, "vector_set");
	json_str(out, "model", m->name);
	hex_member(out, "sha256", m->sha256, SHA256_BYTES);
	json_int(out, "dims", m->n_dims);
	json_num(out, "unrelated", (double)m->unrelated);
	if (m->centre != NULL) {
		uint8_t *bytes = xreallocarray(NULL, m->n_dims, 4);

		for (size_t i = 0; i < m->n_dims; i++)
			put_le_float(bytes + 4 * i, m->centre[i]);
		bytes_member(out, "centre", bytes, 4 * (size_t)m->n_dims);
		free(bytes);
	}
	json_close(out);
	return exporter_end_line(e);
}

int
exporter_access(void *arg, const struct access_given *v)
{
	return put_line_of(arg, "access", access_fields, v);
}

static int
put_category(void *arg, const struct category *c)
{
	return put_line_of(arg, "category", category_fields, c);
}

static int
put_member(void *arg, const struct member_given *v)
{
	return put_line_of(arg, "member", member_fields, v);
}

static int
put_profile(void *arg, const struct about *v)
{
	return put_line_of(arg, "profile", profile_fields, v);
}

int
exporter_tombstone(void *arg, const uint8_t key[TOMBSTONE_BYTES])
{
	struct exporter *e = arg;

	e->n.n_tombstones++;
	return put_line_of(e, "tombstone", tombstone_fields, key);
}

int
exporter_consent(struct exporter *e)
{
	struct buf *out = exporter_line(e);
	int64_t since_us;
	bool yes;

	if (about_consent(e->s, &e->who, &yes, &since_us, e->err) != 0)
		return -1;
	if (since_us == TIME_NONE || since_us == 0)
		return 0;
	json_record(out, "consent");
	json_str(out, "user", e->who.user);
	json_time(out, "time", since_us);
	json_bool(out, "consent", yes);
	json_close(out);
	return exporter_end_line(e);
}

static int
export_records(struct exporter *e)
{
	bool whole = !part_is(e->o);

	if (whole && (exporter_consent(e) != 0 || (e->o->profile &&
	    about_each(e->s, &e->who, put_profile, e, e->err) != 0)))
		return -1;
	if (sessions_in_order(e->s, &e->who, walk_session, e, e->err) != 0 ||
	    put_records(e) != 0 || (e->vectors != NULL && put_vectors_of_records(e) != 0))
		return -1;
	if (!whole)
		return 0;
	return accesses_in_order(e->s, &e->who, exporter_access, e, e->err) != 0 ||
	    categories_each(e->s, &e->who, put_category, e, e->err) != 0 ||
	    members_in_order(e->s, &e->who, put_member, e, e->err) != 0 ||
	    tombstones_in_order(e->s, &e->who, exporter_tombstone, e, e->err) != 0 ? -1 : 0;
}

static int
export_user(struct exporter *e)
{
	int rc = e->o->vectors ? vectors_out_open(e->s, &e->who, &e->vectors, e->err) : 0;

	if (rc == 0)
		rc = export_records(e);
	vectors_out_close(e->vectors);
	e->vectors = NULL;
	return rc;
}

/* ---- users ---- */

static int
export_users(struct exporter *e)
{
	LOCAL(arena) a = ARENA_INIT;
	FREED const char **users = NULL;
	size_t n;
	int rc = users_all(e->s, &a, &users, &n, e->err);

	if (n > 0)
		qsort(users, n, sizeof(*users), by_text);
	for (size_t i = 0; i < n && rc == 0; i++) {
		e->who.user = users[i];
		rc = export_user(e);
	}
	return rc;
}

int
export_lines(struct store *s, const struct export_options *o, struct buf *out,
	int (*ended)(void *arg), void *arg, struct err *err)
{
	LOCAL(exporter) e;
	int rc;

	exporter_init(&e, s, o, out, ended, arg, err);
	line_head(exporter_line(&e), NULL);
	if ((rc = exporter_end_line(&e)) == 0 && o->vectors)
		rc = vectors_current(s, put_model, &e, err);
	if (rc == 0)
		rc = o->all_users ? export_users(&e) : export_user(&e);
	if (rc == 0)
		rc = exporter_end(&e);
	return rc < 0 ? -1 : 0;
}
