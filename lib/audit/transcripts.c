/*
 * transcripts.c: a claim is searched for like a question, and each sentence found is held against
 * it word by word. A property that has one value at a time is looked up as well, because "we moved
 * to Bergen" has no word of "lives in Oslo".
 */
#include "audit/transcripts.h"

#include <math.h>
#include <strings.h>

#include "audit/compare.h"
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/conf.h"
#include "search/search.h"
#include "statement/clause.h"
#include "statement/likeness.h"
#include "time/timewords.h"

#define HITS         12
/*
 * The share of a claim's words in the best sentence of a turn, and the probability that the turn
 * answers the claim as a question (rank/answer_probability.h), must add up to this. Of notes that
 * rest on a chat, 94 of 100 are supported then, and 4 of 100 that rest on another one.
 */
#define SUPPORT_MIN  .85
#define SHARE_END    .5                    /* of the words of "I quit ...", that a claim has */
#define QUOTE_BYTES  400
#define SENTENCE_BYTES 2000
#define SPANS_MOST   8

/* What a turn says of one property. */
struct said_key {
	struct claim_key key;
	int64_t row, time_us;
	size_t start, len;                 /* bytes of the sentence */
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

/* ---- one turn ---- */

struct hearing {
	const struct claim *c;
	struct said claim;                 /* its words */
	const struct message *m;
	size_t before, from;               /* the sentence before, and the end of the last */
	/* the best sentence, or pair of sentences, of the turn */
	double share;
	size_t start, len;
	bool against;                      /* a sentence that says otherwise was found */
	size_t against_start, against_len;
};

/* The share of the claim's words that a text has. */
static double
share_of(const struct said *claim, const struct said *text)
{
	double all = 0, found = 0;

	for (size_t i = 0; i < claim->n; i++) {
		const struct said_word *w = &claim->w[i];
		double weight = w->number || w->whole || (w->name && !w->first) ? 1.5
		    : w->half						       ? .5
									       : 1;

		if (!w->content || w->empty || w->person || w->mine)
			continue;
		all += weight;
		for (size_t j = 0; j < text->n; j++)
			if (said_same(w, &text->w[j])) {
				found += weight;
				break;
			}
	}
	return all > 0 ? found / all : 0;
}

/* Whether the turn, or its speaker's name, has all numbers, identifiers and names of the claim. */
static bool
has_details(const struct said *claim, const struct message *m, struct arena *a)
{
	static _Thread_local struct said text;
	const char *all = arena_printf(a, "%s %.*s", m->name,
	    (int)MIN(m->content_len, (size_t)INT16_MAX), m->content);

	said_read(&text, all, strlen(all));
	for (size_t i = 0; i < claim->n; i++) {
		const struct said_word *w = &claim->w[i];
		bool has = !(w->number || w->whole || (w->name && !w->first)) || w->person;

		for (size_t j = 0; j < text.n && !has; j++)
			has = said_same(w, &text.w[j]);
		if (!has)
			return false;
	}
	return true;
}

/*
 * Reads a text without its words of time: "I left the choir last month" speaks of no month; and
 * without those of an end that are two.
 */
static void
read_untimed(struct said *s, const char *text, size_t len)
{
	static const char *const ends[] = { "gave up ", "given up ", "giving up " };
	struct time_span spans[SPANS_MOST];
	char bare[SENTENCE_BYTES];
	size_t n;

	len = MIN(len, sizeof(bare) - 1);
	memcpy(bare, text, len);
	bare[len] = '\0';
	n = timewords_find(bare, len, 0, spans, NELEM(spans));
	for (size_t i = 0; i < n; i++)
		memset(bare + spans[i].start, ' ', spans[i].end - spans[i].start);
	for (size_t i = 0; i < len; i++)
		for (size_t k = 0; k < NELEM(ends); k++)
			if (strncasecmp(bare + i, ends[k], strlen(ends[k])) == 0)
				memset(bare + i, ' ', strlen(ends[k]));
	said_read(s, bare, len);
}

/* Of the words of s that say something, those that the claim has. */
static size_t
common_words(const struct said *claim, const struct said *s, size_t *n)
{
	size_t common = 0;

	*n = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct said_word *w = &s->w[i];
		bool has = false;

		if (!w->content || w->empty || w->person || w->mine)
			continue;
		++*n;
		for (size_t j = 0; j < claim->n && !has; j++)
			has = said_same(w, &claim->w[j]);
		common += has;
	}
	return common;
}

