/*
 * judge.c: two that share most of what they speak of are one statement when neither has a value or
 * a thing of its own where the other has another; they contradict each other when one denies what
 * the other says, or each has a value of one kind that is not the other's.
 */
#include "audit/judge.h"

#include <math.h>
#include <strings.h>

#include "statement/ended.h"
#include "statement/likeness.h"
#include "statement/stance.h"

#define SAME_DICE     .7                  /* of weights, of two that say the same */
#define NEAR_DICE     .65                  /* ... that statement/likeness.h finds near, too */
#define NEAR_DICE_SIM .5                   /* ... whose vectors are nearer than NEAR_SIM */
#define NEAR_SIM      .75
#define WORDS_SIM     .8                   /* of two that differ in one word each */
#define SAME_WEIGHT   1.5                  /* what both say must weigh */
#define PART_WORDS    2                    /* words that a part of another statement has */
#define CONFLICT      .6                   /* of the lighter one, that the other has, too */
#define CONFLICT_WEIGHT .75
#define TURN_WEIGHT   1                    /* ... with a turn; where a number is another */
#define TURN_NUMBER   2
#define CONFLICT_DICE .5
#define DENIED_DICE   .55
#define KEYED_COVER   .5                   /* of two on a key of work */
#define KEYED_THINGS  4                    /* in a statement that says little but its key */
#define PART_DICE     .5
#define ORDER_THINGS  5                    /* from here on another order is another wording */
#define OWN_MOST      4                    /* words that only one has, where a name is another */
#define MARGIN_LEAST  .1                   /* of two that say the same in other words */
#define PARAPHRASE_MIN 2

/* ---- conflicts ---- */

/*
 * Whether what a denies is in b: of the two words behind a negation that weigh most, one is. "No
 * calls after a night shift" does not deny that there are night shifts.
 */
static bool
denies(const struct said *a, const struct said *b)
{
	for (size_t i = 0; i < a->n; i++) {
		unsigned seen = 0;

		if (!a->w[i].negates || a->w[i].pole != 0)
			continue;
		for (size_t j = i + 1; j < a->n && seen < 2; j++) {
			if (weigh_word(&a->w[j]) < .5)
				continue;
			seen++;
			if (weigh_has(b, &a->w[j]))
				return true;
		}
	}
	return false;
}

/*
 * turn: b is a sentence of a turn, which says more than a record does. near: of all records they
 * are nearest to each other, so that a name that only one has is no sign of another thing.
 */
static const char *
conflict_of(const struct weighed_pair *p, const struct said *a, const struct said *b, bool turn,
	bool near)
{
	unsigned names = near || !turn ? MIN(p->a.names, p->b.names) : p->a.names + p->b.names;
	bool opposed = weigh_opposed(a, b);

	if (p->common_things < (turn ? TURN_WEIGHT : CONFLICT_WEIGHT) ||
	    weigh_cover(p) < CONFLICT || weigh_dice(p, false) < CONFLICT_DICE)
		return NULL;
	if (opposed && (weigh_dice(p, false) < DENIED_DICE || weigh_words(a) < 2 ||
	    weigh_words(b) < 2))
		return NULL;
	if (opposed && weigh_denies(a) != weigh_denies(b))
		return denies(a, b) || denies(b, a) ? JUDGE_OPPOSITE : NULL;
	if (opposed)
		return JUDGE_OPPOSITE;
	if (((a->stance ^ b->stance) & (STANCE_FUTURE | STANCE_HAPPENED)) != 0)
		return NULL;
	if (p->a.numbers > 0 && p->b.numbers > 0 && names == 0 &&
	    (p->a.units > 0) == (p->b.units > 0) && p->numbers == 0 &&
	    (!turn || p->common_things >= TURN_NUMBER))
		return "the same, but for a number";
	if (p->a.class != 0 && p->a.class == p->b.class &&
	    (p->a.numbers == 0 || p->b.numbers == 0))
		return p->a.class <= 5 ? "the same, but for a time" : "the same, but for a word";
	return NULL;
}

const char *
judge_conflict(const struct said *claim, const struct said *turn)
{
	struct weighed_pair p;

	weigh_pair(&p, claim, turn, NULL);
	return conflict_of(&p, claim, turn, true, false);
}

/* ---- the same ---- */

