/*
 * digest.c: numbers the terms of each unit, computes their weights, then passes over all units once
 * for each that is picked. The constants were tried on five long chats with summaries by people
 * (ROUGE-1 recall, tests/bench/summaries.sh); the result changes little around these values.
 */
#include "rank/digest.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "math/real.h"
#include "text/tokens.h"
#include "text/words.h"

#define STOP_WEIGHT   .4           /* weight of a stop word; other words have 1 */
#define AGAIN         .3           /* factor on a word's weight each time that it has been picked */
#define COVERED       4
#define COST_POWER    .4
#define QUESTION      .5           /* factor on questions, as answers say more */
#define FIRST_GAIN    .3           /* what the first turn gains over the last */
#define NEAR_GAIN     .5

struct term { uint64_t hash; float weight; uint32_t n_units, last_unit, n_picked; };

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

/* Adds each term of a unit once. */
static int
add_term(void *arg, const struct word *w)
{
	struct picker *p = arg;
	uint64_t hash = hash64(w->term, w->len, 0);
	size_t at;
	uint32_t no;

	if (w->kind == WORD_PART || w->kind == WORD_CHAR)
		return 0;
	grow_table(p);
	at = term_place(p, hash);
	if (p->table[at] == 0) {
		xgrow(&p->terms, &p->cap_terms, p->n_terms + 1, sizeof(*p->terms));
		p->terms[p->n_terms++] = (struct term){ .hash = hash,
			.weight = w->stop ? (float)STOP_WEIGHT : 1,
			.last_unit = UINT32_MAX };
		p->table[at] = (uint32_t)p->n_terms;
	}
	no = p->table[at] - 1;
	if (p->terms[no].last_unit == p->unit)
		return 0;
	p->terms[no].last_unit = p->unit;
	p->terms[no].n_units++;
	xgrow(&p->of, &p->cap_of, p->n_of + 1, sizeof(*p->of));
	p->of[p->n_of++] = no;
	return 0;
}

static bool
is_question(const char *text, size_t len)
{
	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '"' || text[len - 1] == ')'))
		len--;
	return (len > 0 && text[len - 1] == '?') ||
	    (len > 2 && memcmp(text + len - 3, "\xef\xbc\x9f", 3) == 0);
}

/* The factor on a unit's gain that does not depend on what else is picked. */
static double
prior_of(const struct digest_unit *u, uint32_t n_turns)
{
	double place = n_turns > 1 ? 1 - (double)u->turn / (n_turns - 1) : 1;

	return u->weight * (1 + FIRST_GAIN * place) * (1 + NEAR_GAIN * MAX(u->near, 0)) *
	    (is_question(u->text, u->len) ? QUESTION : 1);
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

static double
gain_of(const struct picker *p, const size_t *from, size_t i)
{
	double gain = 0;

	for (size_t k = from[i]; k < from[i + 1]; k++) {
		const struct term *t = &p->terms[p->of[k]];
		gain += t->weight * t->n_units * repeated(t->n_picked);
	}
	return gain;
}

struct unit_state { double prior; uint64_t quarters; bool picked; };

static size_t
pick_all(struct picker *p, const struct digest_unit *units, size_t n, const size_t *from,
	struct unit_state *state, uint64_t budget, uint32_t *out)
{
	bool *has_line = xcalloc(n > 0 ? (size_t)units[n - 1].turn + 1 : 1, sizeof(*has_line));
	size_t n_out = 0;

	for (;;) {
		size_t best = n;
		double best_gain = 0;
		for (size_t i = 0; i < n; i++) {
			uint64_t cost = state[i].quarters +
			    (has_line[units[i].turn] ? 1 : units[i].head_quarters);
			double gain;
			if (state[i].picked || cost > budget)
				continue;
			gain = gain_of(p, from, i) * state[i].prior /
			    real_pow((double)cost, COST_POWER);
			if (gain > best_gain) {
				best_gain = gain;
				best = i;
			}
		}
		if (best == n)
			break;
		budget -= state[best].quarters +
		    (has_line[units[best].turn] ? 1 : units[best].head_quarters);
		has_line[units[best].turn] = true;
		state[best].picked = true;
		for (size_t k = from[best]; k < from[best + 1]; k++)
			p->terms[p->of[k]].n_picked++;
		n_out++;
	}
	free(has_line);
	for (size_t i = 0, k = 0; i < n; i++)
		if (state[i].picked)
			out[k++] = (uint32_t)i;
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
	struct unit_state *state = xcalloc(n + 1, sizeof(*state));

	for (size_t i = 0; i < n; i++) {
		p.unit = (uint32_t)i;
		from[i] = p.n_of;
		words_each(units[i].text, units[i].len, add_term, &p);
		state[i] = (struct unit_state){ prior_of(&units[i], units[n - 1].turn + 1),
			tokens_quarters(units[i].text, units[i].len), false };
	}
	from[n] = p.n_of;
	words_each(covered, covered_len, on_covered, &p);
	n_out = pick_all(&p, units, n, from, state, budget, out);
	free(p.terms);
	free(p.table);
	free(p.of);
	free(from);
	free(state);
	return n_out;
}