/* Where one of the words stands in a text, by itself; NULL: nowhere. *len its bytes. */
static const char *
find_word(const char *text, size_t n, const char *const words[], size_t n_words, size_t *len)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n_words; k++) {
			*len = strlen(words[k]);
			if (*len < n - i && strncasecmp(text + i, words[k], *len) == 0 &&
			    (i == 0 || words[k][0] == ' ' || !ascii_is_alnum(text[i - 1])))
				return text + i;
		}
	return NULL;
}

/*
 * Whether a sentence says that what the claim has gave way to something that it has not: "we
 * replaced Redis with Valkey for the cache", and "Redis is the cache". What it says besides must
 * be about the claim.
 */
static bool
says_replaced(const struct said *claim, const char *text, size_t len)
{
	static const struct { const char *verbs[5], *to[3]; } forms[] = {
		{ { "replaced ", "replace ", "replacing ", "swapped ", "exchanged " },
		    { " with ", " by ", " for " } },
		{ { "switched from ", "moved from ", "migrated from ", "changed from ",
		    "went from " }, { " to ", " over to ", " onto " } },
	};
	static _Thread_local struct said part;

	for (size_t f = 0; f < NELEM(forms); f++) {
		size_t n_verb, n_to, n, end;
		const char *verb = find_word(text, len, forms[f].verbs, 5, &n_verb), *old, *to;

		if (verb == NULL)
			continue;
		old = verb + n_verb;
		to = find_word(old, len - (size_t)(old - text), forms[f].to, 3, &n_to);
		if (to == NULL)
			continue;
		said_read(&part, old, (size_t)(to - old));
		if (common_words(claim, &part, &n) != n || n == 0)
			continue;
		/* the new one is the first word behind */
		for (end = (size_t)(to - text) + n_to; end < len && text[end] != ' '; end++)
			;
		said_read(&part, to + n_to, end - (size_t)(to - text) - n_to);
		if (common_words(claim, &part, &n) > 0 || n == 0)
			continue;
		read_untimed(&part, text + end, len - end);
		if (common_words(claim, &part, &n) > 0)
			return true;
		if (n > 0)
			continue;
		read_untimed(&part, text, (size_t)(verb - text));
		if (common_words(claim, &part, &n) > 0 || n == 0)
			return true;
	}
	return false;
}

/*
 * Whether a sentence that says that something ended speaks of what the claim says: "I quit the
 * clinic", and "works at a clinic".
 */
static bool
says_end(const struct said *claim, const char *text, size_t len)
{
	static _Thread_local struct said s;
	struct reading r;
	size_t n = 0, common = 0;

	/* "... and bought a new one" */
	for (size_t at = 1; at + 5 < len; at++)
		if (strncmp(text + at, " and ", 5) == 0)
			len = at;
	reading_of(text, len, NULL, &r);
	if (!r.ends || strcmp(r.about, "user") != 0)
		return false;
	read_untimed(&s, text, len);
	for (size_t i = 0; i < s.n; i++) {
		/* the word for the end itself stands for nothing of the claim */
		if (!s.w[i].content || s.w[i].empty || s.w[i].person || s.w[i].mine ||
		    s.w[i].negates)
			continue;
		n++;
		for (size_t j = 0; j < claim->n; j++)
			if (said_same(&s.w[i], &claim->w[j]) &&
			    s.w[i].pole == claim->w[j].pole && s.w[i].turn == claim->w[j].turn) {
				common++;
				break;
			}
	}
	return common > 0 && (double)common >= SHARE_END * (double)n;
}