/* Whether one has a value or a name where the other has another. */
static bool
differ_in_value(const struct weighed_pair *p)
{
	return (p->a.numbers > 0 && p->b.numbers > 0) ||
	    (p->a.class != 0 && p->a.class == p->b.class) || (p->a.names > 0 && p->b.names > 0);
}

static const char *
find_same(const struct weighed_pair *p, const struct likeness *l, double sim, bool opposed)
{
	double dice = weigh_dice(p, true), least = MIN(p->a.all, p->b.all);
	bool veto = l->differs != NULL && strcmp(l->differs, "part") != 0 &&
	    strcmp(l->differs, "words") != 0 &&
	    strcmp(l->differs, "names") != 0 && strcmp(l->differs, "numbers") != 0 &&
	    strcmp(l->differs, "order") != 0;

	if (opposed || differ_in_value(p) || (l->differs != NULL &&
	    strcmp(l->differs, "order") == 0 && MIN(p->a.n_things, p->b.n_things) < ORDER_THINGS))
		return NULL;
	if (l->is_near && dice >= (sim >= NEAR_SIM ? NEAR_DICE_SIM : NEAR_DICE))
		return "says the same";
	if (dice >= PART_DICE && ((p->a.n_things >= PART_WORDS && p->a.own_things == 0) ||
	    (p->b.n_things >= PART_WORDS && p->b.own_things == 0)))
		return "one says all that the other says";
	if (!veto && dice >= SAME_DICE && least >= SAME_WEIGHT && p->common >= SAME_WEIGHT &&
	    !(l->differs != NULL && strcmp(l->differs, "words") == 0 && p->a.own >= 1 &&
		p->b.own >= 1 && !(sim >= WORDS_SIM)) && p->a.numbers + p->b.numbers == 0)
		return "says the same";
	return NULL;
}

/*
 * Whether they say the same in other words: they are nearer to each other than to all other records
 * of the memory, and share enough of what they speak of. Weights are those of a logistic regression
 * on the fault sets (tests/fixtures/audit), and on pairs of two thousand statements of long chats
 * that speak of the same things again and again.
 */
static bool
is_paraphrase(const struct weighed_pair *p, double margin)
{
	double specific = MIN(MIN(p->a.same_names, p->b.same_names) + p->numbers, 2);

	/* of two that differ in one word, or in their order, that is what makes them two */
	if (p->a.own_things == 0 || p->b.own_things == 0 || p->a.own_things + p->b.own_things < 3 ||
	    !(margin >= MARGIN_LEAST))
		return false;
	return 1.5 * weigh_dice(p, true) + 1.3 * specific + 5.5 * margin + p->common_things -
	    .74 * MAX(p->a.own, p->b.own) >= PARAPHRASE_MIN;
}

/* Whether one speaks of what was, will be or has become otherwise, and the other does not. */
static bool
differ_in_time(const struct said *a, const struct said *b)
{
	return a->change != b->change ||
	    ((a->stance ^ b->stance) & (STANCE_FUTURE | STANCE_PAST | STANCE_ENDED)) != 0;
}

/* ---- contradictions ---- */

bool
judge_keys(const struct claim_key *a, size_t n_a, const struct claim_key *b, size_t n_b)
{
	bool differ = false;

	for (size_t i = 0; i < n_a; i++)
		for (size_t j = 0; j < n_b; j++)
			if (claim_keys_agree(&a[i], &b[j])) {
				if (claim_values_agree(&a[i], &b[j]))
					return false;
				differ = true;
			}
	return differ;
}

static bool
have_key(const struct claim *a, const struct claim *b)
{
	for (size_t i = 0; i < a->n_keys; i++)
		for (size_t j = 0; j < b->n_keys; j++)
			if (claim_keys_agree(&a->keys[i], &b->keys[j]))
				return true;
	return false;
}

/* Whether it says what or where something is, which is one thing at a time. */
static bool
says_state(const struct said *s)
{
	static const char *const words[] = { "work", "live", "run", "host", "base", "locat",
		"held", "store", "kept", "written", "plan" };

	for (size_t i = 0; i < s->n; i++)
		if (s->w[i].copula || weigh_is_any(&s->w[i], words, NELEM(words)))
			return true;
	return false;
}

/* Whether they say of one thing what or where it is, and name another thing or place. */
static bool
is_replaced(const struct weighed_pair *p, const struct said *a, const struct said *b)
{
	return p->common_things >= 1 && says_state(a) && says_state(b) && p->a.names > 0 &&
	    p->b.names > 0 && p->a.own + p->b.own <= OWN_MOST;
}

