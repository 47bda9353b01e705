/*
 * extract.c: works on one message at a time, where there is no model. It reads the message without
 * the context blocks that mem itself put into it (said), but gives the place of a quote in bytes of
 * the message as it was stored (text).
 */
#include "base/alloc.h"
#include "base/conf.h"
#include "base/me.h"
#include "facts/extract_parts.h"
#include "records/record.h"
#include "statement/plain.h"
#include "text/tokens.h"

#define SHORTEST 6                             /* fewer bytes than this state nothing */
/* Turns that a model is asked about at once: each question has our rules and its start besides. */
#define BATCH_TOKENS 4000
#define BATCH_TURNS  64

/* So many turns that no assistant answered are minutes or notes, which tell nobody what to do. */
#define MONOLOGUE 3

#define EXTRA_BYTES 4096
#define BY_RULES    .8                 /* confidence: of real ones two in three were right */

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
	free(e->waiting);
	free(e);
}

void
extract_estimate(struct extract *e)
{
	e->estimates = true;
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

const char *
extract_find(const char *text, size_t len, const char *what, size_t n)
{
	for (size_t i = 0; n > 0 && i + n <= len; i++)
		if (text[i] == *what && memcmp(text + i, what, n) == 0)
			return text + i;
	return NULL;
}

void
extract_hand_out(struct extract *e, struct extract_turn *t, struct fact *f, const char *quote,
	size_t quote_len)
{
	const char *at = extract_find(t->text + t->from, t->text_len - t->from, quote, quote_len);
	struct record_source *s = arena_zalloc(&e->arena, sizeof(*s));
	const char **quotes = arena_zalloc(&e->arena, 2 * sizeof(*quotes));

	if (at == NULL && (at = extract_find(t->text, t->text_len, quote, quote_len)) == NULL) {
		e->counts.unquoted++;
		return;
	}
	t->from = (size_t)(at - t->text);
	if (t->base.head.n_sources > 0) {
		*s = (struct record_source){ t->base.head.sources[0].id, at - t->text,
			(int64_t)quote_len };
		quotes[0] = arena_strndup(&e->arena, quote, quote_len);
		f->head.sources = s;
		f->head.n_sources = 1;
	}
	e->counts.facts++;
	e->stop |= e->fn(e->arg, f, quotes) != 0;
}

const char *
extract_extra(struct extract *e, const struct extract_turn *t, const char *about,
	const char *made)
{
	LOCAL(buf) b = buf_of(EXTRA_BYTES);

	json_open(&b);
	record_text(&b, "name", t->name);
	if (strchr(about, ':') != NULL)
		json_str(&b, "about", about);
	json_str(&b, "made", made);
	json_close(&b);
	return arena_strndup(&e->arena, b.data, b.len);
}

/* ---- extraction by rules ---- */

/* Whether people talk with each other, and no assistant has spoken. */
static bool
is_talk(const struct extract *e)
{
	return e->another && !e->assisted;
}

const char *
extract_plain(struct extract *e, const char *quote, size_t len)
{
	LOCAL(buf) b = buf_of(2 * len + 1);

	plain_add(&b, quote, len);
	return arena_strndup(&e->arena, b.data, b.len);
}

struct by_rules { struct extract *e; struct extract_turn *t; };

static int
fact_from_statement(void *arg, const struct statement *s)
{
	static const struct { enum fact_kind kind; enum fact_root category; } kinds[] = {
		[READ_FACT] = { FACT_FACT, ROOT_FACTS },
		[READ_PREFERENCE] = { FACT_PREFERENCE, ROOT_PREFERENCES },
		[READ_DECISION] = { FACT_DECISION, ROOT_CONTEXT },
		[READ_TODO] = { FACT_TODO, ROOT_CONTEXT },
		[READ_RULE] = { FACT_PREFERENCE, ROOT_RULES } };
	const struct by_rules *by = arg;
	struct extract *e = by->e;
	struct extract_turn *t = by->t;
	struct fact f = t->base;
	const char *quote = t->said + s->start;

	f.kind = s->decided ? FACT_DECISION : kinds[s->read.kind].kind;
	f.category = kinds[s->read.kind].category;
	f.bank = fact_bank_named(s->read.bank, &e->arena);
	if (f.bank == NULL)
		f.bank = fact_bank_named("", &e->arena);
	f.key = "";                            /* a word is not yet what a fact is about */
	f.importance = s->read.importance;
	f.confidence = BY_RULES;
	/* the day by which a todo is to be done does not end it */
	f.valid_from_us = f.kind == FACT_TODO ? TIME_NONE : s->read.from_us;
	f.valid_to_us = f.kind == FACT_TODO ? TIME_NONE : s->read.to_us;
	if (f.valid_to_us != TIME_NONE && f.valid_from_us >= f.valid_to_us)
		f.valid_from_us = TIME_NONE;
	f.head.extra = extract_extra(e, t, s->read.about, e->made);
	f.head.content = extract_plain(e, quote, s->len);
	f.head.content_len = strlen(f.head.content);
	extract_hand_out(e, t, &f, quote, s->len);
	return e->stop;
}

static struct reading_by
turn_reading(struct extract *e, const struct extract_turn *t)
{
	return (struct reading_by){ t->name, t->base.head.project, t->base.head.time_us,
		e->person };
}

/* A turn that waited may be of another session than the one before: "she" is another then. */
static void
begin_reading(struct extract *e, const struct extract_turn *t)
{
	if (strncmp(e->read, t->base.head.session, sizeof(e->read) - 1) == 0)
		return;
	snprintf(e->read, sizeof(e->read), "%s", t->base.head.session);
	e->person[0] = '\0';
	e->played = false;
}

void
extract_by_rules(struct extract *e, struct extract_turn *t)
{
	const struct statement_turn turn = { .text = t->said, .len = t->said_len,
		.project = *t->base.head.project != '\0', .talk = t->talk,
		.unheard = t->unheard,
		.nobody = t->nobody,
		.taken_back = t->taken_back,
		.played = &e->played };
	struct statement one;
	struct by_rules by = { e, t };
	struct reading_by reading = turn_reading(e, t);

	begin_reading(e, t);
	if (t->is_short && !t->taken_back &&
	    statement_is_short(t->said, t->said_len, &reading, &one))
		fact_from_statement(&by, &one);
	else
		statements_of(&turn, &reading, fact_from_statement, &by);
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
read_base(struct extract *e, const struct json *v, struct fact *base, struct err *err)
{
	const char *id = text_or_empty(v, "id"), *source = text_or_empty(v, "source_id"),
		   *time = json_get_string(v, "time", NULL), *user = text_or_empty(v, "user");
	struct record_source *s = arena_zalloc(&e->arena, sizeof(*s));
	struct record_head *h = &base->head;
	uint8_t bytes[ID_BYTES];

	if (*user != '\0' && strcmp(user, e->user) != 0)
		return err_set(err, ERR_DATA, ERR_OTHER_USER, user, e->user);
	memset(base, 0, sizeof(*base));
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
	base->subcategory = base->superseded_by = base->summarized = "";
	base->valid_from_us = base->valid_to_us = TIME_NONE;
	return 0;
}

/* Begins another session where the message is of one. */
static void
note_session(struct extract *e, const char *session)
{
	if (strncmp(e->session, session, sizeof(e->session) - 1) == 0)
		return;
	snprintf(e->session, sizeof(e->session), "%s", session);
	e->first[0] = '\0';
	e->another = e->assisted = e->owner = false;
	e->unanswered = 0;
}

/* Notes who speaks in the session: users with each other, or one with an assistant. */
static void
note_speaker(struct extract *e, const struct json *v)
{
	const char *name = text_or_empty(v, "name");

	e->owner |= me_is_known() && me_is(name);
	if (strcmp(text_or_empty(v, "role"), "assistant") == 0)
		e->assisted = true;
	else
		e->unanswered++;
	if (e->assisted)
		return;
	if (*e->first == '\0')
		snprintf(e->first, sizeof(e->first), "%s", name);
	else
		e->another |= *name != '\0' &&
		    strncmp(e->first, name, sizeof(e->first) - 1) != 0;
}

/*
 * Whether it is nobody's: where people with names talk, one without is the service's, or a line of
 * the minutes, which says what was decided by a label.
 */
static bool
is_of_a_service(const struct extract *e, const struct json *v)
{
	return is_talk(e) && *text_or_empty(v, "name") == '\0';
}

/*
 * Whether it is a newsletter, or a mail of somebody to whom the owner never wrote, as far as the
 * thread shows: what a shop has decided is none of his decisions.
 */
static bool
is_of_a_stranger(const struct extract *e, const struct json *v)
{
	bool mine = me_is_known() && me_is(text_or_empty(v, "name"));

	return json_get(v, "subject") != NULL && !mine && (json_get(v, "newsletter") != NULL ||
	    (json_get(v, "to") != NULL && me_is_known() && !e->owner));
}

/* A hit has all that a message has. */
static bool
is_hit_of_message(const struct json *v, const char *type)
{
	return strcmp(type, "hit") == 0 && strcmp(text_or_empty(v, "kind"), "message") == 0;
}

/* Notes that a turn takes back what its speaker's last one says. */
static void
take_back(struct extract *e, const struct extract_turn *by)
{
	for (size_t i = e->n_waiting; i-- > 0;) {
		struct extract_turn *t = &e->waiting[i];

		if (strcmp(t->base.head.session, by->base.head.session) == 0 &&
		    strcmp(t->name, by->name) == 0) {
			t->taken_back = true;
			return;
		}
	}
}

/*
 * Reads the message v into t. Returns 1 when a user says something in it, 0 when there is nothing
 * to find.
 */
static int
read_turn(struct extract *e, const struct json *v, struct extract_turn *t, struct err *err)
{
	const char *type = json_get_string(v, "type", NULL);
	struct statement one;

	*t = (struct extract_turn){ .from = 0 };
	if (v->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "not a JSON object");
	if (type != NULL && strcmp(type, "message") != 0 && !is_hit_of_message(v, type))
		return err_set(err, ERR_DATA, "a record of type '%.100s' is no message", type);
	if ((t->text = json_get_string(v, "content", &t->text_len)) == NULL)
		return err_set(err, ERR_DATA, "no key 'content' with a text");
	if (read_base(e, v, &t->base, err) < 0)
		return -1;
	e->counts.messages++;
	note_session(e, t->base.head.session);
	note_speaker(e, v);
	t->nobody = is_of_a_service(e, v);
	if (!is_said_by_a_user(v) || (t->nobody && (e->llm != NULL || e->estimates)) ||
	    is_of_a_stranger(e, v))
		return 0;
	t->name = text_or_empty(v, "name");
	t->said_len = t->text_len;
	e->cleaner.keep_secrets = false;
	t->said = clean_content(&e->cleaner, t->text, &t->said_len, false, &e->arena);
	if (vouch_takes_back(t->said, t->said_len))
		take_back(e, t);
	if (t->said_len < SHORTEST)
		return 0;
	t->talk = is_talk(e);
	t->unheard = !e->assisted && (*t->name != '\0' || e->unanswered > MONOLOGUE);
	t->is_short = *t->base.head.project == '\0' && !t->talk &&
	    statement_is_short(t->said, t->said_len, NULL, &one);
	e->counts.short_ones += t->is_short;
	return 1;
}

/* Copies into the arena all that a turn points at. */
static void
keep_turn(struct extract *e, struct extract_turn *t)
{
	struct record_head *h = &t->base.head;
	struct record_source *s = arena_zalloc(&e->arena, sizeof(*s));
	const char *text = arena_strndup(&e->arena, t->text, t->text_len);

	t->said = t->said == t->text ? text : arena_strndup(&e->arena, t->said, t->said_len);
	t->text = text;
	t->name = arena_strdup(&e->arena, t->name);
	h->session = arena_strdup(&e->arena, h->session);
	h->agent = arena_strdup(&e->arena, h->agent);
	h->project = arena_strdup(&e->arena, h->project);
	if (h->n_sources > 0) {
		s->id = arena_strdup(&e->arena, h->sources[0].id);
		h->sources = s;
	}
}

int
extract_flush(struct extract *e)
{
	size_t n = e->n_waiting;

	e->n_waiting = 0;
	e->waiting_tokens = 0;
	e->stop = false;
	if (n > 0 && (e->llm != NULL || e->estimates))
		extract_by_model(e, e->waiting, n);
	else
		for (size_t i = 0; i < n && !e->stop; i++)
			extract_by_rules(e, &e->waiting[i]);
	return e->stop;
}

/* Whether its speaker said something else since, among what waits. */
static bool
is_followed(const struct extract *e, size_t i)
{
	const struct extract_turn *t = &e->waiting[i];

	for (size_t k = i + 1; k < e->n_waiting; k++)
		if (strcmp(t->base.head.session, e->waiting[k].base.head.session) == 0 &&
		    strcmp(t->name, e->waiting[k].name) == 0)
			return true;
	return false;
}

int
extract_idle(struct extract *e)
{
	struct arena old;
	size_t n = 0;

	if (e->llm != NULL || e->estimates || e->n_waiting == 0)
		return 0;
	e->stop = false;
	for (size_t i = 0; i < e->n_waiting && !e->stop; i++)
		if (is_followed(e, i))
			extract_by_rules(e, &e->waiting[i]);
	old = e->arena;
	e->arena = (struct arena)ARENA_INIT;
	e->waiting_tokens = 0;
	for (size_t i = 0; i < e->n_waiting; i++)
		if (!is_followed(e, i)) {
			struct extract_turn *t = &e->waiting[n++];
			*t = e->waiting[i];
			keep_turn(e, t);
			e->waiting_tokens +=
			    t->is_short ? 0 : tokens_estimate(t->said, t->said_len);
		}
	e->n_waiting = n;
	arena_release(&old);
	return e->stop;
}

int
extract_message(struct extract *e, const struct json *v, struct err *err)
{
	struct extract_turn t;
	LOCAL(arena) flushed = ARENA_INIT;
	int64_t tokens;
	int rc = 0;

	if (e->n_waiting == 0)
		arena_reset(&e->arena);
	e->stop = false;
	if ((rc = read_turn(e, v, &t, err)) <= 0)
		return rc;
	tokens = t.is_short ? 0 : tokens_estimate(t.said, t.said_len);
	if (e->n_waiting > 0 && (e->n_waiting == BATCH_TURNS ||
	    e->waiting_tokens + tokens > BATCH_TOKENS)) {
		if (extract_flush(e) != 0)
			return 1;
		flushed = e->arena;
		e->arena = (struct arena)ARENA_INIT;
	}
	keep_turn(e, &t);
	*xpush(e->waiting, e->n_waiting, e->cap_waiting) = t;
	e->waiting_tokens += tokens;
	return 0;
}

int
extract_claimed(struct extract *e, const struct json *v, const struct json *claim, const char *made,
	struct err *err)
{
	struct extract_turn t;
	int rc;

	arena_reset(&e->arena);
	if ((rc = read_turn(e, v, &t, err)) < 0)
		return -1;
	if (rc == 0)
		e->counts.unquoted++;
	else
		extract_claim(e, &t, claim, made);
	return 0;
}
