/*
 * extract.c: works on one message at a time. It reads the message without the context blocks that
 * mem itself put into it (said), but gives the place of a quote in bytes of the message as it was
 * stored (text).
 */
#include "facts/extract.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "base/embedded.h"
#include "clean/clean_text.h"
#include "text/merge_guard.h"
#include "text/statement.h"

#define SHORTEST 6                             /* fewer bytes than this state nothing */

struct extract {
	const char *user;
	struct llm *llm;
	extract_fn *fn;
	void *arg;
	struct cleaner cleaner;
	struct arena arena;                    /* reset for each message */
	struct extract_counts counts;
	char note[200];
	/* the current message */
	struct fact base;                      /* fields that all its facts share */
	const char *name;                      /* the speaker, "" when unknown */
	const char *text, *said;               /* as stored; without mem's context blocks */
	/*
	 * where the search for the next quote begins: quotes mostly come in the order of the text
	 */
	size_t text_len, said_len, from;
	bool stop;
};

struct extract *
extract_new(const char *user, struct llm *l, extract_fn *fn, void *arg)
{
	struct extract *e = xcalloc(1, sizeof(*e));

	e->user = user;
	e->llm = l;
	e->fn = fn;
	e->arg = arg;
	cleaner_init(&e->cleaner);
	return e;
}

void
extract_free(struct extract *e)
{
	if (e == NULL)
		return;
	cleaner_release(&e->cleaner);
	arena_release(&e->arena);
	free(e);
}

const struct extract_counts *
extract_counts(const struct extract *e)
{
	return &e->counts;
}

const char *
extract_note(const struct extract *e)
{
	return e->note;
}

/* ---- handing out facts ---- */

static const char *
find_bytes(const char *text, size_t len, const char *what, size_t n)
{
	for (size_t i = 0; n > 0 && i + n <= len; i++)
		if (text[i] == *what && memcmp(text + i, what, n) == 0)
			return text + i;
	return NULL;
}

/*
 * Hands out f with its quote and the quote's place in the message. A fact whose quote is not in the
 * message is dropped.
 */
static void
hand_out(struct extract *e, struct fact *f, const char *quote, size_t quote_len)
{
	const char *at = find_bytes(e->text + e->from, e->text_len - e->from, quote, quote_len);
	struct record_source *s = arena_zalloc(&e->arena, sizeof(*s));
	const char **quotes = arena_zalloc(&e->arena, 2 * sizeof(*quotes));

	if (at == NULL && (at = find_bytes(e->text, e->text_len, quote, quote_len)) == NULL) {
		e->counts.unquoted++;
		return;
	}
	e->from = (size_t)(at - e->text);
	if (e->base.head.n_sources > 0) {
		*s = (struct record_source){ e->base.head.sources[0].id, at - e->text,
			(int64_t)quote_len };
		quotes[0] = arena_strndup(&e->arena, quote, quote_len);
		f->head.sources = s;
		f->head.n_sources = 1;
	}
	e->counts.facts++;
	e->stop |= e->fn(e->arg, f, quotes) != 0;
}

/*
 * Puts the speaker in front of a key where several people share a memory, so that their facts do
 * not end each other: "ann:home".
 */
static const char *
own_key(struct extract *e, const char *key)
{
	if (*key == '\0' || *e->name == '\0')
		return fact_key_clean(key, &e->arena);
	return arena_printf(&e->arena, "%s:%s", fact_key_clean(e->name, &e->arena),
	    fact_key_clean(key, &e->arena));
}

static const char *
bank_of(struct extract *e, const char *about, bool personal)
{
	static const struct {
		const char *about, *bank;
	} banks[] = { { "health", "Health" }, { "work", "Work" },
		{ "relationships", "Relationships" }, { "events", "Events" },
		{ "interests", "Interests" } };
	const char *bank = NULL;

	for (size_t i = 0; i < NELEM(banks); i++)
		if (strcmp(banks[i].about, about) == 0)
			bank = fact_bank_named(banks[i].bank, &e->arena);
	if (bank == NULL && personal)
		bank = fact_bank_named("Personal", &e->arena);
	return bank != NULL ? bank : fact_bank_named("", &e->arena);
}

/* ---- extraction by rules ---- */

