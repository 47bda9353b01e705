/*
 * given.c: one reader a kind of record, in a table by its type. Keys that are not ours stay with
 * messages and records, as when they were stored first.
 */
#include "transfer/given.h"

#include <math.h>

#include "base/base64.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "facts/fact_record.h"
#include "records/record.h"

#define GIVEN(member) offsetof(struct given, member)

/* A text that must be there. */
static int
text_of(const struct json *v, const char *key, const char **out, struct err *err)
{
	const struct field one[] = { FIELD(key, TEXT, FIELD_MUST, 0), FIELD_END };

	return fields_read(v, one, out, NULL, err);
}

/* Bytes that a member is, in the arena; *n 0: there is none. */
static int
bytes_of(const struct json *m, const char *key, struct arena *a, uint8_t **out, size_t *n,
	struct err *err)
{
	*n = 0;
	if (m == NULL)
		return 0;
	if (m->kind == JSON_STRING && (*n = base64_bytes(m->u.string, m->len)) > 0) {
		*out = arena_alloc(a, *n);
		if (base64_decode(m->u.string, m->len, *out))
			return 0;
	}
	return field_not_a(err, key, "bytes in base64");
}

static int
read_message(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	static const struct field *const tables[] = { message_fields, place_fields, NULL };
	static const char *const more[] = { "type", "near", NULL };
	struct message *m = &g->message;

	(void)err;
	memcpy(g->sha256, m->sha256, SHA256_BYTES);
	if (m->trust < 0)
		m->trust = origin_trust(m->origin);
	m->position = (uint64_t)m->turn;
	m->given = true;
	m->extra = fields_others(v, tables, more, a);
	return 0;
}

static const struct field source_fields[] = {
	FIELD("id", NAME, FIELD_MUST, offsetof(struct record_source, id)),
	FIELD("start", INT, 0, offsetof(struct record_source, start), .high = INT32_MAX),
	FIELD("length", INT, 0, offsetof(struct record_source, length), .high = INT32_MAX),
	FIELD_END
}, by_step[] = {
	FIELD("by_step", ID, 0, GIVEN(step.id)),
	FIELD_END
};

static int
read_sources(const struct json *v, struct arena *a, struct record_head *h, struct err *err)
{
	const struct json *list = json_get(v, "sources");
	struct record_source *all;

	h->n_sources = 0;
	h->sources = NULL;
	if (list == NULL || list->kind == JSON_NULL)
		return 0;
	if (list->kind != JSON_ARRAY || list->len > RECORD_SOURCES_MAX)
		return field_not_a(err, "sources", "an array, or has too many");
	h->sources = all = arena_zalloc(a, (list->len + 1) * sizeof(*all));
	for (h->n_sources = 0; h->n_sources < list->len; h->n_sources++) {
		const struct json *from = &list->u.items[h->n_sources];
		struct record_source *to = &all[h->n_sources];

		if (fields_read(from, source_fields, to, a, err) != 0)
			return err_set(err, ERR_DATA, "a source without an id or with no span");
	}
	return 0;
}

static int
read_record(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	static const struct field *const of_fact[] = { fact_head, fact_text, fact_own, fact_ended,
		fact_rest, NULL }, *const of_summary[] = { fact_head, fact_text, fact_summary,
		fact_rest, NULL };
	static const char *const more[] = { "type", "sources", "history", "by_step", "supersedes",
		"said_later", NULL };
	static const char *const more_of_summary[] = { "type", "sources", "history", "by_step",
		"stale", NULL };
	const char *type = json_get_string(v, "type", NULL);
	bool is_summary = *type == 's';
	struct fact *f = &g->fact;

	f->key = f->bank = f->subcategory = f->superseded_by = f->summarized = f->found_in = "";
	f->summary.model = f->summary.structured = "";
	f->summary.first = f->summary.last = TIME_NONE;
	f->valid_from_us = f->valid_to_us = TIME_NONE;
	f->head.type = *type == 'f' ? RECORD_FACT
	    : is_summary	    ? RECORD_SUMMARY
				    : RECORD_REFLECTION;
	if (fields_read(v, fact_rest, f, a, err) != 0 || read_sources(v, a, &f->head, err) != 0 ||
	    fields_read(v, by_step, g, a, err) != 0 ||
	    (f->head.type == RECORD_FACT &&
		(fields_read(v, fact_own, f, a, err) != 0 ||
		    fields_read(v, fact_ended, f, a, err) != 0)) ||
	    (is_summary && fields_read(v, fact_summary, f, a, err) != 0))
		return -1;
	if (f->head.trust < 0)
		f->head.trust = origin_trust(f->head.origin);
	f->head.extra = fields_others(v, is_summary ? of_summary : of_fact,
	    is_summary ? more_of_summary : more, a);
	return 0;
}

