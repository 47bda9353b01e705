/*
 * fact_record.c: reads facts and reflections from JSON. Keys that are not fields of ours are kept
 * as they are in extra and written out again, so that a record survives a round trip.
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/conf.h"
#include "base/order.h"
#include "clean/clean_text.h"
#include "facts/fact_record.h"
#include "facts/made.h"
#include "statement/likeness_words.h"
#include "statement/reading.h"
#include "statement/sentence.h"
#include "statement/statement.h"
#include "statement/vouch.h"
#include "text/words.h"

#define MEMBERS_MOST 4096
#define TRUST_MOST   3
/* importance of what says who somebody is: their home, work, diet (schema/cues/slots.txt) */
#define OF_WHO       .85

struct fact_reader { struct cleaner cleaner; };

struct fact_rules
fact_rules_of(const struct scope *who, enum record_type type)
{
	return (struct fact_rules){ .user = who->user, .agent = who->agent,
		.project = who->project, .session = "", .type = type, .key = "", .bank = "",
		.category = "", .kind = "", .valid_from = "", .valid_to = "", .tags = "",
		.importance = -1, .confidence = -1, .now_us = clock_now_us() };
}

struct fact_reader *
fact_reader_new(void)
{
	struct fact_reader *r = xcalloc(1, sizeof(*r));

	cleaner_init(&r->cleaner);
	return r;
}

void
fact_reader_free(struct fact_reader *r)
{
	if (r == NULL)
		return;
	cleaner_release(&r->cleaner);
	free(r);
}

unsigned
fact_reader_redacted(const struct fact_reader *r)
{
	return r->cleaner.n_redacted;
}

/* ---- keys, banks and kinds ---- */

const char *
fact_key_clean(const char *key, struct arena *a)
{
	size_t len = strlen(key), n = 0;
	char *out = arena_alloc(a, 3 * len + 1);
	bool gap = false;

	len = words_fold(key, len, out);
	for (size_t i = 0; i < len; i++) {
		if (ascii_is_space(out[i]) || out[i] == '_') {
			gap = n > 0;
			continue;
		}
		/* writing in place is safe: n never passes i */
		if (gap)
			out[n++] = '_';
		gap = false;
		out[n++] = out[i];
	}
	out[n] = '\0';
	return out;
}

const char *
fact_bank_named(const char *name, struct arena *a)
{
	const char *p = conf_text("banks"), *usual = conf_text("bank");

	if (*name == '\0' && *usual != '\0' &&
	    (usual = fact_bank_named(usual, a)) != NULL)
		return usual;
	for (;;) {
		size_t n;
		p += strspn(p, " ,");
		n = strcspn(p, " ,");
		if (n == 0)
			return *name == '\0' ? "General" : NULL;
		if (*name == '\0' || ascii_is(p, n, name))
			return arena_strndup(a, p, n);
		p += n;
	}
}

const char *
fact_bank_or_default(const char *name, void (*warn)(void *arg, const char *text), struct arena *a)
{
	const char *bank = fact_bank_named(name, a);

	if (bank != NULL)
		return bank;
	warn(NULL, arena_printf(a, "unknown bank '%s': the default is taken, of %s (setting banks)",
	    name, conf_text("banks")));
	return fact_bank_named("", a);
}

enum fact_root
fact_kind_root(enum fact_kind kind)
{
	static const enum fact_root of[N_FACT_KINDS] = { [FACT_FACT] = ROOT_FACTS,
		[FACT_PREFERENCE] = ROOT_PREFERENCES,
		[FACT_TODO] = ROOT_CONTEXT,
		[FACT_DECISION] = ROOT_CONTEXT,
		[FACT_ENTITY] = ROOT_FACTS };

	return of[kind];
}

/* ---- single fields ---- */

/* The string at key; otherwise, when it is missing or empty, the default. */
static int
get_text(const struct json *v, const char *key, const char *otherwise, const char **out,
	struct err *err)
{
	const struct json *m = json_get(v, key);

	*out = otherwise != NULL ? otherwise : "";
	if (m == NULL || m->kind == JSON_NULL)
		return 0;
	if (m->kind != JSON_STRING)
		return field_not_a(err, key, "a string");
	if (m->len > conf_caps.id_bytes)
		return err_set(err, ERR_DATA, "\"%s\" is over %zu bytes", key, conf_caps.id_bytes);
	if (m->len > 0)
		*out = m->u.string;
	return 0;
}

