/*
 * given.c: one reader a kind of record, in a table by its type. Keys that are not ours stay with
 * messages and records, as when they were stored first.
 */
#include "transfer/given.h"

#include "base/conf.h"

/* ---- single keys ---- */

static int
not_a(struct err *err, const char *key, const char *what)
{
	return err_set(err, ERR_DATA, "\"%s\" is not %s", key, what);
}

/* A text, "" where there is none. */
static int
text_of(const struct json *v, const char *key, const char **out, struct err *err)
{
	const struct json *m = json_get(v, key);

	*out = "";
	if (m == NULL || m->kind == JSON_NULL)
		return 0;
	if (m->kind != JSON_STRING)
		return not_a(err, key, "a string");
	*out = m->u.string;
	return 0;
}

/* One that is not empty. */
static int
some_text(const struct json *v, const char *key, const char **out, struct err *err)
{
	if (text_of(v, key, out, err) != 0)
		return -1;
	return **out != '\0' ? 0 : err_set(err, ERR_DATA, "no \"%s\"", key);
}

/* A text of id_bytes at most. */
static int
name_of(const struct json *v, const char *key, const char **out, struct err *err)
{
	if (text_of(v, key, out, err) != 0)
		return -1;
	return strlen(*out) <= conf_caps.id_bytes
	    ? 0
	    : err_set(err, ERR_DATA, "\"%s\" is over %zu bytes", key, conf_caps.id_bytes);
}

static int
time_of(const struct json *v, const char *key, int64_t *us, struct err *err)
{
	const char *text;

	*us = TIME_NONE;
	if (text_of(v, key, &text, err) != 0)
		return -1;
	return *text == '\0' || time_parse(text, strlen(text), us, NULL) == 0
	    ? 0
	    : not_a(err, key, "a time");
}

/* A time that must be there. */
static int
some_time(const struct json *v, const char *key, int64_t *us, struct err *err)
{
	if (time_of(v, key, us, err) != 0)
		return -1;
	return *us != TIME_NONE ? 0 : err_set(err, ERR_DATA, "no \"%s\"", key);
}

/* A whole number from low to high, otherwise where there is none. */
static int
int_of(const struct json *v, const char *key, int64_t low, int64_t high, int64_t otherwise,
	int64_t *out, struct err *err)
{
	const struct json *m = json_get(v, key);

	*out = otherwise;
	if (m == NULL || m->kind == JSON_NULL)
		return 0;
	if (m->kind != JSON_NUMBER || !(m->u.number >= (double)low && m->u.number <= (double)high))
		return not_a(err, key, "a number that it may be");
	*out = (int64_t)m->u.number;
	return 0;
}

static int
share_of(const struct json *v, const char *key, double *out, struct err *err)
{
	const struct json *m = json_get(v, key);

	*out = 0;
	if (m == NULL || m->kind != JSON_NUMBER || !(m->u.number >= 0 && m->u.number <= 1))
		return not_a(err, key, "a number from 0 to 1");
	*out = m->u.number;
	return 0;
}

/* One of some words, by its number. */
static int
word_of(const struct json *v, const char *key, int (*parse)(const char *), int *out,
	struct err *err)
{
	const char *text;

	if (some_text(v, key, &text, err) != 0)
		return -1;
	return (*out = parse(text)) >= 0 ? 0
					 : err_set(err, ERR_DATA, "unknown %s '%.100s'", key, text);
}

static int
id_of(const struct json *v, const char *key, char out[ID_TEXT], struct err *err)
{
	uint8_t ulid[ID_BYTES];
	const char *text;

	if (some_text(v, key, &text, err) != 0)
		return -1;
	if (id_parse(text, strlen(text), ulid) != 0)
		return not_a(err, key, "an id");
	id_format(ulid, out);
	return 0;
}

/* The same, "" where there is none. */
static int
maybe_id(const struct json *v, const char *key, char out[ID_TEXT], struct err *err)
{
	out[0] = '\0';
	return json_get(v, key) == NULL ? 0 : id_of(v, key, out, err);
}

