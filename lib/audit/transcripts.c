/*
 * transcripts.c: a claim is searched for like a question, and each sentence found is held against
 * it word by word. A property that has one value at a time is looked up as well, because "we moved
 * to Bergen" has no word of "lives in Oslo".
 */
#include "audit/transcripts.h"

#include <strings.h>

#include "audit/ended.h"
#include "audit/judge.h"
#include "base/alloc.h"
#include "base/conf.h"
#include "base/hash.h"
#include "search/search.h"
#include "statement/clause.h"
#include "statement/stance.h"

#define HITS         12
/*
 * The share of a claim's words in the best sentence of a turn, and the probability that the turn
 * answers the claim as a question (rank/answer_probability.h), must add up to this. Of notes that
 * rest on a chat, 94 of 100 are supported then, and 4 of 100 that rest on another one.
 */
#define SUPPORT_MIN  .85
#define LIGHT        .5                    /* what "has", "uses" and the like weigh */
#define SUPPORT_BARE 1                     /* of a turn that lacks a name or number */
#define NEAR_US      (INT64_C(200) * 24 * 3600 * 1000000)  /* a year is not said within these */
#define QUOTE_BYTES  400
#define TURN_SLOTS   4096
#define TURNS_KEPT   2048                  /* then they are dropped ... */
#define TURN_BYTES   (UINT64_C(2) << 20)   /* ... or when their texts come to this */

/* What a turn says of one property. */
struct said_key {
	struct claim_key key;
	int64_t row, time_us;
	size_t start, len;                 /* bytes of the sentence */
};

/* A sentence of a turn, read. */
struct heard_sentence {
	size_t start, len;
	bool question;
	const struct said *words;
};

/* The sentences of a turn, and its words from the first on. */
struct heard_turn {
	int64_t row;
	struct heard_sentence *sentences;      /* [n] */
	size_t n;
	const struct said *words;
};

/* Turns that were read, as many claims are heard by the same: a table of open addresses. */
struct heard_turns {
	struct heard_turn slots[TURN_SLOTS];   /* row 0: free */
	size_t n, bytes;                       /* turns, and of their texts */
	struct arena arena;
	/* while reading one: its text, the end of the last sentence */
	const char *text;
	size_t from, cap;
	struct heard_turn turn;
};

struct transcripts {
	struct store *store;
	const struct scope *who;
	struct search *search;
	struct search_query query;
	struct arena arena;
	struct said_key *keys;             /* [n], as they were said */
	size_t n, cap;
	const char *owner;
	struct heard_turns turns;
	/* while reading: the turn, and who "she" is in it */
	const struct message *m;
	char person[READING_NAME];
	size_t from;
};

/* ---- properties ---- */

static int
take_sentence(void *arg, const struct clause *c)
{
	struct transcripts *t = arg;
	struct reading_by by = { t->m->name, "", t->m->time_us, t->person, NULL };
	struct claim_key found[CLAIM_KEYS];
	size_t n;

	if (c->sentence < t->from || c->sentence_len == 0 || (c->flags & CLAUSE_QUESTION) != 0)
		return 0;
	t->from = c->sentence + c->sentence_len;
	n = claim_keys(t->m->content + c->sentence, c->sentence_len, &by, &t->arena, found);
	for (size_t i = 0; i < n; i++) {
		struct said_key k = { found[i], t->m->row, t->m->time_us, c->sentence,
			c->sentence_len };

		k.key.clause = arena_strndup(&t->arena, found[i].clause, found[i].clause_len);
		if (strcmp(k.key.key, "name") == 0 && strcmp(k.key.about, "user") == 0 &&
		    *t->owner == '\0')
			t->owner = k.key.clause + k.key.value_start;
		xgrow(&t->keys, &t->cap, t->n + 1, sizeof(*t->keys));
		t->keys[t->n++] = k;
	}
	return 0;
}

static int
take_turn(void *arg, const struct message *m)
{
	struct transcripts *t = arg;

	t->m = m;
	t->from = 0;
	t->person[0] = '\0';
	clauses_each(m->content, m->content_len, take_sentence, t);
	return 0;
}

/* "Ann Lee, and ..." without what follows the name. */
static const char *
clip_name(struct arena *a, const char *value)
{
	size_t n = 0;

	while (value[n] == ' ')
		value++;
	while (value[n] != '\0' && strchr(",.;!?\n", value[n]) == NULL &&
	    strncmp(value + n, " and ", 5) != 0)
		n++;
	return arena_strndup(a, value, MIN(n, (size_t)READING_NAME));
}