static int
read_category(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	(void)v, (void)a, (void)err;
	if (*g->category.keywords == '\0')
		g->category.keywords = "[]";
	return 0;
}

static int
read_consent(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	const struct json *yes = json_get(v, "consent");

	(void)a;
	if (yes == NULL || (yes->kind != JSON_TRUE && yes->kind != JSON_FALSE))
		return field_not_a(err, "consent", "true or false");
	g->number = yes->kind == JSON_TRUE;
	return 0;
}

/* ---- vectors ---- */

static int
read_model(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	struct vector_model *m = &g->model;
	const struct json *unrelated = json_get(v, "unrelated");
	const char *name;
	uint8_t *bytes = NULL;
	size_t n;
	float *c;

	if (text_of(v, "model", &name, err) != 0 ||
	    bytes_of(json_get(v, "centre"), "centre", a, &bytes, &n, err) != 0)
		return -1;
	if (strlen(name) >= sizeof(m->name) || m->n_dims == 0)
		return field_not_a(err, m->n_dims == 0 ? "dims" : "model",
		    "one that a model may have");
	if (unrelated == NULL || unrelated->kind != JSON_NUMBER || !(fabs(unrelated->u.number) < 1))
		return field_not_a(err, "unrelated", "a number from -1 to 1");
	snprintf(m->name, sizeof(m->name), "%s", name);
	m->unrelated = (float)unrelated->u.number;
	if (n == 0)
		return 0;
	if (n != 4 * (size_t)m->n_dims)
		return field_not_a(err, "centre", "of so many dimensions");
	m->centre = c = arena_alloc(a, n);
	for (size_t i = 0; i < m->n_dims; i++)
		c[i] = get_le_float(bytes + 4 * i);
	return 0;
}

static int
read_vectors(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	const struct json *parts = json_get(v, "parts");
	struct vectors_given *w = &g->vectors;
	uint8_t *all = NULL, *part;
	size_t n;

	if (parts == NULL || parts->kind != JSON_ARRAY || parts->len == 0)
		return field_not_a(err, "parts", "an array of vectors");
	w->n_parts = parts->len;
	for (size_t i = 0; i < parts->len; i++) {
		if (bytes_of(&parts->u.items[i], "parts", a, &part, &n, err) != 0)
			return -1;
		if (i == 0) {
			w->part_bytes = n;
			all = arena_alloc(a, n * parts->len);
		} else if (n != w->part_bytes) {
			return field_not_a(err, "parts", "vectors of one length");
		}
		memcpy(all + i * n, part, n);
	}
	w->parts = all;
	return 0;
}

/* ---- heads and ends ---- */

static int
mark_of(const struct json *v, const char *key, struct mark *out, struct err *err)
{
	const char *text;

	if (text_of(v, key, &text, err) != 0)
		return -1;
	return mark_parse(text, strlen(text), out) == 0 ? 0 : field_not_a(err, key, "a mark");
}

static int
read_begin(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	struct news_head *h = &g->news;

	if (*h->store == '\0')
		return 0;
	return fields_read(v, news_fields, h, a, err) != 0 ||
		mark_of(v, "mark", &h->mark, err) != 0
	    ? -1
	    : mark_of(v, "has", &h->has, err);
}

