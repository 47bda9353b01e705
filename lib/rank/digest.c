/*
 * digest.c: numbers the terms of each unit, then passes over all units once for each that is
 * picked. The constants were tried on the sessions of tests/bench/salience.py; the result changes
 * little around these values.
 */
#include "rank/digest.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "text/tokens.h"
#include "text/words.h"

#define AGAIN      .5              /* factor on a word's gain each time that it has been picked */
#define COVERED    4
#define LEAST_GAIN .01             /* of a unit whose words have all been picked */
#define BETWEEN    2               /* quarters between units: a blank, a full stop */
#define CHAIN      4               /* units that are picked together, as each leans on another */

/* last_seen: the last unit, later the last count, that had it */
struct term { uint64_t hash; uint64_t last_seen; uint32_t n_picked; };

struct picker {
	struct term *terms;
	/* hash table of term numbers + 1; the terms of all units, one unit after the other */
	uint32_t *table, *of;
	size_t n_terms, cap_terms, n_of, cap_of, table_size;
	uint32_t unit;
};

static size_t
term_place(const struct picker *p, uint64_t hash)
{
	size_t i = hash & (p->table_size - 1);

	while (p->table[i] != 0 && p->terms[p->table[i] - 1].hash != hash)
		i = (i + 1) & (p->table_size - 1);
	return i;
}

static void
grow_table(struct picker *p)
{
	if (p->n_terms * 2 < p->table_size)
		return;
	free(p->table);
	p->table_size = MAX(p->table_size * 2, 1024);
	p->table = xcalloc(p->table_size, sizeof(*p->table));
	for (size_t i = 0; i < p->n_terms; i++)
		p->table[term_place(p, p->terms[i].hash)] = (uint32_t)i + 1;
}

/* Adds each content term of a unit once. */
static int
add_term(void *arg, const struct word *w)
{
	struct picker *p = arg;
	uint64_t hash = hash64(w->term, w->len, 0);
	size_t at;
	uint32_t no;

	if (w->stop || w->kind == WORD_PART || w->kind == WORD_CHAR)
		return 0;
	grow_table(p);
	at = term_place(p, hash);
	if (p->table[at] == 0) {
		xgrow(&p->terms, &p->cap_terms, p->n_terms + 1, sizeof(*p->terms));
		p->terms[p->n_terms++] = (struct term){ hash, UINT64_MAX, 0 };
		p->table[at] = (uint32_t)p->n_terms;
	}
	no = p->table[at] - 1;
	if (p->terms[no].last_seen == p->unit)
		return 0;
	p->terms[no].last_seen = p->unit;
	xgrow(&p->of, &p->cap_of, p->n_of + 1, sizeof(*p->of));
	p->of[p->n_of++] = no;
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
	uint64_t n_counts;
};

/* The first of the units that unit i is picked with; the last of them is i. */
static size_t
chain_of(const struct picking *v, size_t i)
{
	size_t first = i;

	while (first > 0 && i - first + 1 < CHAIN && v->units[first].leans &&
	    v->units[first - 1].turn == v->units[i].turn)
		first--;
	return first;
}

/* What the words of units [first, last] that are not picked yet add; a word counts once. */
static double
gain_of(struct picking *v, size_t first, size_t last)
{
	double gain = LEAST_GAIN;
	uint64_t count = UINT32_MAX + ++v->n_counts;

	for (size_t i = first; i <= last; i++)
		for (size_t k = v->from[i]; !v->state[i].picked && k < v->from[i + 1]; k++) {
			struct term *t = &v->terms->terms[v->terms->of[k]];
			if (t->last_seen != count)
				gain += repeated(t->n_picked);
			t->last_seen = count;
		}
	return gain * (double)v->units[last].value;
}

static uint64_t
cost_of(const struct picking *v, size_t first, size_t last)
{
	uint64_t cost = v->has_line[v->units[last].turn] ? 0 : v->units[last].head_quarters;

	for (size_t i = first; i <= last; i++)
		if (!v->state[i].picked)
			cost += v->state[i].quarters + BETWEEN;
	return cost;
}

static void
pick(struct picking *v, size_t first, size_t last)
{
	v->has_line[v->units[last].turn] = true;
	for (size_t i = first; i <= last; i++) {
		for (size_t k = v->from[i]; !v->state[i].picked && k < v->from[i + 1]; k++)
			v->terms->terms[v->terms->of[k]].n_picked++;
		v->state[i].picked = true;
	}
}

static size_t
pick_all(struct picking *v, size_t n, uint64_t budget, uint32_t *out)
{
	size_t n_out = 0;

	for (;;) {
		size_t best = n;
		double best_gain = 0;
		for (size_t i = 0; i < n; i++) {
			size_t first = chain_of(v, i);
			uint64_t cost;
			double gain;
			if (v->state[i].picked || v->units[i].value <= 0 ||
			    (cost = cost_of(v, first, i)) > budget)
				continue;
			gain = gain_of(v, first, i) / (double)cost;
			if (gain > best_gain) {
				best_gain = gain;
				best = i;
			}
		}
		if (best == n)
			break;
		budget -= cost_of(v, chain_of(v, best), best);
		pick(v, chain_of(v, best), best);
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
	uint64_t hash = hash64(w->term, w->len, 0);
	size_t at = p->table_size > 0 ? term_place(p, hash) : 0;

	if (p->table_size > 0 && p->table[at] != 0)
		p->terms[p->table[at] - 1].n_picked = COVERED;
	return 0;
}

size_t
digest_pick(const struct digest_unit *units, size_t n, const char *covered, size_t covered_len,
	uint64_t budget, uint32_t *out)
{
	struct picker p = { .terms = NULL };
	size_t *from = xcalloc(n + 1, sizeof(*from)), n_out;
	struct picking v = { &p, units, from, xcalloc(n + 1, sizeof(*v.state)),
		xcalloc(n > 0 ? (size_t)units[n - 1].turn + 1 : 1, sizeof(*v.has_line)), 0 };

	for (size_t i = 0; i < n; i++) {
		p.unit = (uint32_t)i;
		from[i] = p.n_of;
		words_each(units[i].text, units[i].len, add_term, &p);
		v.state[i].quarters = tokens_quarters(units[i].text, units[i].len);
	}
	from[n] = p.n_of;
	words_each(covered, covered_len, on_covered, &p);
	n_out = pick_all(&v, n, budget, out);
	free(p.terms);
	free(p.table);
	free(p.of);
	free(from);
	free(v.state);
	free(v.has_line);
	return n_out;
}
