/*
 * given.c: one reader a kind of record, in a table by its type. Keys that are not ours stay with
 * messages and records, as when they were stored first.
 */
#include "transfer/given.h"

#include <math.h>

#include "transfer/given_keys.h"

/* ---- messages and sessions ---- */

static int
role_named(const char *text)
{
	for (int i = ROLE_USER; i <= ROLE_OTHER; i++)
		if (strcmp(role_names[i], text) == 0)
			return i;
	return -1;
}

static int
read_scope(const struct json *v, const char **agent, const char **project, const char **session,
	struct err *err)
{
	return given_name_of(v, "agent", agent, err) != 0 ||
		given_name_of(v, "project", project, err) != 0
	    ? -1
	    : given_name_of(v, "session", session, err);
}

static int
read_message(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	static const char *const ours[] = { "type", "id", "user", "time", "agent", "project",
		"session", "origin", "trust", "source_id", "turn", "role", "name", "content",
		"tool_calls", "tool_call_id", "tokens", "sha256", "stored", "place_hash", "near",
		NULL };
	struct message *m = &g->message;
	int64_t trust, tokens;
	int role, origin;
	bool has_place;

	if (given_id_of(v, "id", m->id, err) != 0 ||
	    read_scope(v, &m->agent, &m->project, &m->session, err) != 0 ||
	    given_word_of(v, "role", role_named, &role, err) != 0 ||
	    given_word_of(v, "origin", origin_parse, &origin, err) != 0 ||
	    given_int_of(v, "trust", 0, 3, origin_trust((enum origin)origin), &trust, err) != 0 ||
	    given_int_of(v, "turn", 0, (int64_t)1 << 40, 0, &m->turn, err) != 0 ||
	    given_int_of(v, "tokens", 0, UINT32_MAX, 0, &tokens, err) != 0 ||
	    given_time_of(v, "time", &m->time_us, err) != 0 ||
	    given_some_time(v, "stored", &m->stored_us, err) != 0 ||
	    given_name_of(v, "source_id", &m->source_id, err) != 0 ||
	    given_name_of(v, "name", &m->name, err) != 0 ||
	    given_text_of(v, "tool_call_id", &m->tool_call_id, err) != 0 ||
	    given_content_of(v, &m->content, &m->content_len, err) != 0 ||
	    given_json_of(v, "tool_calls", -1, a, &m->tool_calls, err) != 0 ||
	    given_hex_of(v, "sha256", g->sha256, SHA256_BYTES, &g->has_sha256, err) != 0 ||
	    given_hex_of(v, "place_hash", m->place, PLACE_BYTES, &has_place, err) != 0)
		return -1;
	if (*m->session == '\0')
		return err_set(err, ERR_DATA, "no \"session\"");
	m->role = (enum role)role;
	m->origin = (enum origin)origin;
	m->trust = (int)trust;
	m->n_tokens = (unsigned)tokens;
	m->position = (uint64_t)m->turn;
	m->given = true;
	m->extra = given_others(v, ours, a);
	return 0;
}

static int
read_session(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	const struct json *again = json_get(v, "again");
	struct session *s = &g->session;

	s->again = again != NULL && again->kind == JSON_TRUE;
	if (read_scope(v, &s->agent, &s->project, &s->id, err) != 0 ||
	    given_text_of(v, "title", &s->title, err) != 0 ||
	    given_text_of(v, "system_prompt", &s->system_prompt, err) != 0 ||
	    given_time_of(v, "created", &s->created_us, err) != 0 ||
	    given_time_of(v, "updated", &s->updated_us, err) != 0 ||
	    given_time_of(v, "told", &s->told_us, err) != 0 ||
	    given_json_of(v, "metadata", JSON_OBJECT, a, &s->metadata, err) != 0)
		return -1;
	return *s->id != '\0' ? 0 : err_set(err, ERR_DATA, "no \"session\"");
}

