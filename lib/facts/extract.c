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
#include "facts/made.h"
#include "records/record.h"
#include "statement/merge_guard.h"
#include "statement/statement.h"

#define SHORTEST 6                             /* fewer bytes than this state nothing */

#define EXTRA_BYTES 4096
#define BY_RULES    .8                 /* confidence: of real ones two in three were right */

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
	/* the session so far, and who "she" is in it */
	char session[READING_NAME], person[READING_NAME];
	/* who spoke first in the session; whether another did, an assistant; a part is played */
	char first[READING_NAME];
	bool another, assisted, played;
	const char *name;                      /* the speaker, "" when unknown */
	const char *text, *said;               /* as stored; without mem's context blocks */
	/*
	 * where the search for the next quote begins: quotes mostly come in the order of the text
	 */
	size_t text_len, said_len, from;
	bool stop;
	char made[MADE_TEXT];                  /* what its facts are made by */
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
	made_by_rules(e->made);
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

/*
 * Keys that a fact keeps beside ours: who says it, whom or what it is about, where that is not who
 * says it, and what it was made by.
 */
static const char *
extra_of(struct extract *e, const char *about, const char *made)
{
	struct buf b;
	const char *out;

	buf_init(&b, EXTRA_BYTES);
	json_open(&b);
	record_text(&b, "name", e->name);
	if (strchr(about, ':') != NULL)
		json_str(&b, "about", about);
	json_str(&b, "made", made);
	json_close(&b);
	out = arena_strndup(&e->arena, b.data, b.len);
	buf_release(&b);
	return out;
}

/* ---- extraction by rules ---- */

/* Whether people talk with each other, and no assistant has spoken. */
static bool
is_talk(const struct extract *e)
{
	return e->another && !e->assisted;
}

/* A mail's lines are cut at a width: what is said is not. */
static const char *
in_one_line(char *text)
{
	for (char *p = text; *p != '\0'; p++)
		*p = *p == '\n' ? ' ' : *p;
	return text;
}

static int
fact_from_statement(void *arg, const struct statement *s)
{
	static const struct { enum fact_kind kind; enum fact_root category; } kinds[] = {
		[READ_FACT] = { FACT_FACT, ROOT_FACTS },
		[READ_PREFERENCE] = { FACT_PREFERENCE, ROOT_PREFERENCES },
		[READ_DECISION] = { FACT_DECISION, ROOT_CONTEXT },
		[READ_TODO] = { FACT_TODO, ROOT_CONTEXT },
		[READ_RULE] = { FACT_PREFERENCE, ROOT_RULES },
		[READ_SKILL] = { FACT_FACT, ROOT_SKILLS } };
	struct extract *e = arg;
	struct fact f = e->base;
	const char *quote = e->said + s->start;

	f.kind = kinds[s->read.kind].kind;
	f.category = kinds[s->read.kind].category;
	f.bank = fact_bank_named(s->read.bank, &e->arena);
	if (f.bank == NULL)
		f.bank = fact_bank_named("", &e->arena);
	f.key = "";                            /* a word is not yet what a fact is about */
	f.importance = s->read.importance;
	f.confidence = BY_RULES;
	f.valid_from_us = s->read.from_us;
	f.valid_to_us = s->read.to_us;
	if (f.valid_to_us != TIME_NONE && f.valid_from_us >= f.valid_to_us)
		f.valid_from_us = TIME_NONE;
	f.head.extra = extra_of(e, s->read.about, e->made);
	f.head.content = in_one_line(arena_strndup(&e->arena, quote, s->len));
	f.head.content_len = s->len;
	hand_out(e, &f, quote, s->len);
	return e->stop;
}

static void
extract_statements(struct extract *e)
{
	const struct statement_turn turn = { .text = e->said, .len = e->said_len,
		.project = *e->base.head.project != '\0', .talk = is_talk(e),
		.played = &e->played };
	const struct reading_by by = { e->name, e->base.head.project, e->base.head.time_us,
		e->person };

	statements_of(&turn, &by, fact_from_statement, e);
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
read_model_fact(struct extract *e, const struct json *v, const char *model)
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
		fact = quote;
		fact_len = quote_len;
	}
	f.kind = kind >= 0 ? (enum fact_kind)kind : FACT_FACT;
	f.category = root >= 0 ? (enum fact_root)root : fact_kind_root(f.kind);
	bank = fact_bank_named(text_of(v, "bank"), &e->arena);
	f.bank = bank != NULL ? bank : fact_bank_named("", &e->arena);
	f.key = own_key(e, text_of(v, "key"));
	f.importance = MIN(MAX(importance, 0), 1);
	f.confidence = .9;
	f.head.extra = extra_of(e, "", arena_printf(&e->arena, "model:%s", model));
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
		read_model_fact(e, &facts->u.items[i], got.model);
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

/* Begins another session where the message is of one. */
static void
note_session(struct extract *e, const char *session)
{
	if (strncmp(e->session, session, sizeof(e->session) - 1) == 0)
		return;
	snprintf(e->session, sizeof(e->session), "%s", session);
	e->person[0] = e->first[0] = '\0';
	e->another = e->assisted = e->played = false;
}

/* Notes who speaks in the session: users with each other, or one with an assistant. */
static void
note_speaker(struct extract *e, const struct json *v)
{
	const char *name = text_or_empty(v, "name");

	if (strcmp(text_or_empty(v, "role"), "assistant") == 0)
		e->assisted = true;
	else if (*e->first == '\0')
		snprintf(e->first, sizeof(e->first), "%s", name);
	else
		e->another |= *name != '\0' &&
		    strncmp(e->first, name, sizeof(e->first) - 1) != 0;
}

/* Whether it is nobody's: where people with names talk, one without is the service's. */
static bool
is_of_a_service(const struct extract *e, const struct json *v)
{
	return is_talk(e) && *text_or_empty(v, "name") == '\0';
}

/* A hit has all that a message has. */
static bool
is_hit_of_message(const struct json *v, const char *type)
{
	return strcmp(type, "hit") == 0 && strcmp(text_or_empty(v, "kind"), "message") == 0;
}

int
extract_message(struct extract *e, const struct json *v, struct err *err)
{
	const char *type = json_get_string(v, "type", NULL);
	struct reading_by by;
	struct statement s;
	size_t len;

	if (v->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "not a JSON object");
	if (type != NULL && strcmp(type, "message") != 0 && !is_hit_of_message(v, type))
		return err_set(err, ERR_DATA, "a record of type '%.100s' is no message", type);
	if ((e->text = json_get_string(v, "content", &e->text_len)) == NULL)
		return err_set(err, ERR_DATA, "no key 'content' with a text");
	arena_reset(&e->arena);
	e->stop = false;
	e->from = 0;
	e->counts.messages++;
	if (read_base(e, v, err) < 0)
		return -1;
	note_session(e, e->base.head.session);
	note_speaker(e, v);
	if (!is_said_by_a_user(v) || is_of_a_service(e, v))
		return 0;
	e->name = text_or_empty(v, "name");
	len = e->text_len;
	e->cleaner.keep_secrets = false;
	e->said = clean_content(&e->cleaner, e->text, &len, false, &e->arena);
	e->said_len = len;
	if (len < SHORTEST)
		return 0;
	by = (struct reading_by){ e->name, e->base.head.project, e->base.head.time_us, e->person };
	if (*by.project == '\0' && !is_talk(e) && statement_is_short(e->said, len, &by, &s)) {
		e->counts.short_ones++;
		fact_from_statement(e, &s);
	} else if (e->llm == NULL || !ask_model(e)) {
		extract_statements(e);
	}
	return e->stop;
}