int
transcripts_open(struct store *s, const struct scope *who, bool words, struct transcripts **out,
	struct err *err)
{
	struct message_filter of_users = MESSAGE_FILTER_ANY;
	struct transcripts *t = xcalloc(1, sizeof(*t));

	t->store = s;
	t->who = who;
	t->owner = "";
	of_users.role = ROLE_USER;
	t->query = (struct search_query){ .strategy = words ? "lexical" : "fused",
		.limit = HITS, .scope = SEARCH_USER, .filter = MESSAGE_FILTER_ANY,
		.now_us = clock_now_us() };
	if (search_open(s, &t->search, err) != 0 ||
	    messages_each(s, who, &of_users, take_turn, t, err) != 0) {
		transcripts_close(t);
		return -1;
	}
	t->owner = clip_name(&t->arena, t->owner);
	*out = t;
	return 0;
}

void
transcripts_close(struct transcripts *t)
{
	if (t == NULL)
		return;
	search_close(t->search);
	free(t->keys);
	free(t->turns.turn.sentences);
	arena_release(&t->turns.arena);
	arena_release(&t->arena);
	free(t);
}

const char *
transcripts_owner(const struct transcripts *t)
{
	return t->owner;
}

/* ---- evidence ---- */

static void
set_evidence(struct evidence *e, const struct message *m, size_t start, size_t len,
	struct arena *a)
{
	e->id = arena_strdup(a, m->id);
	e->session = arena_strdup(a, m->session);
	e->turn = m->turn;
	e->time_us = m->time_us;
	e->len = MIN(len, (size_t)QUOTE_BYTES);
	e->quote = arena_strndup(a, m->content + start, e->len);
}

static int
find_row(struct transcripts *t, int64_t row, struct arena *a, const struct message **m,
	struct err *err)
{
	return messages_by_rows(t->store, t->who, &row, 1, a, m, err);
}

/* ---- turns that are read ---- */

static int
add_sentence(void *arg, const struct clause *c)
{
	static _Thread_local struct said s;
	struct heard_turns *k = arg;
	struct heard_turn *t = &k->turn;

	if (c->sentence < k->from || c->sentence_len == 0)
		return 0;
	k->from = c->sentence + c->sentence_len;
	said_read(&s, k->text + c->sentence, c->sentence_len);
	xgrow(&t->sentences, &k->cap, t->n + 1, sizeof(*t->sentences));
	t->sentences[t->n++] = (struct heard_sentence){ c->sentence, c->sentence_len,
		(c->flags & CLAUSE_QUESTION) != 0, said_keep(&s, &k->arena) };
	return 0;
}

static const struct heard_turn *
read_turn(struct heard_turns *k, const struct message *m)
{
	static _Thread_local struct said s;
	size_t at = hash64_mix((uint64_t)m->row) % TURN_SLOTS, size;

	if (k->n == TURNS_KEPT || k->bytes > TURN_BYTES) {
		memset(k->slots, 0, sizeof(k->slots));
		arena_reset(&k->arena);
		k->n = k->bytes = 0;
	}
	for (; k->slots[at].row != 0; at = (at + 1) % TURN_SLOTS)
		if (k->slots[at].row == m->row)
			return &k->slots[at];
	k->text = m->content;
	k->from = k->turn.n = 0;
	clauses_each(m->content, m->content_len, add_sentence, k);
	said_read(&s, m->content, m->content_len);
	k->slots[at] = (struct heard_turn){ .row = m->row, .n = k->turn.n,
		.words = said_keep(&s, &k->arena) };
	size = k->turn.n * sizeof(*k->turn.sentences);
	if (size > 0)
		k->slots[at].sentences =
		    memcpy(arena_alloc(&k->arena, size), k->turn.sentences, size);
	k->n++;
	k->bytes += m->content_len;
	return &k->slots[at];
}

/* ---- one turn ---- */

struct hearing {
	const struct claim *c;
	const struct said *untimed;        /* its words that are no time */
	struct said *known;                /* the speaker's name; what the claim is listed under */
	bool near;                         /* the turn is not far from the time that it names */
	const struct message *m;
	/* the best sentence, or pair of sentences, of the turn */
	double share;
	size_t start, len;
	bool ended;                        /* ... that it ended */
	bool against;                      /* a sentence that says otherwise was found */
	size_t against_start, against_len;
};

/*
 * Whether a turn may lack the word, because it is known otherwise: the name of the speaker, what
 * the record is listed under, or a date that is not far from the turn's, whose speaker says "on the
 * third", or "last week".
 */