/* 1 + the value of each digit; 0: it is none. */
static const uint8_t nibbles[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8,
	['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15,
	['f'] = 16
};

/* n bytes of hexadecimal digits; *has false: there is no such key. */
static int
hex_of(const struct json *v, const char *key, uint8_t *out, size_t n, bool *has, struct err *err)
{
	const char *text;
	bool good = true;

	*has = json_get(v, key) != NULL;
	if (!*has)
		return 0;
	if (text_of(v, key, &text, err) != 0 || strlen(text) != 2 * n)
		return not_a(err, key, "so many hexadecimal digits");
	for (size_t i = 0; i < n; i++) {
		uint8_t high = nibbles[(uint8_t)text[2 * i]];
		uint8_t low = nibbles[(uint8_t)text[2 * i + 1]];

		good &= high > 0 && low > 0;
		out[i] = (uint8_t)((high - 1) * 16 + low - 1);
	}
	return good ? 0 : not_a(err, key, "hexadecimal digits");
}

/* JSON of a kind as text; "" where there is none. */
static int
json_of(const struct json *v, const char *key, int kind, struct arena *a, const char **out,
	struct err *err)
{
	const struct json *m = json_get(v, key);
	struct buf b;

	*out = "";
	if (m == NULL || m->kind == JSON_NULL)
		return 0;
	if (kind >= 0 && (int)m->kind != kind)
		return not_a(err, key, kind == JSON_ARRAY ? "an array" : "an object");
	buf_init(&b, conf_caps.output_bytes);
	json_write(&b, m);
	*out = arena_strndup(a, b.data, b.len);
	buf_release(&b);
	return 0;
}

static bool
is_one_of(const char *key, const char *const keys[])
{
	for (size_t i = 0; keys[i] != NULL; i++)
		if (keys[i][0] == key[0] && keys[i][1] == key[1] && strcmp(keys[i], key) == 0)
			return true;
	return false;
}

/* The members whose keys are none of ours, as an object; "" for none. */
static const char *
others(const struct json *v, const char *const ours[], struct arena *a)
{
	const char *text = "";
	struct buf b;
	size_t first = 0;

	while (first < v->len && is_one_of(v->u.members[first].key, ours))
		first++;
	if (first == v->len)
		return text;
	buf_init(&b, conf_caps.output_bytes);
	for (size_t i = first; i < v->len; i++) {
		const struct json_member *m = &v->u.members[i];

		if (is_one_of(m->key, ours))
			continue;
		buf_addc(&b, b.len == 0 ? '{' : ',');
		json_write_string(&b, m->key, m->key_len);
		buf_addc(&b, ':');
		json_write(&b, &m->value);
	}
	buf_addc(&b, '}');
	text = arena_strndup(a, b.data, b.len);
	buf_release(&b);
	return text;
}

static int
content_of(const struct json *v, const char **content, size_t *len, struct err *err)
{
	const struct json *m = json_get(v, "content");

	if (m == NULL || m->kind != JSON_STRING)
		return err_set(err, ERR_DATA, "no \"content\" with a text");
	*content = m->u.string;
	*len = m->len;
	return 0;
}

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
	return name_of(v, "agent", agent, err) != 0 || name_of(v, "project", project, err) != 0
	    ? -1
	    : name_of(v, "session", session, err);
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

	if (id_of(v, "id", m->id, err) != 0 ||
	    read_scope(v, &m->agent, &m->project, &m->session, err) != 0 ||
	    word_of(v, "role", role_named, &role, err) != 0 ||
	    word_of(v, "origin", origin_parse, &origin, err) != 0 ||
	    int_of(v, "trust", 0, 3, origin_trust((enum origin)origin), &trust, err) != 0 ||
	    int_of(v, "turn", 0, (int64_t)1 << 40, 0, &m->turn, err) != 0 ||
	    int_of(v, "tokens", 0, UINT32_MAX, 0, &tokens, err) != 0 ||
	    time_of(v, "time", &m->time_us, err) != 0 ||
	    some_time(v, "stored", &m->stored_us, err) != 0 ||
	    name_of(v, "source_id", &m->source_id, err) != 0 ||
	    name_of(v, "name", &m->name, err) != 0 ||
	    text_of(v, "tool_call_id", &m->tool_call_id, err) != 0 ||
	    content_of(v, &m->content, &m->content_len, err) != 0 ||
	    json_of(v, "tool_calls", -1, a, &m->tool_calls, err) != 0 ||
	    hex_of(v, "sha256", g->sha256, SHA256_BYTES, &g->has_sha256, err) != 0 ||
	    hex_of(v, "place_hash", m->place, PLACE_BYTES, &has_place, err) != 0)
		return -1;
	if (*m->session == '\0')
		return err_set(err, ERR_DATA, "no \"session\"");
	m->role = (enum role)role;
	m->origin = (enum origin)origin;
	m->trust = (int)trust;
	m->n_tokens = (unsigned)tokens;
	m->position = (uint64_t)m->turn;
	m->given = true;
	m->extra = others(v, ours, a);
	return 0;
}

