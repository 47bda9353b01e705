/*
 * hearing.c: a turn is cut into sentences, whose words are compared with those of the claim. What
 * ends it, or gives it another value, is told by statement/judge.h.
 */
#include "audit/hearing.h"

#include "audit/clash.h"
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "statement/clause.h"
#include "statement/cues.h"
#include "statement/judge.h"
#include "statement/weigh.h"

#define LIGHT        .5                    /* what "has", "uses" and the like weigh */
#define EXACT_SHARE  .7                    /* of a claim's words, in a sentence that bears it out */
#define EXACT_HAN    .85                   /* ... of its characters, where it is Chinese */
#define SENTENCE_MOST 400                  /* bytes; of a longer one each clause is heard */
#define NEAR_US      (INT64_C(200) * 24 * 3600 * 1000000)  /* a year is not said within these */
#define TURN_SLOTS   4096
#define TURNS_KEPT   2048                  /* then they are dropped ... */
#define TURN_BYTES   (UINT64_C(2) << 20)   /* ... or when their texts come to this */

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

/* ---- what may be so beside each other ---- */

#define TABLE "schema/cues/apart.txt"

struct side { const char *text; size_t len; struct cue_text found; };

static void
read_side(struct side *s, const char *text, size_t len)
{
	s->text = text;
	s->len = len;
	cue_text_read(&s->found, TABLE, text, len);
}

/* Whether b has the words of the cue, too. */
static bool
has_same(const struct side *a, const struct cue *cue, const struct side *b)
{
	for (size_t i = 0; i < b->found.n; i++) {
		const struct cue *other = &b->found.cues[i];
		size_t n = 0;

		while (n < cue->len && other->len == cue->len &&
		    ascii_lower((unsigned char)a->text[cue->start + n]) ==
			ascii_lower((unsigned char)b->text[other->start + n]))
			n++;
		if (n == cue->len)
			return true;
	}
	return false;
}

/* Whether a has a word by which it may be of something else than b. */
static bool
has_own(const struct side *a, const struct side *b, bool number, bool denied)
{
	for (size_t i = 0; i < a->found.n; i++) {
		const struct cue *cue = &a->found.cues[i];

		if (cue_text_is(&a->found, cue, "bounds") ? number
		    : cue_text_is(&a->found, cue, "case") ? denied : !has_same(a, cue, b))
			return true;
	}
	return false;
}

/* Whether a date stands in it as "2024-03-03", "3.3.2024" or "3/3". */
static bool
has_date(const struct side *s)
{
	for (size_t i = 0; i + 2 < s->len; i++) {
		size_t parts = 0, at = i;

		if (!ascii_is_digit(s->text[i]) || (i > 0 && ascii_is_alnum(s->text[i - 1])))
			continue;
		for (; at < s->len && (ascii_is_digit(s->text[at]) ||
		    (strchr("-./", s->text[at]) != NULL && at + 1 < s->len &&
			ascii_is_digit(s->text[at + 1]))); at++)
			parts += !ascii_is_digit(s->text[at]);
		if (parts == 2)
			return true;
		i = at;
	}
	return false;
}

/* ---- turns that are read ---- */

struct heard_turns *
heard_turns_new(void)
{
	return xcalloc(1, sizeof(struct heard_turns));
}

void
heard_turns_free(struct heard_turns *k)
{
	if (k == NULL)
		return;
	free(k->turn.sentences);
	arena_release(&k->arena);
	free(k);
}

static int
add_sentence(void *arg, const struct clause *c)
{
	static _Thread_local struct said s;
	struct heard_turns *k = arg;
	struct heard_turn *t = &k->turn;
	bool whole = c->sentence_len <= SENTENCE_MOST;
	size_t start = whole ? c->sentence : c->start, len = whole ? c->sentence_len : c->len;

	if (start < k->from || len == 0)
		return 0;
	k->from = start + len;
	said_read(&s, k->text + start, len);
	*xpush(t->sentences, t->n, k->cap) = (struct heard_sentence){ start, len,
		(c->flags & CLAUSE_QUESTION) != 0, said_keep(&s, &k->arena) };
	return 0;
}