/* Whether they name different times: what was so then, and what is so later, may both be true. */
static bool
are_apart(const struct claim *a, const struct claim *b)
{
	return a->from_us != TIME_NONE && b->from_us != TIME_NONE &&
	    (a->to_us <= b->from_us || b->to_us <= a->from_us);
}

/* Whether it says what is so again and again: "on Fridays", "every Friday". */
static bool
is_habit(const struct claim *c)
{
	static const char *const words[] = { "days", "every", "each" };

	for (size_t i = 0; i < c->said_len; i++)
		for (size_t k = 0; k < NELEM(words); k++) {
			size_t n = strlen(words[k]);

			if (n <= c->said_len - i && strncasecmp(c->said + i, words[k], n) == 0)
				return true;
		}
	return false;
}

/* Whether whom b is about is named in a: "other:Pieter", and "the assistant is Pieter". */
static bool
names_about(const struct claim *a, const struct claim *b)
{
	for (size_t i = 0; i < b->named->n; i++)
		if (weigh_has(a->words, &b->named->w[i]))
			return true;
	return false;
}

/* Whether it says nothing of who it is about: "lives in Oslo", "each key may be used once". */
static bool
is_open(const struct claim *c)
{
	const struct said *s = c->words;

	for (size_t i = 0; i < s->n; i++)
		if (s->w[i].person || s->w[i].mine)
			return false;
	return strcmp(c->about, "user") == 0 && (s->stance & STANCE_KIN) == 0;
}

static bool
are_about_one(const struct claim *a, const struct claim *b, bool named)
{
	if (strcasecmp(a->about, b->about) == 0 || names_about(a, b) || names_about(b, a))
		return true;
	return !named && ((a->words->stance ^ b->words->stance) & STANCE_KIN) == 0 &&
	    (is_open(a) || is_open(b));
}

static bool
is_close(const struct weighed_pair *p, bool work)
{
	if (work && (weigh_cover(p) < KEYED_COVER || p->a.same_names + p->b.same_names > 0))
		return false;
	return p->common_things >= CONFLICT_WEIGHT ||
	    (p->a.n_things <= KEYED_THINGS && p->b.n_things <= KEYED_THINGS);
}

static bool
is_work(const struct claim *c)
{
	for (size_t i = 0; i < c->n_keys; i++)
		if (c->keys[i].work)
			return true;
	return false;
}

bool
judge_is_close(const struct said *a, const struct said *b, bool work)
{
	struct weighed_pair p;

	weigh_pair(&p, a, b, NULL);
	return is_close(&p, work);
}

void
judge_claims(const struct claim *a, const struct claim *b, const struct judge_about *about,
	struct verdict *out)
{
	const struct said *x = a->words, *y = b->words;
	bool near = about->margin >= MARGIN_LEAST;
	struct likeness l;
	struct weighed_pair p;

	*out = (struct verdict){ .same = true };
	if (a->plain == b->plain) {
		out->why = "the same words";
		return;
	}
	if (!are_about_one(a, b, about->named) || about->others)
		return;
	likeness(x, y, about->sim, have_key(a, b), &l);
	weigh_pair(&p, x, y, about->counts);
	out->why = find_same(&p, &l, about->sim, weigh_opposed(x, y));
	if (out->why != NULL)
		return;
	out->same = false;
	if (a->done || (are_apart(a, b) && !(is_habit(a) && is_habit(b))))
		return;
	out->why = conflict_of(&p, x, y, false, near);
	if (out->why == NULL && is_close(&p, is_work(a) && is_work(b)) &&
	    judge_keys(a->keys, a->n_keys, b->keys, b->n_keys))
		out->why = "of one thing that has one value, each gives another";
	if (out->why == NULL && ended_text(a->said, a->said_len, b->said, b->said_len))
		out->why = "the later one says that the other holds no more";
	if (out->why == NULL && l.differs != NULL && is_replaced(&p, x, y))
		out->why = "the same, but for a name";
	if (out->why == NULL && !weigh_opposed(x, y) && !differ_in_value(&p) &&
	    !differ_in_time(x, y) && strstr(a->said, "[REDACTED:") == NULL &&
	    is_paraphrase(&p, about->margin)) {
		out->same = true;
		out->why = "says the same in other words";
	}
}
