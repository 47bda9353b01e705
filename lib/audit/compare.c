/*
 * compare.c: which claims are worth comparing is told by postings of their words, in memory; what
 * they are to each other by judge.h.
 */
#include "audit/compare.h"

#include <math.h>

#include "audit/judge.h"
#include "base/alloc.h"
#include "math/vec.h"

#define COMMON_MOST   400                  /* claims of a word; a more frequent one leads nowhere */
#define NEAR_MIN      .55                  /* calibrated similarity of vectors */

struct posting { uint64_t word; uint32_t claim; };

struct comparing {
	const struct memories *m;
	const struct claims *c;
	const struct claim_vectors *v;
	struct compared_list *out;
	struct posting *postings;
	size_t n, cap;
	uint32_t *seen;                    /* [c->n]: the claim that it was compared with last */
	bool *repeats;                     /* [m->n]: the record repeats an earlier one */
	/* words that are names within claims, sorted: what begins a claim may be one of them */
	uint64_t *names;
	size_t n_names, cap_names;
	uint64_t *first;                   /* [c->n]: the name that it begins with; 0: with none */
	struct word_counts counts;
};

/* ---- postings ---- */

static void
add_posting(struct comparing *k, uint64_t word, size_t claim)
{
	xgrow(&k->postings, &k->cap, k->n + 1, sizeof(*k->postings));
	k->postings[k->n++] = (struct posting){ word, (uint32_t)claim };
}

static int
by_word(const void *x, const void *y)
{
	const struct posting *a = x, *b = y;

	return a->word != b->word ? (a->word < b->word ? -1 : 1)
				  : (a->claim > b->claim) - (a->claim < b->claim);
}