static int
fact_from_statement(void *arg, const struct statement *s)
{
	static const enum fact_kind kinds[] = { [SAYS_PREFERENCE] = FACT_PREFERENCE,
		[SAYS_DECISION] = FACT_DECISION,
		[SAYS_TODO] = FACT_TODO };
	struct extract *e = arg;
	struct fact f = e->base;
	const char *quote = e->said + s->start;

	f.kind = s->kind < (int)NELEM(kinds) ? kinds[s->kind] : FACT_FACT;
	f.category = fact_kind_root(f.kind);
	f.bank = bank_of(e, s->about,
	    s->kind == SAYS_IDENTITY || s->kind == SAYS_POSSESSION || s->kind == SAYS_HABIT);
	f.key = own_key(e, s->key);
	f.importance = s->importance;
	f.confidence = .7;
	f.head.content = *e->name != '\0'
	    ? arena_printf(&e->arena, "%s: %.*s", e->name, (int)s->len, quote)
	    : arena_strndup(&e->arena, quote, s->len);
	f.head.content_len = strlen(f.head.content);
	hand_out(e, &f, quote, s->len);
	return e->stop;
}

/* ---- extraction by a language model ---- */

static const char answer_schema[] =
	"{\"type\":\"object\",\"required\":[\"facts\"],\"properties\":{\"facts\":{"
	"\"type\":\"array\","
	"\"maxItems\":32,\"items\":{\"type\":\"object\","
	"\"required\":[\"fact\",\"quote\"],\"properties\":{\"fact\":{\"type\":\"string\","
	"\"minLength\":"
	"1,\"maxLength\":600},\"quote\":{\"type\":\"string\","
	"\"minLength\":1},\"key\":{\"type\":\"string\"},\"kind\":{\"type\":\"string\"},"
	"\"category\":{"
	"\"type\":\"string\"},\"bank\":{\"type\":\"string\"},"
	"\"importance\":{\"type\":\"number\"}}}}}}";

static const char *
text_of(const struct json *v, const char *key)
{
	const char *text = json_get_string(v, key, NULL);

	return text != NULL && strlen(text) <= STATEMENT_BYTES ? text : "";
}

static void
read_model_fact(struct extract *e, const struct json *v)
{
	size_t fact_len, quote_len;
	const char *fact = json_get_string(v, "fact", &fact_len),
		   *quote = json_get_string(v, "quote", &quote_len), *bank;
	double importance = json_get_number(v, "importance", .5);
	struct fact f = e->base;
	int kind = fact_kind_parse(text_of(v, "kind")),
	    root = fact_root_parse(text_of(v, "category"));

	if (fact == NULL || quote == NULL ||
	    find_bytes(e->said, e->said_len, quote, quote_len) == NULL) {
		e->counts.unquoted++;
		return;
	}
	if (merge_guard_claim(fact, fact_len, quote, quote_len, e->said, e->said_len, e->name) !=
	    NULL) {
		e->counts.reworded++;
		fact = *e->name != '\0' ? arena_printf(&e->arena, "%s: %s", e->name, quote) : quote;
		fact_len = strlen(fact);
	}
	f.kind = kind >= 0 ? (enum fact_kind)kind : FACT_FACT;
	f.category = root >= 0 ? (enum fact_root)root : fact_kind_root(f.kind);
	bank = fact_bank_named(text_of(v, "bank"), &e->arena);
	f.bank = bank != NULL ? bank : fact_bank_named("", &e->arena);
	f.key = own_key(e, text_of(v, "key"));
	f.importance = MIN(MAX(importance, 0), 1);
	f.confidence = .9;
	f.head.content = fact;
	f.head.content_len = fact_len;
	hand_out(e, &f, quote, quote_len);
}

/* Returns false when the model gave no usable answer, so that the rules must do. */
static bool
ask_model(struct extract *e)
{
	const struct embedded *rules = embedded_find("schema/prompts/extract.txt");
	struct llm_question q = { .system = rules->text, .schema = answer_schema };
	const struct json *facts;
	struct llm_answer got;

	q.text = *e->name != '\0'
	    ? arena_printf(&e->arena, "Speaker: %s\nMessage:\n%.*s", e->name, (int)e->said_len,
		  e->said)
	    : arena_printf(&e->arena, "Message:\n%.*s", (int)e->said_len, e->said);
	e->counts.asked++;
	if (llm_ask(e->llm, &q, &e->arena, &got) < 0) {
		if (e->note[0] == '\0' && got.why != LLM_OFF)
			snprintf(e->note, sizeof(e->note), "%s", got.note);
		return false;
	}
	e->counts.answered++;
	facts = json_get(got.json, "facts");
	for (size_t i = 0; i < facts->len && !e->stop; i++)
		read_model_fact(e, &facts->u.items[i]);
	return true;
}

