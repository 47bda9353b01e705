/*
 * digest.c: numbers the terms of each unit, then passes over all units once for each that is
 * picked. The constants were tried on real histories of four kinds; the result changes little
 * around these values.
 */
#include "rank/digest.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/keyed.h"
#include "math/real.h"
#include "text/tokens.h"
#include "text/words.h"

#define AGAIN      .3              /* factor on a word's gain each time that it has been picked */
#define ONCE       .3              /* gain of a word of one turn; of more: the logarithm of 1 + n */
#define LONG       .7              /* exponent of the cost: below 1 long units gain */
#define COVERED    4
#define LEAST_GAIN .01             /* of a unit whose words have all been picked */
#define BETWEEN    2               /* quarters between units: a blank, a full stop */

/* One that the text has; turn: the last that had it. */
struct term {
	uint64_t hash;
	uint32_t last_unit, turn, n_turns, n_picked;
	float length;
};

struct picker {
	struct term *terms;
	struct keyed places;               /* in terms, from 1, by hash */
	uint32_t *of;                      /* the terms of all units, one unit after the other */
	size_t n_terms, cap_terms, n_of, cap_of;
	uint32_t unit, turn;
};

/* Long words are rare ones: a weight that needs no counts of a language. */
static float
length_weight(size_t len)
{
	return MIN(1.5F, .4F + .12F * (float)len);
}

/* Adds each content term of a unit once. */
static int
add_term(void *arg, const struct word *w)
{
	struct picker *p = arg;
	uint64_t hash = hash64(w->term, w->len, 0);

	if (w->stop || w->kind == WORD_PART || w->kind == WORD_CHAR)
		return 0;
	struct keyed_slot *at = keyed_at(&p->places, hash);
	if (at->value == 0) {
		*xpush(p->terms, p->n_terms, p->cap_terms) =
		    (struct term){ hash, UINT32_MAX, UINT32_MAX, 0, 0,
			(unsigned char)*w->term < 0x80 ? length_weight(w->len) : 1 };
		at->value = p->n_terms;
	}
	uint32_t no = (uint32_t)at->value - 1;
	if (p->terms[no].last_unit == p->unit)
		return 0;
	p->terms[no].n_turns += p->terms[no].turn != p->turn;
	p->terms[no].turn = p->turn;
	p->terms[no].last_unit = p->unit;
	*xpush(p->of, p->n_of, p->cap_of) = no;
	return 0;
}

/* AGAIN to the power of n, which is small. */
static double
repeated(uint32_t n)
{
	double x = 1;

	while (n-- > 0)
		x *= AGAIN;
	return x;
}

struct unit_state { uint64_t quarters; bool picked; };

struct picking {
	struct picker *terms;
	const struct digest_unit *units;
	const size_t *from;                /* [n + 1] where the terms of each unit begin */
	struct unit_state *state;
	bool *has_line;                    /* of each turn */
};

/* What the words of a unit add that have not been picked as often yet. */
static double
gain_of(const struct picking *v, size_t i)
{
	double gain = LEAST_GAIN;

	for (size_t k = v->from[i]; k < v->from[i + 1]; k++) {
		const struct term *t = &v->terms->terms[v->terms->of[k]];
		gain += (t->n_turns > 1 ? real_log(1 + t->n_turns) : ONCE) * t->length *
		    repeated(t->n_picked);
	}
	return gain * (double)v->units[i].value;
}

static uint64_t
cost_of(const struct picking *v, size_t i)
{
	uint64_t head = v->has_line[v->units[i].turn] ? 0 : v->units[i].head_quarters;

	return head + v->state[i].quarters + BETWEEN;
}

/* What it costs together with all that it is picked with. */
static uint64_t
cost_of_all(const struct picking *v, size_t i)
{
	uint64_t cost = 0;

	do {
		cost += v->state[i].picked ? 0 : cost_of(v, i);
		i = v->units[i].later;
	} while (i > 0);
	return cost;
}

static void
pick(struct picking *v, size_t i)
{
	v->has_line[v->units[i].turn] = true;
	for (size_t k = v->from[i]; k < v->from[i + 1]; k++)
		v->terms->terms[v->terms->of[k]].n_picked++;
	v->state[i].picked = true;
}

static size_t
pick_all(struct picking *v, size_t n, uint64_t budget, uint32_t *out)
{
	size_t n_out = 0;

	for (;;) {
		size_t best = n;
		double best_gain = 0;
		for (size_t i = 0; i < n; i++) {
			uint64_t cost;
			if (v->state[i].picked || v->units[i].value <= 0 ||
			    cost_of_all(v, i) > budget)
				continue;
			cost = cost_of(v, i);
			double gain = gain_of(v, i) / real_pow((double)cost, LONG);
			if (gain > best_gain) {
				best_gain = gain;
				best = i;
			}
		}
		if (best == n)
			break;
		do {
			if (!v->state[best].picked) {
				budget -= cost_of(v, best);
				pick(v, best);
			}
			best = v->units[best].later;
		} while (best > 0);
	}
	for (size_t i = 0; i < n; i++)
		if (v->state[i].picked)
			out[n_out++] = (uint32_t)i;
	return n_out;
}

/* Counts a word of `covered` as picked, so that it gains nothing. */
static int
on_covered(void *arg, const struct word *w)
{
	struct picker *p = arg;
	uint64_t place = keyed_value(&p->places, hash64(w->term, w->len, 0));

	if (place > 0)
		p->terms[place - 1].n_picked = COVERED;
	return 0;
}

size_t
digest_pick(const struct digest_unit *units, size_t n, const char *covered, size_t covered_len,
	uint64_t budget, uint32_t *out)
{
	struct picker p = { .terms = NULL };
	FREED size_t *from = xcalloc(n + 1, sizeof(*from));
	size_t n_out;
	struct picking v = { &p, units, from, xcalloc(n + 1, sizeof(*v.state)),
		xcalloc(n > 0 ? (size_t)units[n - 1].turn + 1 : 1, sizeof(*v.has_line)) };

	for (size_t i = 0; i < n; i++) {
		p.unit = (uint32_t)i;
		p.turn = units[i].turn;
		from[i] = p.n_of;
		words_each(units[i].text, units[i].len, add_term, &p);
		v.state[i].quarters = tokens_quarters(units[i].text, units[i].len);
	}
	from[n] = p.n_of;
	words_each(covered, covered_len, on_covered, &p);
	n_out = pick_all(&v, n, budget, out);
	free(p.terms);
	keyed_release(&p.places);
	free(p.of);
	free(v.state);
	free(v.has_line);
	return n_out;
}