static const struct field gone_fields[] = {
	FIELD("id", ID, FIELD_MUST, GIVEN(fact.head.id)),
	FIELD("by_step", ID, FIELD_MUST, GIVEN(step.id)),
	FIELD_END
}, consent_fields[] = {
	FIELD("time", TIME, FIELD_MUST, GIVEN(time_us)),
	FIELD_END
}, model_fields[] = {
	FIELD("sha256", BYTES, FIELD_MUST, GIVEN(model.sha256), .high = SHA256_BYTES),
	FIELD("dims", INT32, 0, GIVEN(model.n_dims), .low = 1, .high = INT32_MAX),
	FIELD_END
}, begin_fields[] = {
	FIELD("v", INT, 0, GIVEN(number), .low = 1, .high = (int64_t)1 << 30, .other = 1),
	FIELD("store", ID, 0, GIVEN(news.store)),
	FIELD("lost", FLAG, 0, GIVEN(news.lost)),
	FIELD_END
}, end_fields[] = {
	FIELD("records", INT, 0, GIVEN(number), .high = (int64_t)1 << 52, .other = -1),
	FIELD("sha256", BYTES, 0, GIVEN(sha256), .high = SHA256_BYTES),
	FIELD_END
};

/* Its fields, from where they stand in struct given, and what the tables do not tell. */
static const struct reader {
	const char *type;
	enum given_kind kind;
	const struct field *fields, *more;
	size_t at;
	int (*rest)(const struct json *v, struct arena *a, struct given *g, struct err *err);
} readers[] = {
	{ "message", GIVEN_MESSAGE, message_fields, place_fields, GIVEN(message), read_message },
	{ "session", GIVEN_SESSION, session_fields, told_fields, GIVEN(session), NULL },
	{ "step", GIVEN_STEP, step_fields, NULL, GIVEN(step), NULL },
	{ "fact", GIVEN_RECORD, fact_head, fact_text, GIVEN(fact), read_record },
	{ "summary", GIVEN_RECORD, fact_head, fact_text, GIVEN(fact), read_record },
	{ "reflection", GIVEN_RECORD, fact_head, fact_text, GIVEN(fact), read_record },
	{ "gone", GIVEN_GONE, gone_fields, NULL, 0, NULL },
	{ "access", GIVEN_ACCESS, access_fields, NULL, GIVEN(access), NULL },
	{ "category", GIVEN_CATEGORY, category_fields, NULL, GIVEN(category), read_category },
	{ "member", GIVEN_MEMBER, member_fields, NULL, GIVEN(member), NULL },
	{ "profile", GIVEN_PROFILE, profile_fields, NULL, GIVEN(about), NULL },
	{ "consent", GIVEN_CONSENT, consent_fields, NULL, 0, read_consent },
	{ "vector_set", GIVEN_MODEL, model_fields, NULL, 0, read_model },
	{ "vectors", GIVEN_VECTORS, vectors_fields, NULL, GIVEN(vectors), read_vectors },
	{ "tombstone", GIVEN_TOMBSTONE, tombstone_fields, NULL, GIVEN(key), NULL },
	{ "export", GIVEN_HEAD, begin_fields, NULL, 0, read_begin },
	{ "exported", GIVEN_END, end_fields, NULL, 0, NULL },
};

int
given_read(const struct json *v, struct arena *a, struct given *out, struct err *err)
{
	const char *type = json_get_string(v, "type", NULL);
	void *to;

	memset(out, 0, sizeof(*out));
	out->user = "";
	if (v->kind != JSON_OBJECT || type == NULL)
		return err_set(err, ERR_DATA,
		    "no record of an export: mem-ingest reads what other programs wrote");
	for (size_t i = 0; i < NELEM(readers); i++) {
		if (strcmp(readers[i].type, type) != 0)
			continue;
		const struct reader *r = &readers[i];
		to = (char *)out + r->at;
		out->kind = r->kind;
		out->has_sha256 = json_get(v, "sha256") != NULL;
		if ((!given_is_of_all(out->kind) && text_of(v, "user", &out->user, err) != 0) ||
		    fields_read(v, r->fields, to, a, err) != 0 ||
		    (r->more != NULL && fields_read(v, r->more, to, a, err) != 0))
			return -1;
		return r->rest != NULL ? r->rest(v, a, out, err) : 0;
	}
	return err_set(err, ERR_DATA, "a record of type '%.100s' is not in an export", type);
}