static int
by_id(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

static void
add_name(struct comparing *k, const struct said_word *w)
{
	if (!w->name || w->first || w->person || !w->content)
		return;
	xgrow(&k->names, &k->cap_names, k->n_names + 1, sizeof(*k->names));
	k->names[k->n_names++] = w->id;
}

static void
index_claims(struct comparing *k)
{
	static _Thread_local struct said s;

	for (size_t i = 0; i < k->c->n; i++) {
		const struct claim *c = &k->c->c[i];

		said_read(&s, c->said, c->said_len);
		k->first[i] = s.n > 0 ? s.w[0].id : 0;
		for (size_t w = 0; w < s.n; w++) {
			add_name(k, &s.w[w]);
			if (s.w[w].content && !s.w[w].empty)
				add_posting(k, s.w[w].id, i);
		}
		for (size_t w = 0; w < c->n_keys; w++)
			add_posting(k, hash64(c->keys[w].key, strlen(c->keys[w].key), 1), i);
	}
	if (k->n > 0)
		qsort(k->postings, k->n, sizeof(*k->postings), by_word);
	if (k->n_names > 0)
		qsort(k->names, k->n_names, sizeof(*k->names), by_id);
	for (size_t i = 0; i < k->c->n; i++)
		if (k->n_names == 0 || bsearch(&k->first[i], k->names, k->n_names,
		    sizeof(*k->names), by_id) == NULL)
			k->first[i] = 0;
}

/* In how many records each word is. */
static struct word_count *
count_records(struct comparing *k)
{
	struct word_count *counts = xcalloc(k->n + 1, sizeof(*counts));
	size_t n = 0, last = SIZE_MAX;

	for (size_t p = 0; p < k->n; p++) {
		size_t record = k->c->c[k->postings[p].claim].record;

		if (p == 0 || k->postings[p].word != k->postings[p - 1].word) {
			counts[n++] = (struct word_count){ k->postings[p].word, 0 };
			last = SIZE_MAX;
		}
		counts[n - 1].records += record != last;
		last = record;
	}
	k->counts = (struct word_counts){ counts, n, k->m->n };
	return counts;
}

/* ---- two claims ---- */

int
compare_times(const struct memories *m, const struct claim *a, const struct claim *b)
{
	int64_t x = m->items[a->record].time_us, y = m->items[b->record].time_us;

	return x == TIME_NONE || y == TIME_NONE ? 0 : (x > y) - (x < y);
}

static double
sim_of(const struct comparing *k, size_t a, size_t b)
{
	const struct claim_vectors *v = k->v;
	double cosine;

	if (v == NULL)
		return (double)NAN;
	cosine = vec_dot(v->vectors + a * v->n_dims, v->vectors + b * v->n_dims, v->n_dims);
	return (cosine - (double)v->unrelated) / (1 - (double)v->unrelated);
}

static void
compare_two(struct comparing *k, size_t i, size_t j)
{
	const struct claim *a = &k->c->c[i], *b = &k->c->c[j];
	bool turned = compare_times(k->m, a, b) > 0;
	size_t older = turned ? j : i, newer = turned ? i : j;
	uint64_t x = k->first[i], y = k->first[j];
	struct verdict found;

	if (a->record == b->record || k->seen[j] == i + 1 || k->repeats[a->record] ||
	    k->repeats[b->record])
		return;
	k->seen[j] = (uint32_t)i + 1;
	judge_claims(&k->c->c[older], &k->c->c[newer], sim_of(k, older, newer),
	    x != 0 && y != 0 && x != y, x != 0 || y != 0, &k->counts, &found);
	if (found.why == NULL)
		return;
	for (size_t p = k->out->n; p > 0; p--) {
		const struct compared *q = &k->out->pairs[p - 1];

		if (k->c->c[q->a].record + k->c->c[q->b].record == a->record + b->record &&
		    (k->c->c[q->a].record == a->record || k->c->c[q->b].record == a->record))
			return;
	}
	if (found.same)
		k->repeats[b->record] = true;
	xgrow(&k->out->pairs, &k->out->cap, k->out->n + 1, sizeof(*k->out->pairs));
	k->out->pairs[k->out->n++] = (struct compared){ older, newer, found.same, found.why };
}

/* Compares claim i with the later ones that share a word or key with it. */
static void
compare_sharing(struct comparing *k, size_t i, const size_t *of_claim, const size_t *starts)
{
	for (size_t w = starts[i]; w < starts[i + 1]; w++) {
		size_t p = of_claim[w], from = p, end = p;

		while (from > 0 && p - from <= COMMON_MOST &&
		    k->postings[from - 1].word == k->postings[p].word)
			from--;
		while (end < k->n && end - from <= COMMON_MOST &&
		    k->postings[end].word == k->postings[p].word)
			end++;
		if (end - from > COMMON_MOST)
			continue;
		for (size_t q = p + 1; q < end; q++)
			if (k->postings[q].claim > i)
				compare_two(k, i, k->postings[q].claim);
	}
}

/* The postings of each claim: of_claim[starts[i]] .. [starts[i + 1] - 1] are those of claim i. */
static void
postings_of_claims(const struct comparing *k, size_t *of_claim, size_t *starts)
{
	size_t *next;

	for (size_t p = 0; p < k->n; p++)
		starts[k->postings[p].claim + 1]++;
	for (size_t i = 0; i < k->c->n; i++)
		starts[i + 1] += starts[i];
	next = xmemdup(starts, (k->c->n + 1) * sizeof(*starts));
	for (size_t p = 0; p < k->n; p++)
		of_claim[next[k->postings[p].claim]++] = p;
	free(next);
}

void
compare_claims(const struct memories *m, const struct claims *c, const struct claim_vectors *v,
	struct compared_list *out)
{
	struct comparing k = { .m = m, .c = c, .v = v, .out = out };
	size_t *of_claim, *starts = xcalloc(c->n + 1, sizeof(*starts));
	struct word_count *counts;

	k.seen = xcalloc(c->n + 1, sizeof(*k.seen));
	k.repeats = xcalloc(m->n + 1, sizeof(*k.repeats));
	k.first = xcalloc(c->n + 1, sizeof(*k.first));
	index_claims(&k);
	counts = count_records(&k);
	of_claim = xcalloc(k.n + 1, sizeof(*of_claim));
	postings_of_claims(&k, of_claim, starts);
	for (size_t i = 0; i < c->n; i++) {
		compare_sharing(&k, i, of_claim, starts);
		for (size_t j = i + 1; v != NULL && j < c->n; j++)
			if (sim_of(&k, i, j) >= NEAR_MIN)
				compare_two(&k, i, j);
	}
	free(of_claim);
	free(starts);
	free(counts);
	free(k.postings);
	free(k.seen);
	free(k.repeats);
	free(k.first);
	free(k.names);
}