static int
get_share(const struct json *v, const char *key, double otherwise, double *out, struct err *err)
{
	const struct json *m = json_get(v, key);

	*out = otherwise;
	if (m == NULL || m->kind == JSON_NULL)
		return 0;
	if (m->kind != JSON_NUMBER || !(m->u.number >= 0 && m->u.number <= 1))
		return field_not_a(err, key, "a number from 0 to 1");
	*out = m->u.number;
	return 0;
}

static int
parse_time(const char *key, const char *text, int64_t *us, struct err *err)
{
	*us = TIME_NONE;
	return *text == '\0' || time_parse(text, strlen(text), us, NULL) == 0
	    ? 0
	    : field_not_a(err, key, "a time");
}

static int
get_time(const struct json *v, const char *key, const char *otherwise, int64_t *us, struct err *err)
{
	const char *text;

	return get_text(v, key, otherwise, &text, err) < 0 ? -1 : parse_time(key, text, us, err);
}

static bool
get_bool(const struct json *v, const char *key, bool otherwise)
{
	const struct json *m = json_get(v, key);

	return m == NULL || m->kind == JSON_NULL ? otherwise : m->kind == JSON_TRUE;
}

/* ---- groups of fields ---- */

static int
read_trust(const struct json *v, bool is_text, struct record_head *h, struct err *err)
{
	const struct json *trust = json_get(v, "trust");
	const char *word;
	int origin;

	if (get_text(v, "origin",
		h->n_sources > 0		    ? "derived"
		    : *h->agent != '\0' && !is_text ? "assistant"
						    : "user",
		&word, err) < 0)
		return -1;
	if ((origin = origin_parse(word)) < 0)
		return field_not_a(err, "origin", "an origin");
	h->origin = (enum origin)origin;
	/* the store lowers it to the trust of the sources */
	h->trust =
	    origin == ORIGIN_DERIVED && h->n_sources > 0 ? TRUST_MOST : origin_trust(h->origin);
	if (trust == NULL || trust->kind == JSON_NULL)
		return 0;
	if (trust->kind != JSON_NUMBER || !(trust->u.number >= 0 && trust->u.number <= 3))
		return field_not_a(err, "trust", "0 to 3");
	h->trust = MIN(h->trust, (int)trust->u.number);
	return 0;
}

/* A source is "id", or {"id", "start", "length", "quote"}; "message" is accepted for "id". */
static int
read_source(struct fact_reader *r, const struct json *v, struct arena *a,
	struct record_source *out, const char **quote, struct err *err)
{
	double start = json_get_number(v, "start", 0), length = json_get_number(v, "length", 0);

	*quote = json_get_string(v, "quote", NULL);
	*out = (struct record_source){ v->kind == JSON_STRING ? v->u.string
							      : json_get_string(v, "id", NULL),
		0, 0 };
	if (out->id == NULL)
		out->id = json_get_string(v, "message", NULL);
	if (out->id == NULL || *out->id == '\0' || strlen(out->id) > conf_caps.id_bytes)
		return err_set(err, ERR_DATA, "a source without an id");
	out->id = clean_source(&r->cleaner, out->id, a);
	if (!(start >= 0 && start < 1e12) || !(length >= 0 && length < 1e12))
		return err_set(err, ERR_DATA, "a source whose span is none");
	out->start = (int64_t)start;
	out->length = (int64_t)length;
	return 0;
}

static int
read_sources(struct fact_reader *r, const struct json *v, const struct fact_rules *rules,
	struct arena *a, struct record_head *h,
	     const char *const **quotes, struct err *err)
{
	const struct json *list = json_get(v, "sources");
	bool given = list != NULL && list->kind != JSON_NULL;

	if (given && list->kind != JSON_ARRAY)
		return field_not_a(err, "sources", "an array");
	if (given && list->len > RECORD_SOURCES_MAX)
		return err_set(err, ERR_DATA, "more than %d sources", RECORD_SOURCES_MAX);
	size_t n = given ? list->len : rules->n_sources;
	const char **said = arena_zalloc(a, (n + 1) * sizeof(*said));
	struct record_source *all = arena_alloc(a, (n + 1) * sizeof(*all));
	*quotes = said;
	h->sources = all;
	h->n_sources = n;
	for (size_t i = 0; i < n; i++)
		if (given) {
			if (read_source(r, &list->u.items[i], a, &all[i], &said[i], err) < 0)
				return -1;
		} else {
			all[i] = rules->sources[i];
			all[i].id = clean_source(&r->cleaner, all[i].id, a);
		}
	return 0;
}