const struct heard_turn *
heard_turns_read(struct heard_turns *k, const struct message *m)
{
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
	k->slots[at] = (struct heard_turn){ .row = m->row, .n = k->turn.n };
	size = k->turn.n * sizeof(*k->turn.sentences);
	if (size > 0)
		k->slots[at].sentences =
		    memcpy(arena_alloc(&k->arena, size), k->turn.sentences, size);
	k->n++;
	k->bytes += m->content_len;
	return &k->slots[at];
}

/* ---- one turn ---- */

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

/* The share of the claim's words that a sentence has. */
static double
share_of(const struct hearing *h, const struct said *text)
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
		if (weigh_has(text, w))
			found += weight;
		else if (is_known(h, w))
			continue;
		all += weight;
	}
	return all > 0 ? found / all : 0;
}

/* Whether a sentence says otherwise than the claim, or that it has ended. */
static bool
says_otherwise(struct hearing *h, const struct said *text, const char *sentence, size_t len)
{
	const struct judge_side claim = judge_side(h->c->said, h->c->said_len, h->c->words),
				said = judge_side(sentence, len, text);
	struct judged j;

	judge(&claim, &said, &j);
	h->ended = j.ends;
	return j.ends || j.against != NULL;
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

/*
 * Whether the claim and a sentence that differ in a number or in a negation may both hold: "about
 * 30", "per person", "the second one", "after noon", "when it is full", a date in another form.
 */
static bool
may_be_apart(const struct hearing *h, const struct heard_sentence *s, const struct clash *c)
{
	static _Thread_local struct side x, y;

	read_side(&x, h->c->said, h->c->said_len);
	read_side(&y, h->m->content + s->start, s->len);
	return has_own(&x, &y, c->number, c->denied) || has_own(&y, &x, c->number, c->denied) ||
	    (c->number && has_date(&x) != has_date(&y));
}

/* The share of the claim that a sentence bears out; notes one that clashes with it. */
static double
exact_share(struct hearing *h, const struct heard_sentence *s)
{
	struct clash clash;
	bool han = false;

	clash_find(h->c->words, s->words, h->known, &clash);
	if (clash.why != NULL && !s->question && clash.n_shared > h->clash_shared &&
	    !may_be_apart(h, s, &clash)) {
		h->clash = clash.why;
		h->clash_shared = clash.n_shared;
		h->clash_start = s->start;
		h->clash_len = s->len;
	}
	double share = clash.bears && !s->question ? share_of(h, s->words) : 0;
	for (size_t i = 0; i < h->c->words->n; i++)
		han |= h->c->words->w[i].half;
	return share >= (han ? EXACT_HAN : EXACT_SHARE) ? share : 0;
}

static void
hear_sentence(struct hearing *h, const struct heard_sentence *s)
{
	double share = h->exact ? exact_share(h, s) : share_of(h, s->words);

	if (share > h->share) {
		h->share = share;
		h->start = s->start;
		h->len = s->len;
	}
	if (h->against || h->c->done || s->question || !has_common(h, s->words) ||
	    !says_otherwise(h, s->words, h->m->content + s->start, s->len))
		return;
	h->against = true;
	h->against_start = s->start;
	h->against_len = s->len;
}

void
hearing_take(struct hearing *h, const struct heard_turn *turn)
{
	const struct claim *c = h->c;

	h->near = c->from_us != TIME_NONE && h->m->time_us != TIME_NONE &&
	    h->m->time_us >= c->from_us - NEAR_US && h->m->time_us <= c->to_us + NEAR_US;
	for (size_t i = 0; i < turn->n; i++)
		hear_sentence(h, &turn->sentences[i]);
}

bool
hearing_may_support(const struct claim *c, const struct message *m)
{
	return m->role != ROLE_SYSTEM && (!c->user || m->role != ROLE_ASSISTANT);
}