/* ---- steps and records ---- */

static int
step_named(const char *text)
{
	for (int i = STEP_STORE; i <= STEP_UNDO; i++)
		if (strcmp(step_names[i], text) == 0)
			return i;
	return -1;
}

static int
read_step(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	struct step_given *st = &g->step;
	int did;

	(void)a;
	if (given_id_of(v, "id", st->id, err) != 0 ||
	    given_maybe_id(v, "undoes", st->undoes, err) != 0 ||
	    given_some_time(v, "time", &st->step.time_us, err) != 0 ||
	    given_word_of(v, "did", step_named, &did, err) != 0 ||
	    given_name_of(v, "agent", &st->step.agent, err) != 0 ||
	    given_text_of(v, "why", &st->step.why, err) != 0)
		return -1;
	st->step.did = (enum step_did)did;
	return 0;
}

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
		return given_not_a(err, "sources", "an array, or has too many");
	h->sources = all = arena_zalloc(a, (list->len + 1) * sizeof(*all));
	for (h->n_sources = 0; h->n_sources < list->len; h->n_sources++) {
		const struct json *from = &list->u.items[h->n_sources];
		struct record_source *to = &all[h->n_sources];

		if (given_name_of(from, "id", &to->id, err) != 0 || *to->id == '\0' ||
		    given_int_of(from, "start", 0, INT32_MAX, 0, &to->start, err) != 0 ||
		    given_int_of(from, "length", 0, INT32_MAX, 0, &to->length, err) != 0)
			return err_set(err, ERR_DATA, "a source without an id or with no span");
	}
	return 0;
}

static int
read_head(const struct json *v, struct arena *a, struct record_head *h, struct err *err)
{
	const struct json *protected = json_get(v, "protected");
	int64_t trust;
	int origin;

	if (given_id_of(v, "id", h->id, err) != 0 ||
	    read_scope(v, &h->agent, &h->project, &h->session, err) != 0 ||
	    given_word_of(v, "origin", origin_parse, &origin, err) != 0 ||
	    given_int_of(v, "trust", 0, 3, origin_trust((enum origin)origin), &trust, err) != 0 ||
	    given_time_of(v, "time", &h->time_us, err) != 0 ||
	    given_some_time(v, "stored", &h->stored_us, err) != 0 ||
	    given_time_of(v, "retracted", &h->retracted_us, err) != 0 ||
	    given_name_of(v, "source_id", &h->source_id, err) != 0 ||
	    given_content_of(v, &h->content, &h->content_len, err) != 0 ||
	    given_json_of(v, "tags", JSON_ARRAY, a, &h->tags, err) != 0)
		return -1;
	h->origin = (enum origin)origin;
	h->trust = (int)trust;
	h->guarded = protected != NULL && protected->kind == JSON_TRUE;
	return read_sources(v, a, h, err);
}

static int
maybe_id_text(const struct json *v, const char *key, struct arena *a, const char **out,
	struct err *err)
{
	char id[ID_TEXT];

	if (given_maybe_id(v, key, id, err) != 0)
		return -1;
	*out = arena_strdup(a, id);
	return 0;
}

static int
read_fact(const struct json *v, struct arena *a, struct fact *f, struct err *err)
{
	int root, kind;

	if (given_name_of(v, "key", &f->key, err) != 0 ||
	    given_name_of(v, "bank", &f->bank, err) != 0 ||
	    given_name_of(v, "subcategory", &f->subcategory, err) != 0 ||
	    given_word_of(v, "category", fact_root_parse, &root, err) != 0 ||
	    given_word_of(v, "kind", fact_kind_parse, &kind, err) != 0 ||
	    given_share_of(v, "importance", &f->importance, err) != 0 ||
	    given_share_of(v, "confidence", &f->confidence, err) != 0 ||
	    given_time_of(v, "valid_from", &f->valid_from_us, err) != 0 ||
	    given_time_of(v, "valid_to", &f->valid_to_us, err) != 0 ||
	    maybe_id_text(v, "superseded_by", a, &f->superseded_by, err) != 0 ||
	    maybe_id_text(v, "summarized", a, &f->summarized, err) != 0)
		return -1;
	f->category = (enum fact_root)root;
	f->kind = (enum fact_kind)kind;
	return 0;
}