static int
read_session(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	const struct json *again = json_get(v, "again");
	struct session *s = &g->session;

	s->again = again != NULL && again->kind == JSON_TRUE;
	if (read_scope(v, &s->agent, &s->project, &s->id, err) != 0 ||
	    text_of(v, "title", &s->title, err) != 0 ||
	    text_of(v, "system_prompt", &s->system_prompt, err) != 0 ||
	    time_of(v, "created", &s->created_us, err) != 0 ||
	    time_of(v, "updated", &s->updated_us, err) != 0 ||
	    time_of(v, "told", &s->told_us, err) != 0 ||
	    json_of(v, "metadata", JSON_OBJECT, a, &s->metadata, err) != 0)
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
	if (id_of(v, "id", st->id, err) != 0 || maybe_id(v, "undoes", st->undoes, err) != 0 ||
	    some_time(v, "time", &st->step.time_us, err) != 0 ||
	    word_of(v, "did", step_named, &did, err) != 0 ||
	    name_of(v, "agent", &st->step.agent, err) != 0 ||
	    text_of(v, "why", &st->step.why, err) != 0)
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
		return not_a(err, "sources", "an array, or has too many");
	h->sources = all = arena_zalloc(a, (list->len + 1) * sizeof(*all));
	for (h->n_sources = 0; h->n_sources < list->len; h->n_sources++) {
		const struct json *from = &list->u.items[h->n_sources];
		struct record_source *to = &all[h->n_sources];

		if (name_of(from, "id", &to->id, err) != 0 || *to->id == '\0' ||
		    int_of(from, "start", 0, INT32_MAX, 0, &to->start, err) != 0 ||
		    int_of(from, "length", 0, INT32_MAX, 0, &to->length, err) != 0)
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

	if (id_of(v, "id", h->id, err) != 0 ||
	    read_scope(v, &h->agent, &h->project, &h->session, err) != 0 ||
	    word_of(v, "origin", origin_parse, &origin, err) != 0 ||
	    int_of(v, "trust", 0, 3, origin_trust((enum origin)origin), &trust, err) != 0 ||
	    time_of(v, "time", &h->time_us, err) != 0 ||
	    some_time(v, "stored", &h->stored_us, err) != 0 ||
	    time_of(v, "retracted", &h->retracted_us, err) != 0 ||
	    name_of(v, "source_id", &h->source_id, err) != 0 ||
	    content_of(v, &h->content, &h->content_len, err) != 0 ||
	    json_of(v, "tags", JSON_ARRAY, a, &h->tags, err) != 0)
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

	if (maybe_id(v, key, id, err) != 0)
		return -1;
	*out = arena_strdup(a, id);
	return 0;
}

static int
read_fact(const struct json *v, struct arena *a, struct fact *f, struct err *err)
{
	int root, kind;

	if (name_of(v, "key", &f->key, err) != 0 || name_of(v, "bank", &f->bank, err) != 0 ||
	    name_of(v, "subcategory", &f->subcategory, err) != 0 ||
	    word_of(v, "category", fact_root_parse, &root, err) != 0 ||
	    word_of(v, "kind", fact_kind_parse, &kind, err) != 0 ||
	    share_of(v, "importance", &f->importance, err) != 0 ||
	    share_of(v, "confidence", &f->confidence, err) != 0 ||
	    time_of(v, "valid_from", &f->valid_from_us, err) != 0 ||
	    time_of(v, "valid_to", &f->valid_to_us, err) != 0 ||
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

	if (word_of(v, "kind", summary_kind_parse, &kind, err) != 0 ||
	    int_of(v, "first", 0, (int64_t)1 << 40, TIME_NONE, &s->first, err) != 0 ||
	    int_of(v, "last", 0, (int64_t)1 << 40, TIME_NONE, &s->last, err) != 0 ||
	    text_of(v, "model", &s->model, err) != 0)
		return -1;
	s->kind = (enum summary_kind)kind;
	return json_of(v, "structured", JSON_OBJECT, a, &s->structured, err);
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
	    maybe_id(v, "by_step", g->step.id, err) != 0 ||
	    (f->head.type == RECORD_FACT && read_fact(v, a, f, err) != 0) ||
	    (f->head.type == RECORD_SUMMARY && read_summary(v, a, &f->summary, err) != 0))
		return -1;
	f->head.extra = others(v, f->head.type == RECORD_SUMMARY ? summary_keys : head_keys, a);
	return 0;
}

static int
read_gone(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	(void)a;
	return id_of(v, "id", g->fact.head.id, err) != 0
	    ? -1
	    : id_of(v, "by_step", g->step.id, err);
}

/* ---- the rest ---- */

static int
read_access(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	(void)a;
	return id_of(v, "id", g->access.id, err) != 0 ||
		some_time(v, "accessed", &g->access.accessed_us, err) != 0
	    ? -1
	    : int_of(v, "accesses", 0, (int64_t)1 << 52, 1, &g->access.n_accesses, err);
}

static int
read_category(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	struct category *c = &g->category;
	int root;

	if (id_of(v, "id", c->id, err) != 0 ||
	    word_of(v, "root", fact_root_parse, &root, err) != 0 ||
	    name_of(v, "name", &c->name, err) != 0 ||
	    json_of(v, "keywords", JSON_ARRAY, a, &c->keywords, err) != 0 ||
	    some_time(v, "time", &c->updated_us, err) != 0)
		return -1;
	c->root = (enum fact_root)root;
	if (*c->keywords == '\0')
		c->keywords = "[]";
	return some_time(v, "created", &c->created_us, err);
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
	if (id_of(v, "id", g->member.id, err) != 0 ||
	    id_of(v, "category", g->member.category, err) != 0 ||
	    word_of(v, "kind", member_kind, &kind, err) != 0)
		return -1;
	g->member.kind = (enum vector_kind)kind;
	return 0;
}

static int
read_profile(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	(void)a;
	return word_of(v, "field", about_field_parse, &g->about.field, err) != 0 ||
		some_text(v, "value", &g->about.value, err) != 0
	    ? -1
	    : some_time(v, "time", &g->about.updated_us, err);
}

static int
read_consent(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	const struct json *yes = json_get(v, "consent");

	(void)a;
	if (yes == NULL || (yes->kind != JSON_TRUE && yes->kind != JSON_FALSE))
		return not_a(err, "consent", "true or false");
	g->number = yes->kind == JSON_TRUE;
	return some_time(v, "time", &g->time_us, err);
}

static int
read_tombstone(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	bool has;

	(void)a;
	if (hex_of(v, "key", g->key, TOMBSTONE_BYTES, &has, err) != 0)
		return -1;
	return has ? 0 : err_set(err, ERR_DATA, "no \"key\"");
}

static int
mark_of(const struct json *v, const char *key, struct mark *out, struct err *err)
{
	const char *text;

	if (some_text(v, key, &text, err) != 0)
		return -1;
	return mark_parse(text, strlen(text), out) == 0 ? 0 : not_a(err, key, "a mark");
}

static int
read_begin(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	struct news_head *h = &g->news;
	const struct json *lost = json_get(v, "lost");

	(void)a;
	if (int_of(v, "v", 1, (int64_t)1 << 30, 1, &g->number, err) != 0 ||
	    maybe_id(v, "store", h->store, err) != 0)
		return -1;
	if (*h->store == '\0')
		return 0;
	h->lost = lost != NULL && lost->kind == JSON_TRUE;
	return name_of(v, "name", &h->name, err) != 0 || some_text(v, "user", &h->user, err) != 0 ||
		maybe_id(v, "for", h->for_store, err) != 0 ||
		int_of(v, "since", 0, (int64_t)1 << 52, 0, &h->since, err) != 0 ||
		mark_of(v, "mark", &h->mark, err) != 0
	    ? -1
	    : mark_of(v, "has", &h->has, err);
}

static int
read_end(const struct json *v, struct arena *a, struct given *g, struct err *err)
{
	(void)a;
	return int_of(v, "records", 0, (int64_t)1 << 52, -1, &g->number, err) != 0
	    ? -1
	    : hex_of(v, "sha256", g->sha256, SHA256_BYTES, &g->has_sha256, err);
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
		if (out->kind != GIVEN_HEAD && out->kind != GIVEN_END &&
		    some_text(v, "user", &out->user, err) != 0)
			return -1;
		return readers[i].read(v, a, out, err);
	}
	return err_set(err, ERR_DATA, "a record of type '%.100s' is not in an export", type);
}