static int
hear_sentence(void *arg, const struct clause *c)
{
	static _Thread_local struct said text;
	struct hearing *h = arg;
	struct likeness l;
	double share;

	if (c->sentence < h->from || c->sentence_len == 0)
		return 0;
	for (int wide = 0; wide < 2; wide++) {
		size_t start = wide ? h->before : c->sentence;
		size_t len = c->sentence + c->sentence_len - start;

		if (wide && start == c->sentence)
			break;
		said_read(&text, h->m->content + start, len);
		share = share_of(&h->claim, &text);
		if (share > h->share + (wide ? .01 : 0)) {
			h->share = share;
			h->start = start;
			h->len = len;
		}
		if (wide || (c->flags & CLAUSE_QUESTION) != 0)
			continue;
		likeness(&h->claim, &text, (double)NAN, false, &l);
		if (!h->against && (l.opposite ||
		    (!h->c->done && says_replaced(&h->claim, h->m->content + start, len)) ||
		    (strcmp(h->c->about, "user") == 0 && !h->c->done &&
		    says_end(&h->claim, h->m->content + c->start, c->len)))) {
			h->against = true;
			h->against_start = start;
			h->against_len = len;
		}
	}
	h->before = c->sentence;
	h->from = c->sentence + c->sentence_len;
	return 0;
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
ends_it(const struct testimony *out, int64_t claim_us, int64_t turn_us)
{
	if (out->supported)
		return is_later(turn_us, out->for_it.time_us);
	return is_later(turn_us, claim_us);
}

/* The newest turn that gives one of the claim's properties a value, when that is another. */
static int
look_up_keys(struct transcripts *t, const struct claim *c, int64_t time_us, struct arena *a,
	struct testimony *out, struct err *err)
{
	const struct said_key *newest = NULL;
	const struct message *m;

	for (size_t i = 0; i < t->n; i++)
		for (size_t j = 0; j < c->n_keys; j++)
			if (claim_keys_agree(&t->keys[i].key, &c->keys[j]) &&
			    (newest == NULL || is_later(t->keys[i].time_us, newest->time_us)))
				newest = &t->keys[i];
	if (newest == NULL || !compare_keys(c->keys, c->n_keys, &newest->key, 1) ||
	    !ends_it(out, time_us, newest->time_us))
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
transcripts_hear(struct transcripts *t, const struct claim *c, int64_t time_us, struct arena *a,
	struct testimony *out, struct err *err)
{
	static _Thread_local struct hearing h;
	struct search_result r;
	double best = 0;

	*out = (struct testimony){ false, { .time_us = TIME_NONE }, { .time_us = TIME_NONE } };
	if (search_turns(t, c, &r, err) != 0)
		return -1;
	for (size_t i = 0; i < r.n; i++) {
		const struct message *m = r.hits[i].message;
		bool enough;

		h = (struct hearing){ .c = c, .m = m };
		said_read(&h.claim, c->said, c->said_len);
		clauses_each(m->content, m->content_len, hear_sentence, &h);
		enough = h.share + (double)r.hits[i].p >= SUPPORT_MIN && may_support(c, m) &&
		    !h.against && has_details(&h.claim, m, a);
		if (enough && (!out->supported || h.share > best)) {
			best = h.share;
			out->supported = true;
			set_evidence(&out->for_it, m, h.start, h.len, a);
		}
	}
	for (size_t i = 0; i < r.n; i++) {
		const struct message *m = r.hits[i].message;

		h = (struct hearing){ .c = c, .m = m };
		said_read(&h.claim, c->said, c->said_len);
		clauses_each(m->content, m->content_len, hear_sentence, &h);
		if (h.against && m->role == ROLE_USER && ends_it(out, time_us, m->time_us) &&
		    (out->against.id == NULL || is_later(m->time_us, out->against.time_us)))
			set_evidence(&out->against, m, h.against_start, h.against_len, a);
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