static bool
is_known(const struct hearing *h, const struct said_word *w)
{
	return said_has(h->known, w) || (h->near && !said_has(h->untimed, w));
}

/* The share of the claim's words that a sentence has, or the one before it, which may be NULL. */
static double
share_of(const struct hearing *h, const struct said *text, const struct said *before)
{
	const struct said *claim = h->c->words;
	double all = 0, found = 0;

	for (size_t i = 0; i < claim->n; i++) {
		const struct said_word *w = &claim->w[i];
		double weight = w->number || w->whole || (w->name && !w->first) ? 1.5
		    : w->half						       ? .5
		    : weigh_is_light(w)					       ? LIGHT
									       : 1;

		if (!w->content || w->empty || w->person || w->mine)
			continue;
		if (weigh_has(text, w) || (before != NULL && weigh_has(before, w)))
			found += weight;
		else if (is_known(h, w))
			continue;
		all += weight;
	}
	return all > 0 ? found / all : 0;
}

/* Whether the turn has all numbers, identifiers and names of the claim that are not known else. */
static bool
has_details(const struct hearing *h, const struct said *turn)
{
	for (size_t i = 0; i < h->c->words->n; i++) {
		const struct said_word *w = &h->c->words->w[i];

		if ((w->number || w->whole || (w->name && !w->first)) && !w->person &&
		    !said_has(turn, w) && !is_known(h, w))
			return false;
	}
	return true;
}

/*
 * Whether a sentence says otherwise than the claim. What it denies in one of its parts alone, as
 * "with gel, never with water", must be what the claim says.
 */
static bool
says_otherwise(struct hearing *h, const struct said *text, const char *sentence, size_t len)
{
	static _Thread_local struct said part;
	const char *at = sentence, *end = sentence + len, *why;
	/* dates that are near each other are written in many ways */
	const struct said *claim = h->near ? h->untimed : h->c->words;

	if ((text->stance & STANCE_PAST) == 0)
		ended_read_untimed(&part, sentence, len);
	why = (text->stance & STANCE_PAST) != 0
	    ? NULL
	    : judge_conflict(claim, h->near ? &part : text);
	if (why != NULL && strcmp(why, JUDGE_OPPOSITE) != 0)
		return true;
	while (why != NULL && at < end) {
		struct ended_part p = ended_next_part(&at, end);

		said_read(&part, p.text, p.len);
		why = judge_conflict(claim, &part);
		if (why != NULL && strcmp(why, JUDGE_OPPOSITE) == 0)
			return true;
		why = JUDGE_OPPOSITE;
	}
	h->ended = ended_by(h->c, h->c->words, sentence, len);
	return h->ended;
}

/* Whether a sentence speaks of something that the claim speaks of. */
static bool
has_common(const struct hearing *h, const struct said *text)
{
	for (size_t i = 0; i < text->n; i++)
		if (text->w[i].content && !text->w[i].empty && weigh_has(h->c->words, &text->w[i]))
			return true;
	return false;
}

static void
hear_sentence(struct hearing *h, const struct heard_sentence *s,
	const struct heard_sentence *before)
{
	double share = share_of(h, s->words, NULL);

	if (share > h->share) {
		h->share = share;
		h->start = s->start;
		h->len = s->len;
	}
	share = before != NULL ? share_of(h, s->words, before->words) : 0;
	if (share > h->share + .01) {
		h->share = share;
		h->start = before->start;
		h->len = s->start + s->len - before->start;
	}
	if (h->against || h->c->done || s->question || !has_common(h, s->words) ||
	    !says_otherwise(h, s->words, h->m->content + s->start, s->len))
		return;
	h->against = true;
	h->against_start = s->start;
	h->against_len = s->len;
}

/* Hears a turn about a claim. Returns whether the turn has the claim's details. */
static bool
hear_turn(struct hearing *h, const struct heard_turn *turn)
{
	const struct claim *c = h->c;

	h->near = c->from_us != TIME_NONE && h->m->time_us != TIME_NONE &&
	    h->m->time_us >= c->from_us - NEAR_US && h->m->time_us <= c->to_us + NEAR_US;
	for (size_t i = 0; i < turn->n; i++)
		hear_sentence(h, &turn->sentences[i], i > 0 ? &turn->sentences[i - 1] : NULL);
	return has_details(h, turn->words);
}