static int
read_summary(const struct json *v, struct arena *a, struct summary_keys *s, struct err *err)
{
	int kind;

	if (given_word_of(v, "kind", summary_kind_parse, &kind, err) != 0 ||
	    given_int_of(v, "first", 0, (int64_t)1 << 40, TIME_NONE, &s->first, err) != 0 ||
	    given_int_of(v, "last", 0, (int64_t)1 << 40, TIME_NONE, &s->last, err) != 0 ||
	    given_text_of(v, "model", &s->model, err) != 0)
		return -1;
	s->kind = (enum summary_kind)kind;
	return given_json_of(v, "structured", JSON_OBJECT, a, &s->structured, err);
}

static const char *const head_keys[] = { "type", "id", "user", "time", "agent", "project",
	"session", "origin", "trust", "sources", "source_id", "content", "tags", "protected",
	"retracted", "accessed", "accesses", "stored", "history", "by_step", "kind", "key", "bank",
	"category", "subcategory", "importance", "confidence", "valid_from", "valid_to",
	"supersedes", "superseded_by", "summarized", NULL };
static const char *const summary_keys[] = { "type", "id", "user", "time", "agent", "project",
	"session", "origin", "trust", "sources", "source_id", "content", "tags", "protected",
	"retracted", "accessed", "accesses", "stored", "history", "by_step", "kind", "first",
	"last", "model", "structured", "stale", NULL };

static int
read_record(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	const char *type = json_get_string(v, "type", NULL);
	struct fact *f = &g->fact;

	f->key = f->bank = f->subcategory = f->superseded_by = f->summarized = f->found_in = "";
	f->summary.model = f->summary.structured = "";
	f->summary.first = f->summary.last = TIME_NONE;
	f->valid_from_us = f->valid_to_us = TIME_NONE;
	f->head.type = *type == 'f' ? RECORD_FACT
	    : *type == 's'	    ? RECORD_SUMMARY
				    : RECORD_REFLECTION;
	if (read_head(v, a, &f->head, err) != 0 ||
	    given_maybe_id(v, "by_step", g->step.id, err) != 0 ||
	    (f->head.type == RECORD_FACT && read_fact(v, a, f, err) != 0) ||
	    (f->head.type == RECORD_SUMMARY && read_summary(v, a, &f->summary, err) != 0))
		return -1;
	f->head.extra = given_others(v, f->head.type == RECORD_SUMMARY ? summary_keys : head_keys,
	    a);
	return 0;
}

static int
read_gone(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	(void)a;
	return given_id_of(v, "id", g->fact.head.id, err) != 0
	    ? -1
	    : given_id_of(v, "by_step", g->step.id, err);
}

/* ---- the rest ---- */

static int
read_access(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	(void)a;
	return given_id_of(v, "id", g->access.id, err) != 0 ||
		given_some_time(v, "accessed", &g->access.accessed_us, err) != 0
	    ? -1
	    : given_int_of(v, "accesses", 0, (int64_t)1 << 52, 1, &g->access.n_accesses, err);
}

static int
read_category(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	struct category *c = &g->category;
	int root;

	if (given_id_of(v, "id", c->id, err) != 0 ||
	    given_word_of(v, "root", fact_root_parse, &root, err) != 0 ||
	    given_name_of(v, "name", &c->name, err) != 0 ||
	    given_json_of(v, "keywords", JSON_ARRAY, a, &c->keywords, err) != 0 ||
	    given_some_time(v, "time", &c->updated_us, err) != 0)
		return -1;
	c->root = (enum fact_root)root;
	if (*c->keywords == '\0')
		c->keywords = "[]";
	return given_some_time(v, "created", &c->created_us, err);
}