/* ---- one message ---- */

static bool
is_said_by_a_user(const struct json *v)
{
	const char *role = json_get_string(v, "role", NULL),
		   *origin = json_get_string(v, "origin", NULL);

	if (origin != NULL &&
	    (strcmp(origin, "tool") == 0 || strcmp(origin, "web") == 0 ||
		strcmp(origin, "assistant") == 0 || strcmp(origin, "derived") == 0))
		return false;
	return role == NULL || role_parse(role) == ROLE_USER;
}

static const char *
text_or_empty(const struct json *v, const char *key)
{
	const char *text = json_get_string(v, key, NULL);

	return text != NULL && strlen(text) <= conf_caps.id_bytes ? text : "";
}

/* Reads who said the message, when and where: the fields that all its facts share. */
static int
read_base(struct extract *e, const struct json *v, struct err *err)
{
	const char *id = text_or_empty(v, "id"), *source = text_or_empty(v, "source_id"),
		   *time = json_get_string(v, "time", NULL), *user = text_or_empty(v, "user");
	struct record_source *s = arena_zalloc(&e->arena, sizeof(*s));
	struct record_head *h = &e->base.head;
	uint8_t bytes[ID_BYTES];

	if (*user != '\0' && strcmp(user, e->user) != 0)
		return err_set(err, ERR_DATA, ERR_OTHER_USER, user, e->user);
	memset(&e->base, 0, sizeof(e->base));
	if (id_parse(id, strlen(id), bytes) == 0)
		s->id = id;
	else if (*source != '\0' || *id != '\0')
		s->id = arena_printf(&e->arena, "source:%s", *source != '\0' ? source : id);
	h->type = RECORD_FACT;
	h->sources = s;
	h->n_sources = s->id != NULL;
	h->session = text_or_empty(v, "session");
	h->agent = text_or_empty(v, "agent");
	h->project = text_or_empty(v, "project");
	h->source_id = h->tags = h->extra = "";
	h->time_us = h->retracted_us = TIME_NONE;
	if (time != NULL && time_parse(time, strlen(time), &h->time_us, NULL) < 0)
		return err_set(err, ERR_DATA, "\"time\" is not a time");
	h->origin = ORIGIN_DERIVED;
	h->trust = (int)MIN(MAX(json_get_number(v, "trust", 3), 0), 3);
	e->base.subcategory = e->base.superseded_by = e->base.summarized = "";
	e->base.valid_from_us = e->base.valid_to_us = TIME_NONE;
	return 0;
}

int
extract_message(struct extract *e, const struct json *v, struct err *err)
{
	const char *type = json_get_string(v, "type", NULL);
	struct statement s;
	size_t len;

	if (v->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "not a JSON object");
	if (type != NULL && strcmp(type, "message") != 0)
		return err_set(err, ERR_DATA, "a record of type '%.100s' is no message", type);
	if ((e->text = json_get_string(v, "content", &e->text_len)) == NULL)
		return err_set(err, ERR_DATA, "no key 'content' with a text");
	arena_reset(&e->arena);
	e->stop = false;
	e->from = 0;
	e->counts.messages++;
	if (read_base(e, v, err) < 0)
		return -1;
	if (!is_said_by_a_user(v))
		return 0;
	e->name = text_or_empty(v, "name");
	len = e->text_len;
	e->cleaner.keep_secrets = false;
	e->said = clean_content(&e->cleaner, e->text, &len, false, &e->arena);
	e->said_len = len;
	if (len < SHORTEST)
		return 0;
	if (statement_is_short(e->said, len, &s)) {
		e->counts.short_ones++;
		fact_from_statement(e, &s);
	} else if (e->llm == NULL || !ask_model(e)) {
		statements_each(e->said, len, fact_from_statement, e);
	}
	return e->stop;
}