/* Whether what is said in m can support the claim at all. */
static bool
may_support(const struct claim *c, const struct message *m)
{
	return m->role != ROLE_SYSTEM && (!c->user || m->role != ROLE_ASSISTANT);
}

/* ---- a claim ---- */

static bool
is_later(int64_t a, int64_t b)
{
	return a != TIME_NONE && b != TIME_NONE && a > b;
}

/* Whether a turn that says otherwise comes behind all that is known of the claim. */
static bool
ends_it(const struct testimony *out, int64_t claim_us, int64_t turn_us, bool ended)
{
	if (out->supported)
		return is_later(turn_us, out->for_it.time_us);
	return (ended && claim_us == TIME_NONE) || is_later(turn_us, claim_us);
}

/* The newest turn that gives one of the claim's properties a value, when that is another. */
static int
look_up_keys(struct transcripts *t, const struct claim *c, int64_t time_us, struct arena *a,
	struct testimony *out, struct err *err)
{
	static _Thread_local struct said turn;
	const struct said_key *newest = NULL;
	const struct message *m;

	for (size_t i = 0; i < t->n; i++)
		for (size_t j = 0; j < c->n_keys; j++)
			if (claim_keys_agree(&t->keys[i].key, &c->keys[j]) &&
			    (newest == NULL || is_later(t->keys[i].time_us, newest->time_us)))
				newest = &t->keys[i];
	if (newest == NULL || !judge_keys(c->keys, c->n_keys, &newest->key, 1) ||
	    !ends_it(out, time_us, newest->time_us, false))
		return 0;
	said_read(&turn, newest->key.clause, newest->key.clause_len);
	if (!judge_is_close(c->words, &turn, newest->key.work))
		return 0;
	if (find_row(t, newest->row, a, &m, err) != 0)
		return -1;
	if (m != NULL)
		set_evidence(&out->against, m, newest->start, newest->len, a);
	return 0;
}

static int
search_turns(struct transcripts *t, const struct claim *c, struct search_result *r,
	struct err *err)
{
	t->query.text = c->said;
	t->query.len = MIN(c->said_len, conf_caps.query_bytes);
	return search_run(t->search, t->who, &t->query, r, err);
}

int
transcripts_hear(struct transcripts *t, const struct claim *c, int64_t time_us,
	const char *about, struct arena *a, struct testimony *out, struct err *err)
{
	static _Thread_local struct said untimed, known;
	struct hearing heard[HITS];
	struct search_result r;
	double best = 0;

	*out = (struct testimony){ false, { .time_us = TIME_NONE }, { .time_us = TIME_NONE } };
	if (search_turns(t, c, &r, err) != 0)
		return -1;
	ended_read_untimed(&untimed, c->said, c->said_len);
	for (size_t i = 0; i < r.n; i++) {
		const struct message *m = r.hits[i].message;
		struct hearing *h = &heard[i];
		const char *names = arena_printf(a, "%s %s", m->name, about);
		bool details;

		*h = (struct hearing){ .c = c, .untimed = &untimed, .known = &known, .m = m };
		said_read(&known, names, strlen(names));
		details = hear_turn(h, read_turn(&t->turns, m));
		if (h->share + (double)r.hits[i].p >= (details ? SUPPORT_MIN : SUPPORT_BARE) &&
		    may_support(c, m) && !h->against && (!out->supported || h->share > best)) {
			best = h->share;
			out->supported = true;
			set_evidence(&out->for_it, m, h->start, h->len, a);
		}
	}
	for (size_t i = 0; i < r.n; i++) {
		const struct hearing *h = &heard[i];

		if (h->against && h->m->role == ROLE_USER &&
		    ends_it(out, time_us, h->m->time_us, h->ended) &&
		    (out->against.id == NULL || is_later(h->m->time_us, out->against.time_us)))
			set_evidence(&out->against, h->m, h->against_start, h->against_len, a);
	}
	return out->against.id != NULL ? 0 : look_up_keys(t, c, time_us, a, out, err);
}

int
transcripts_source(struct transcripts *t, const struct record_source *source, struct arena *a,
	struct evidence *out, struct err *err)
{
	const struct message *m;
	size_t start, len;

	*out = (struct evidence){ .time_us = TIME_NONE };
	if (messages_find(t->store, t->who, source->id, a, &m, err) != 0)
		return -1;
	if (m == NULL)
		return 0;
	start = MIN((size_t)MAX(source->start, 0), m->content_len);
	len = source->length > 0 ? (size_t)source->length : m->content_len;
	set_evidence(out, m, start, MIN(len, m->content_len - start), a);
	return 0;
}