static int
member_kind(const char *text)
{
	static const char *const kinds[] = { "message", "fact", "summary", "reflection" };

	for (size_t i = 0; i < NELEM(kinds); i++)
		if (strcmp(kinds[i], text) == 0)
			return (int)i;
	return -1;
}

static int
read_member(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	int kind;

	(void)a;
	if (given_id_of(v, "id", g->member.id, err) != 0 ||
	    given_id_of(v, "category", g->member.category, err) != 0 ||
	    given_word_of(v, "kind", member_kind, &kind, err) != 0)
		return -1;
	g->member.kind = (enum vector_kind)kind;
	return 0;
}

static int
read_profile(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	(void)a;
	return given_word_of(v, "field", about_field_parse, &g->about.field, err) != 0 ||
		given_some_text(v, "value", &g->about.value, err) != 0
	    ? -1
	    : given_some_time(v, "time", &g->about.updated_us, err);
}

static int
read_consent(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	const struct json *yes = json_get(v, "consent");

	(void)a;
	if (yes == NULL || (yes->kind != JSON_TRUE && yes->kind != JSON_FALSE))
		return given_not_a(err, "consent", "true or false");
	g->number = yes->kind == JSON_TRUE;
	return given_some_time(v, "time", &g->time_us, err);
}

static int
read_tombstone(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	bool has;

	(void)a;
	if (given_hex_of(v, "key", g->key, TOMBSTONE_BYTES, &has, err) != 0)
		return -1;
	return has ? 0 : err_set(err, ERR_DATA, "no \"key\"");
}

/* ---- vectors ---- */