static int
read_fact(struct fact_reader *r, const struct json *v, const struct fact_rules *rules,
	struct arena *a, struct fact *f, struct err *err)
{
	const char *key, *bank, *category, *kind;
	int root, what = FACT_FACT;
	size_t len;

	if (get_text(v, "key", rules->key, &key, err) < 0 ||
	    get_text(v, "bank", rules->bank, &bank, err) < 0 ||
	    get_text(v, "category", rules->category, &category, err) < 0 ||
	    get_text(v, "kind", rules->kind, &kind, err) < 0 ||
	    get_text(v, "subcategory", "", &f->subcategory, err) < 0 ||
	    get_text(v, "superseded_by", "", &f->superseded_by, err) < 0 ||
	    get_share(v, "importance", rules->importance >= 0 ? rules->importance : .5,
		&f->importance, err) < 0 ||
	    get_share(v, "confidence", rules->confidence >= 0 ? rules->confidence : 1,
		&f->confidence, err) < 0 ||
	    get_time(v, "valid_from", rules->valid_from, &f->valid_from_us, err) < 0 ||
	    get_time(v, "valid_to", rules->valid_to, &f->valid_to_us, err) < 0)
		return -1;
	if (*kind != '\0' && (what = fact_kind_parse(kind)) < 0)
		return field_not_a(err, "kind", FACT_KINDS);
	if (f->valid_from_us != TIME_NONE && f->valid_to_us != TIME_NONE &&
	    f->valid_from_us > f->valid_to_us)
		return err_set(err, ERR_DATA, "a fact that ends before it begins");
	f->kind = (enum fact_kind)what;
	f->key = fact_key_clean(clean_id(&r->cleaner, key, a), a);
	len = strlen(f->subcategory);
	f->subcategory = clean_secrets(&r->cleaner, f->subcategory, &len, a);
	f->superseded_by = clean_source(&r->cleaner, f->superseded_by, a);
	if ((f->bank = fact_bank_named(bank, a)) == NULL)
		f->bank = fact_bank_named("", a);
	root = fact_root_parse(category);
	f->category = root >= 0 ? (enum fact_root)root : fact_kind_root(f->kind);
	return 0;
}

/* The bytes of what stands before an item of a list that is not ticked: "- [ ] "; 0: it is none. */
static size_t
box_of(const char *text, size_t len)
{
	size_t at = len > 2 && strchr("-*+", *text) != NULL && text[1] == ' ' ? 2 : 0;

	return len > at + 4 && memcmp(text + at, "[ ] ", 4) == 0 ? at + 4 : 0;
}

static int
read_content(struct fact_reader *r, const char *text, size_t len, struct arena *a,
	struct record_head *h, struct err *err)
{
	size_t box;

	text = clean_content(&r->cleaner, text, &len, false, a);
	text = ascii_trim(text, &len);
	box = h->type == RECORD_FACT ? box_of(text, len) : 0;
	if (len == 0)
		return err_set(err, ERR_DATA, "nothing to remember in it");
	h->content = arena_strndup(a, text + box, len - box);
	h->content_len = len - box;
	return 0;
}

static bool
is_ours(const char *key)
{
	static const char *const keys[] = { "type", "id", "user", "time", "agent", "project",
		"session", "origin", "trust", "sources", "source_id", "content", "key", "bank",
		"category", "subcategory", "kind", "importance", "confidence", "valid_from",
		"valid_to", "supersedes", "superseded_by", "summarized", "tags", "protected",
		"retracted", "accessed", "accesses", "stored", "history", "said_later" };

	return text_index(key, keys, NELEM(keys)) >= 0;
}

/* Collects the keys that are not ours, with their texts cleaned like all text. */
static const char *
read_extra(struct fact_reader *r, const struct json *v, struct arena *a)
{
	bool *left = arena_alloc(a, v->len + 1);

	for (size_t i = 0; i < v->len; i++)
		left[i] = !is_ours(v->u.members[i].key);
	return clean_members(&r->cleaner, v, left, a);
}

