/*
 * compare.c: which claims are worth comparing is told by postings of their words, in memory: with
 * each other claim of a word its weight is added up, and those that come to a share of both claims,
 * or have a key in common, are compared. What they are to each other is told by judge.h.
 */
#include "audit/compare.h"

#include <math.h>
#include <strings.h>

#include "audit/judge.h"
#include "base/alloc.h"
#include "base/order.h"
#include "math/vec.h"

#define COMMON_MOST   400                  /* claims of a word; a more frequent one leads nowhere */
#define SHARE_MIN     .25                  /* twice what two share, of what both weigh */
#define NEAR_MIN      .55                  /* calibrated similarity of vectors */
#define NEAR_FLOOR    .45                  /* what any two of a memory have */

struct posting {
	uint64_t word;
	uint32_t claim;
	float weight;              /* of the word; INFINITY of a key, or of the text as a whole */
	bool frequent;             /* it leads nowhere */
};

/* The records that are nearest to a claim by vectors. */
struct nearest {
	size_t record;             /* the nearest */
	float best, second;        /* similarity of it, and of the next */
};

struct comparing {
	const struct memories *m;
	const struct claims *c;
	const struct claim_vectors *v;
	struct compared_list *out;
	struct posting *postings;
	size_t n, cap;
	uint32_t *seen;                    /* [c->n]: the claim that it was compared with last */
	float *weights;                    /* [c->n]: of all words of a claim */
	uint64_t *frequent;                /* [c->n]: a bit for each frequent word that it has */
	float *shared;                     /* [c->n]: with the claim that is compared now */
	uint32_t *with;                    /* [c->n]: the claims that share something with it */
	size_t n_with;
	struct nearest *nearest;           /* [c->n]; NULL: there are no vectors */
	bool *repeats;                     /* [m->n]: the record repeats an earlier one */
	/* words that are names within claims, sorted: what begins a claim may be one of them */
	uint64_t *names;
	size_t n_names, cap_names;
	uint64_t *first;                   /* [c->n]: the name that it begins with; 0: with none */
	struct word_counts counts;
};

/* ---- postings ---- */

static void
add_posting(struct comparing *k, uint64_t word, size_t claim, float weight)
{
	xgrow(&k->postings, &k->cap, k->n + 1, sizeof(*k->postings));
	k->postings[k->n++] = (struct posting){ word, (uint32_t)claim, weight, false };
}

static int
by_word(const void *x, const void *y)
{
	const struct posting *a = x, *b = y;

	return a->word != b->word ? (a->word < b->word ? -1 : 1)
				  : (a->claim > b->claim) - (a->claim < b->claim);
}

static void
add_name(struct comparing *k, const struct said_word *w)
{
	if (!w->name || w->first || w->person || !w->content)
		return;
	xgrow(&k->names, &k->cap_names, k->n_names + 1, sizeof(*k->names));
	k->names[k->n_names++] = w->id;
}

/* Sorts the postings, of which each is kept once. */
static void
sort_postings(struct comparing *k)
{
	size_t n = 0;

	if (k->n > 0)
		qsort(k->postings, k->n, sizeof(*k->postings), by_word);
	for (size_t p = 0; p < k->n; p++)
		if (n == 0 || by_word(&k->postings[n - 1], &k->postings[p]) != 0)
			k->postings[n++] = k->postings[p];
	k->n = n;
}