static int
read_model(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	struct vector_model *m = &g->model;
	const struct json *unrelated = json_get(v, "unrelated");
	const char *name;
	uint8_t *bytes = NULL;
	int64_t dims;
	size_t n;
	float *c;

	if (given_some_text(v, "model", &name, err) != 0 ||
	    given_sha256_of(v, "sha256", m->sha256, err) != 0 ||
	    given_int_of(v, "dims", 1, INT32_MAX, 0, &dims, err) != 0 ||
	    given_bytes_of(json_get(v, "centre"), "centre", a, &bytes, &n, err) != 0)
		return -1;
	if (strlen(name) >= sizeof(m->name) || dims == 0)
		return given_not_a(err, dims == 0 ? "dims" : "model", "one that a model may have");
	if (unrelated == NULL || unrelated->kind != JSON_NUMBER || !(fabs(unrelated->u.number) < 1))
		return given_not_a(err, "unrelated", "a number from -1 to 1");
	snprintf(m->name, sizeof(m->name), "%s", name);
	m->n_dims = (uint32_t)dims;
	m->unrelated = (float)unrelated->u.number;
	if (n == 0)
		return 0;
	if (n != 4 * (size_t)dims)
		return given_not_a(err, "centre", "of so many dimensions");
	m->centre = c = arena_alloc(a, n);
	for (size_t i = 0; i < (size_t)dims; i++) {
		uint32_t bits = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
		    (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;

		memcpy(&c[i], &bits, 4);
	}
	return 0;
}

static int
read_vectors(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	const struct json *parts = json_get(v, "parts");
	struct vectors_given *w = &g->vectors;
	uint8_t *all = NULL, *part;
	size_t n;
	int kind;

	if (given_id_of(v, "id", w->id, err) != 0 ||
	    given_word_of(v, "kind", member_kind, &kind, err) != 0 ||
	    given_sha256_of(v, "model", w->model, err) != 0 ||
	    given_sha256_of(v, "of", w->of, err) != 0)
		return -1;
	if (parts == NULL || parts->kind != JSON_ARRAY || parts->len == 0)
		return given_not_a(err, "parts", "an array of vectors");
	w->kind = (enum vector_kind)kind;
	w->n_parts = parts->len;
	for (size_t i = 0; i < parts->len; i++) {
		if (given_bytes_of(&parts->u.items[i], "parts", a, &part, &n, err) != 0)
			return -1;
		if (i == 0) {
			w->part_bytes = n;
			all = arena_alloc(a, n * parts->len);
		} else if (n != w->part_bytes) {
			return given_not_a(err, "parts", "vectors of one length");
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

	if (given_some_text(v, key, &text, err) != 0)
		return -1;
	return mark_parse(text, strlen(text), out) == 0 ? 0 : given_not_a(err, key, "a mark");
}

static int
read_begin(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	struct news_head *h = &g->news;
	const struct json *lost = json_get(v, "lost");

	(void)a;
	if (given_int_of(v, "v", 1, (int64_t)1 << 30, 1, &g->number, err) != 0 ||
	    given_maybe_id(v, "store", h->store, err) != 0)
		return -1;
	if (*h->store == '\0')
		return 0;
	h->lost = lost != NULL && lost->kind == JSON_TRUE;
	return given_name_of(v, "name", &h->name, err) != 0 ||
		given_some_text(v, "user", &h->user, err) != 0 ||
		given_maybe_id(v, "for", h->for_store, err) != 0 ||
		given_int_of(v, "since", 0, (int64_t)1 << 52, 0, &h->since, err) != 0 ||
		mark_of(v, "mark", &h->mark, err) != 0
	    ? -1
	    : mark_of(v, "has", &h->has, err);
}

static int
read_end(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	(void)a;
	return given_int_of(v, "records", 0, (int64_t)1 << 52, -1, &g->number, err) != 0
	    ? -1
	    : given_hex_of(v, "sha256", g->sha256, SHA256_BYTES, &g->has_sha256, err);
}

static const struct reader {
	const char *type;
	enum given_kind kind;
	int (*read)(const struct json *v, struct arena *a, struct given *g, struct err *err);
} readers[] = {
	{ "message", GIVEN_MESSAGE, read_message },
	{ "session", GIVEN_SESSION, read_session },
	{ "step", GIVEN_STEP, read_step },
	{ "fact", GIVEN_RECORD, read_record },
	{ "summary", GIVEN_RECORD, read_record },
	{ "reflection", GIVEN_RECORD, read_record },
	{ "gone", GIVEN_GONE, read_gone },
	{ "access", GIVEN_ACCESS, read_access },
	{ "category", GIVEN_CATEGORY, read_category },
	{ "member", GIVEN_MEMBER, read_member },
	{ "profile", GIVEN_PROFILE, read_profile },
	{ "consent", GIVEN_CONSENT, read_consent },
	{ "vector_set", GIVEN_MODEL, read_model },
	{ "vectors", GIVEN_VECTORS, read_vectors },
	{ "tombstone", GIVEN_TOMBSTONE, read_tombstone },
	{ "export", GIVEN_HEAD, read_begin },
	{ "exported", GIVEN_END, read_end },
};

int
given_read(const struct json *v, struct arena *a, struct given *out, struct err *err)
{
	const char *type = json_get_string(v, "type", NULL);

	memset(out, 0, sizeof(*out));
	out->user = "";
	if (v->kind != JSON_OBJECT || type == NULL)
		return err_set(err, ERR_DATA,
		    "no record of an export: mem-ingest reads what other programs wrote");
	for (size_t i = 0; i < NELEM(readers); i++) {
		if (strcmp(readers[i].type, type) != 0)
			continue;
		out->kind = readers[i].kind;
		if (!given_is_of_all(out->kind) &&
		    given_some_text(v, "user", &out->user, err) != 0)
			return -1;
		return readers[i].read(v, a, out, err);
	}
	return err_set(err, ERR_DATA, "a record of type '%.100s' is not in an export", type);
}