static int
read_tags(struct fact_reader *r, const struct json *v, const struct fact_rules *rules,
	struct arena *a, struct record_head *h, struct err *err)
{
	const struct json *tags = json_get(v, "tags");

	h->tags = rules->tags != NULL ? clean_list(&r->cleaner, rules->tags, a) : "";
	if (tags == NULL || tags->kind == JSON_NULL)
		return 0;
	if (tags->kind != JSON_ARRAY)
		return field_not_a(err, "tags", "an array of strings");
	for (size_t i = 0; i < tags->len; i++)
		if (tags->u.items[i].kind != JSON_STRING)
			return field_not_a(err, "tags", "an array of strings");
	if (tags->len == 0)
		return 0;
	buf_reset(&r->cleaner.json);
	clean_json(&r->cleaner, tags, a);
	h->tags = arena_strndup(a, r->cleaner.json.data, r->cleaner.json.len);
	return 0;
}

static void
clean_head(struct fact_reader *r, struct record_head *h, struct arena *a)
{
	h->source_id = clean_id(&r->cleaner, h->source_id, a);
	h->agent = clean_id(&r->cleaner, h->agent, a);
	h->project = clean_id(&r->cleaner, h->project, a);
	h->session = clean_id(&r->cleaner, h->session, a);
}

static int
read_head(struct fact_reader *r, const struct json *v, const struct fact_rules *rules,
	struct arena *a, struct record_head *h, const char *const **quotes, struct err *err)
{
	const char *user, *id, *content;
	uint8_t ulid[ID_BYTES];
	size_t len;

	if (get_text(v, "user", rules->user, &user, err) < 0 ||
	    get_text(v, "id", "", &id, err) < 0 ||
	    get_text(v, "source_id", "", &h->source_id, err) < 0 ||
	    get_text(v, "agent", rules->agent, &h->agent, err) < 0 ||
	    get_text(v, "project", rules->project, &h->project, err) < 0 ||
	    get_text(v, "session", rules->session, &h->session, err) < 0 ||
	    get_time(v, "time", "", &h->time_us, err) < 0 ||
	    get_time(v, "retracted", "", &h->retracted_us, err) < 0 ||
	    read_sources(r, v, rules, a, h, quotes, err) < 0 || read_trust(v, false, h, err) < 0)
		return -1;
	if (strcmp(user, rules->user) != 0)
		return err_set(err, ERR_DATA, ERR_OTHER_USER, user, rules->user);
	if (id_parse(id, strlen(id), ulid) == 0)
		id_format(ulid, h->id);
	else if (*h->source_id == '\0')
		h->source_id = id;
	clean_head(r, h, a);
	content = json_get_string(v, "content", &len);
	if (content == NULL && (content = json_get_string(v, "text", &len)) == NULL)
		return err_set(err, ERR_DATA, "no key 'content' with a text");
	h->guarded = get_bool(v, "protected", rules->guarded);
	return read_content(r, content, len, a, h, err) < 0 || read_tags(r, v, rules, a, h, err) < 0
	    ? -1
	    : 0;
}

/* ---- entry points ---- */

/*
 * Whether it is marked as what is to be done, "todo: ...", "- [ ] ..."; out receives the rules for
 * it.
 */
static bool
is_todo(const char *text, size_t len, const struct fact_rules *rules, struct fact_rules *out)
{
	enum reading_kind kind = READ_FACT;

	if (*rules->kind != '\0' || *rules->key != '\0' ||
	    (box_of(text, len) == 0 &&
		(statement_label(text, len, &kind) == 0 || kind != READ_TODO)))
		return false;
	*out = *rules;
	out->type = RECORD_FACT;
	out->kind = "todo";
	return true;
}

static enum record_type
untyped(const struct json *v, const struct fact_rules *rules)
{
	static const char *const of_facts[] = { "key", "bank", "category", "kind", "importance",
		"confidence", "valid_from", "valid_to" };

	for (size_t i = 0; i < NELEM(of_facts); i++)
		if (json_get(v, of_facts[i]) != NULL)
			return RECORD_FACT;
	return rules->type;
}

int
fact_reader_record(struct fact_reader *r, const struct json *v, const struct fact_rules *rules,
	struct arena *a, struct fact *out, const char *const **quotes, struct err *err)
{
	const char *type = json_get_string(v, "type", NULL), *content = json_text(v, "content");
	struct fact_rules own;