static void
index_claims(struct comparing *k)
{
	for (size_t i = 0; i < k->c->n; i++) {
		const struct claim *c = &k->c->c[i];
		const struct said *s = c->words;

		k->first[i] = s->n > 0 ? s->w[0].id : 0;
		for (size_t w = 0; w < s->n; w++) {
			add_name(k, &s->w[w]);
			if (s->w[w].content && !s->w[w].empty)
				add_posting(k, s->w[w].id, i,
				    s->w[w].number ? 1 : (float)weigh_word(&s->w[w]));
		}
		for (size_t w = 0; w < c->n_keys; w++)
			add_posting(k, hash64(c->keys[w].key, strlen(c->keys[w].key), 1), i,
			    (float)INFINITY);
		add_posting(k, c->plain, i, (float)INFINITY);
	}
	sort_postings(k);
	if (k->n_names > 0)
		qsort(k->names, k->n_names, sizeof(*k->names), by_uint64);
	for (size_t i = 0; i < k->c->n; i++)
		if (k->n_names == 0 || bsearch(&k->first[i], k->names, k->n_names,
		    sizeof(*k->names), by_uint64) == NULL)
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

static uint64_t
bit_of(uint64_t word)
{
	return UINT64_C(1) << (word & 63);
}

/*
 * Weighs each word by its rarity, and each claim by its words. From a text as a whole all postings
 * lead on, however many there are: those that repeat the first are not compared any further.
 */
static void
weigh_claims(struct comparing *k)
{
	struct posting *all = k->postings;

	for (size_t from = 0, end; from < k->n; from = end) {
		double rarity = weigh_rarity(&k->counts, all[from].word);

		for (end = from; end < k->n && all[end].word == all[from].word; end++)
			all[end].weight *= (float)rarity;
		if (end - from <= COMMON_MOST || all[from].word == k->c->c[all[from].claim].plain)
			continue;
		for (size_t p = from; p < end; p++) {
			all[p].frequent = true;
			k->frequent[all[p].claim] |= bit_of(all[p].word);
		}
	}
	for (size_t i = 0; i < k->c->n; i++)
		k->weights[i] = (float)weigh_all(k->c->c[i].words, &k->counts);
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
take_near(struct nearest *n, float sim, size_t record)
{
	if (record == n->record || sim <= n->best) {
		if (record == n->record)
			n->best = MAX(n->best, sim);
		else
			n->second = MAX(n->second, sim);
		return;
	}
	*n = (struct nearest){ record, sim, n->best };
}

static void
find_nearest(struct comparing *k)
{
	k->nearest = xcalloc(k->c->n + 1, sizeof(*k->nearest));
	for (size_t i = 0; i < k->c->n; i++)
		k->nearest[i] = (struct nearest){ SIZE_MAX, NEAR_FLOOR, NEAR_FLOOR };
	for (size_t i = 0; i < k->c->n; i++)
		for (size_t j = i + 1; j < k->c->n; j++) {
			size_t x = k->c->c[i].record, y = k->c->c[j].record;
			float sim = (float)sim_of(k, i, j);

			if (x == y || sim <= (float)NEAR_FLOOR)
				continue;
			take_near(&k->nearest[i], sim, y);
			take_near(&k->nearest[j], sim, x);
		}
}

/* The similarity of the record that is nearest to a claim, but for one. */
static double
nearest_but(const struct nearest *n, size_t record)
{
	return (double)(n->record == record ? n->second : n->best);
}

/* Whether a finding of both records is there. Those of the record that is compared come last. */
static bool
has_pair(const struct comparing *k, size_t record, size_t with)
{
	for (size_t p = k->out->n; p > 0; p--) {
		size_t x = k->c->c[k->out->pairs[p - 1].a].record;
		size_t y = k->c->c[k->out->pairs[p - 1].b].record;

		if (x != record && y != record)
			return false;
		if (x + y == record + with)
			return true;
	}
	return false;
}

/* Whether two records are of one person, and not of two projects. */
static bool
are_of_one(const struct memory_item *a, const struct memory_item *b)
{
	return strcasecmp(a->whose, b->whose) == 0 && (*a->project == '\0' ||
	    *b->project == '\0' || strcmp(a->project, b->project) == 0);
}

/* Compares claim i with a later one. */
static void
compare_two(struct comparing *k, size_t i, size_t j)
{
	const struct claim *a = &k->c->c[i], *b = &k->c->c[j];
	bool turned = compare_times(k->m, a, b) > 0;
	size_t older = turned ? j : i, newer = turned ? i : j;
	uint64_t x = k->first[i], y = k->first[j];
	struct judge_about about;
	struct verdict found;

	if (a->record == b->record || k->seen[j] == i + 1 ||
	    !are_of_one(&k->m->items[a->record], &k->m->items[b->record]) ||
	    k->repeats[a->record] ||
	    k->repeats[b->record])
		return;
	k->seen[j] = (uint32_t)i + 1;
	about = (struct judge_about){ sim_of(k, older, newer), (double)NAN, x != 0 || y != 0,
		x != 0 && y != 0 && x != y, &k->counts };
	if (k->nearest != NULL)
		about.margin = about.sim - MAX(nearest_but(&k->nearest[i], b->record),
		    nearest_but(&k->nearest[j], a->record));
	judge_claims(&k->c->c[older], &k->c->c[newer], &about, &found);
	if (found.why == NULL)
		return;
	if (has_pair(k, a->record, b->record))
		return;
	if (found.same)
		k->repeats[b->record] = true;
	xgrow(&k->out->pairs, &k->out->cap, k->out->n + 1, sizeof(*k->out->pairs));
	k->out->pairs[k->out->n++] = (struct compared){ older, newer, found.same, found.why };
}

/* Adds up in k->shared what claim i shares with each later one, of those in k->with. */
static void
add_shared(struct comparing *k, const size_t *postings, size_t n)
{
	k->n_with = 0;
	for (size_t w = 0; w < n; w++) {
		const struct posting *own = &k->postings[postings[w]], *p = own + 1;

		if (own->frequent || !(own->weight > 0))
			continue;
		for (; p < k->postings + k->n && p->word == own->word; p++) {
			if (k->shared[p->claim] == 0)
				k->with[k->n_with++] = p->claim;
			k->shared[p->claim] += own->weight;
		}
	}
	if (k->n_with > 0)
		qsort(k->with, k->n_with, sizeof(*k->with), by_uint32);
}

/* What the frequent words weigh, at most, that are among the postings of one and in another. */
static float
frequent_shared(const struct comparing *k, const size_t *postings, size_t n, size_t other)
{
	float sum = 0;

	for (size_t w = 0; w < n; w++) {
		const struct posting *p = &k->postings[postings[w]];

		if (p->frequent && p->weight < (float)INFINITY &&
		    (k->frequent[other] & bit_of(p->word)) != 0)
			sum += p->weight;
	}
	return sum;
}

/* Compares claim i, of which these are the postings, with the later ones that share enough. */
static void
compare_sharing(struct comparing *k, size_t i, const size_t *postings, size_t n)
{
	add_shared(k, postings, n);
	for (size_t w = 0; w < k->n_with; w++) {
		size_t j = k->with[w];
		float share = k->shared[j] + frequent_shared(k, postings, n, j);

		k->shared[j] = 0;
		if (2 * share >= (float)SHARE_MIN * (k->weights[i] + k->weights[j]))
			compare_two(k, i, j);
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
	k.with = xcalloc(c->n + 1, sizeof(*k.with));
	k.weights = xcalloc(c->n + 1, sizeof(*k.weights));
	k.frequent = xcalloc(c->n + 1, sizeof(*k.frequent));
	k.shared = xcalloc(c->n + 1, sizeof(*k.shared));
	k.repeats = xcalloc(m->n + 1, sizeof(*k.repeats));
	k.first = xcalloc(c->n + 1, sizeof(*k.first));
	index_claims(&k);
	counts = count_records(&k);
	weigh_claims(&k);
	of_claim = xcalloc(k.n + 1, sizeof(*of_claim));
	postings_of_claims(&k, of_claim, starts);
	if (v != NULL)
		find_nearest(&k);
	for (size_t i = 0; i < c->n; i++) {
		if (k.repeats[c->c[i].record])
			continue;
		compare_sharing(&k, i, of_claim + starts[i], starts[i + 1] - starts[i]);
		for (size_t j = i + 1; v != NULL && j < c->n; j++)
			if (sim_of(&k, i, j) >= NEAR_MIN)
				compare_two(&k, i, j);
	}
	free(of_claim);
	free(starts);
	free(counts);
	free(k.postings);
	free(k.seen);
	free(k.with);
	free(k.weights);
	free(k.frequent);
	free(k.shared);
	free(k.repeats);
	free(k.first);
	free(k.nearest);
	free(k.names);
}