	memset(out, 0, sizeof(*out));
	r->cleaner.keep_secrets = rules->keep_secrets;
	if (v->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "not a JSON object");
	if (v->len > MEMBERS_MOST)
		return err_set(err, ERR_DATA, "more than %d keys", MEMBERS_MOST);
	if (type == NULL && !rules->as_note && json_get(v, "kind") == NULL &&
	    json_get(v, "key") == NULL &&
	    is_todo(content, strlen(content), rules, &own))
		rules = &own;
	if (type == NULL)
		out->head.type = untyped(v, rules);
	else if (strcmp(type, "fact") == 0)
		out->head.type = RECORD_FACT;
	else if (strcmp(type, "reflection") == 0)
		out->head.type = RECORD_REFLECTION;
	else
		return err_set(err, ERR_DATA,
		    "a record of type '%.100s' is no fact and no reflection", type);
	if (read_head(r, v, rules, a, &out->head, quotes, err) < 0 ||
	    (out->head.type == RECORD_FACT && read_fact(r, v, rules, a, out, err) < 0))
		return -1;
	out->head.extra = read_extra(r, v, a);
	return 0;
}

/*
 * Plain text in which the user says what they prefer, or what a key is set to ("I live in Lisbon"),
 * is no note but a fact; out receives the rules for it. What is given as a fact of who one is
 * receives the key. It is read by rules, and marked so. A question sets nothing.
 */
static bool
is_own_statement(const char *text, size_t len, const struct fact_rules *rules,
	struct fact_rules *out)
{
	struct reading r;
	struct said s;
	bool own = false;

	if ((rules->type == RECORD_FACT && *rules->key != '\0') || len > READING_BYTES ||
	    sentence_asks(text, len))
		return false;
	said_read(&s, text, len);
	for (size_t i = 0; i < s.n; i++)
		own |= s.w[i].person || s.w[i].mine;
	reading_of(text, len, NULL, &r);
	if (!own || !vouch_is_own(text, len) || strcmp(r.about, "user") != 0 ||
	    (r.kind != READ_PREFERENCE && !r.single))
		return false;
	*out = *rules;
	out->key = r.single ? r.slot : "";
	if (rules->type == RECORD_FACT)
		return r.importance >= OF_WHO;
	out->type = RECORD_FACT;
	out->kind = r.kind == READ_PREFERENCE ? "preference" : "fact";
	out->bank = r.bank;
	out->importance = r.importance;
	return true;
}

/* The keys that say of a record that rules read it. */
static const char *
made_extra(struct arena *a)
{
	char made[MADE_TEXT];

	made_by_rules(made);
	return arena_printf(a, "{\"made\":\"%s\"}", made);
}

int
fact_reader_text(struct fact_reader *r, const char *text, size_t len,
	const struct fact_rules *rules, struct arena *a, struct fact *out,
	const char *const **quotes,
	struct err *err)
{
	static const struct json nothing = { .kind = JSON_OBJECT };
	struct record_head *h = &out->head;
	struct fact_rules own;

	if (!rules->as_note && (is_todo(text, len, rules, &own) ||
		is_own_statement(text, len, rules, &own)))
		rules = &own;
	memset(out, 0, sizeof(*out));
	r->cleaner.keep_secrets = rules->keep_secrets;
	h->type = rules->type;
	h->agent = rules->agent;
	h->project = rules->project;
	h->session = rules->session;
	h->source_id = "";
	h->extra = rules == &own && *own.key != '\0' ? made_extra(a) : "";
	h->time_us = rules->now_us;
	h->retracted_us = TIME_NONE;
	h->guarded = rules->guarded;
	h->tags = rules->tags != NULL ? clean_list(&r->cleaner, rules->tags, a) : "";
	clean_head(r, h, a);
	if (read_sources(r, &nothing, rules, a, h, quotes, err) < 0 ||
	    read_trust(&nothing, true, h, err) < 0 ||
	    read_content(r, text, len, a, h, err) < 0)
		return -1;
	return h->type == RECORD_FACT ? read_fact(r, &nothing, rules, a, out, err) : 0;
}

const char *
fact_tag_filter(const char *tag, struct arena *a)
{
	LOCAL(buf) b = buf_of(conf_caps.line_bytes);

	if (tag == NULL)
		return NULL;
	json_write_string(&b, tag, strlen(tag));
	return arena_strndup(a, b.data, b.len);
}
