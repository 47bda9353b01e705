/*
 * compare.c: which claims are worth comparing is told by postings of their words, in memory: with
 * each other claim of a word its weight is added up, and those that come to a share of both claims,
 * have all words in common, or set one slot, are compared. What they are to each other is told by
 * statement/judge.h.
 */
#include "audit/compare.h"

#include <math.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/order.h"
#include "statement/judge.h"
#include "statement/typed.h"
#include "statement/weigh.h"

#define COMMON_MOST   400                  /* claims of a word; a more frequent one leads nowhere */
#define SHARE_MIN     .25                  /* twice what two share, of what both weigh */

struct posting {
	uint64_t word;
	uint32_t claim;
	float weight;              /* of the word; INFINITY of the text as a whole */
	bool frequent;             /* it leads nowhere, and counts for nothing */
};

struct comparing {
	const struct memories *m;
	const struct claims *c;
	struct compared_list *out;
	struct judge_side *sides;          /* [c->n] */
	struct posting *postings;
	size_t n, cap;
	uint32_t *seen;                    /* [c->n]: the claim that it was compared with last */
	float *weights;                    /* [c->n]: of all words of a claim */
	float *shared;                     /* [c->n]: with the claim that is compared now */
	uint32_t *with;                    /* [c->n]: the claims that share something with it */
	size_t n_with;
	bool *repeats;                     /* [m->n]: the record repeats an earlier one */
	struct word_counts counts;
};

/* ---- postings ---- */

static void
add_posting(struct comparing *k, uint64_t word, size_t claim, float weight)
{
	*xpush(k->postings, k->n, k->cap) =
	    (struct posting){ word, (uint32_t)claim, weight, false };
}

ORDER_BY_TWO(by_word, struct posting, word, claim)

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

		k->sides[i] = judge_side(c->said, c->said_len, s);
		for (size_t w = 0; w < s->n; w++)
			if (s->w[w].content && !s->w[w].empty)
				add_posting(k, s->w[w].id, i,
				    s->w[w].number ? 1 : (float)weigh_word(&s->w[w]));
		for (size_t g = 0; g < TYPED_GROUPS; g++)
			if ((k->sides[i].values >> g & 1) != 0)
				add_posting(k, g, i, 1);
		add_posting(k, c->plain, i, (float)INFINITY);
		if (c->slot != 0)              /* "I work at A", "I work at B" share little */
			add_posting(k, c->slot, i, (float)INFINITY);
	}
	sort_postings(k);
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
		for (size_t p = from; p < end; p++)
			all[p].frequent = true;
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

/* Whether they name different times: what was so then, and what is so later, may both be true. */
static bool
are_apart(const struct claim *a, const struct claim *b)
{
	return a->from_us != TIME_NONE && b->from_us != TIME_NONE &&
	    (a->to_us <= b->from_us || b->to_us <= a->from_us);
}

/* Whether two claims about one person say the same, or cannot both hold; NULL: neither. */
static const char *
judge_claims(const struct comparing *k, size_t x, size_t y, bool *same)
{
	const struct claim *older = &k->c->c[x], *newer = &k->c->c[y];
	const struct judge_side *a = &k->sides[x], *b = &k->sides[y];
	struct judged j;

	*same = true;
	if (older->plain == newer->plain)
		return "the same words";
	if (strcasecmp(older->about, newer->about) != 0) {
		*same = false;                 /* "Timeout: 5 s" is of nobody of that name */
		return are_apart(older, newer) ? NULL : judge_values(a, b);
	}
	judge(a, b, &j);
	if (j.like.is_same)
		return "says the same";
	*same = false;
	if (older->done || are_apart(older, newer))
		return NULL;
	return j.ends ? "the later one says that the other holds no more" : j.against;
}

/* Compares claim i with a later one. */
static void
compare_two(struct comparing *k, size_t i, size_t j)
{
	const struct claim *a = &k->c->c[i], *b = &k->c->c[j];
	bool turned = compare_times(k->m, a, b) > 0, same;
	size_t older = turned ? j : i, newer = turned ? i : j;

	if (a->record == b->record || k->seen[j] == i + 1 ||
	    !are_of_one(&k->m->items[a->record], &k->m->items[b->record]) ||
	    k->repeats[a->record] ||
	    k->repeats[b->record])
		return;
	k->seen[j] = (uint32_t)i + 1;
	const char *why = judge_claims(k, older, newer, &same);
	if (why == NULL || has_pair(k, a->record, b->record))
		return;
	if (same)
		k->repeats[b->record] = true;
	*xpush(k->out->pairs, k->out->n, k->out->cap) =
	    (struct compared){ older, newer, same, why };
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

/* Compares claim i, of which these are the postings, with the later ones that share enough. */
static void
compare_sharing(struct comparing *k, size_t i, const size_t *postings, size_t n)
{
	add_shared(k, postings, n);
	for (size_t w = 0; w < k->n_with; w++) {
		size_t j = k->with[w];
		float share = k->shared[j];

		k->shared[j] = 0;
		if (2 * share >= (float)SHARE_MIN * (k->weights[i] + k->weights[j]))
			compare_two(k, i, j);
	}
}

/* The postings of each claim: of_claim[starts[i]] .. [starts[i + 1] - 1] are those of claim i. */
static void
postings_of_claims(const struct comparing *k, size_t *of_claim, size_t *starts)
{
	for (size_t p = 0; p < k->n; p++)
		starts[k->postings[p].claim + 1]++;
	for (size_t i = 0; i < k->c->n; i++)
		starts[i + 1] += starts[i];
	FREED size_t *next = xmemdup(starts, (k->c->n + 1) * sizeof(*starts));
	for (size_t p = 0; p < k->n; p++)
		of_claim[next[k->postings[p].claim]++] = p;
}

void
compare_claims(const struct memories *m, const struct claims *c, struct compared_list *out)
{
	struct comparing k = { .m = m, .c = c, .out = out };
	FREED size_t *of_claim = NULL, *starts = xcalloc(c->n + 1, sizeof(*starts));

	k.sides = xcalloc(c->n + 1, sizeof(*k.sides));
	k.seen = xcalloc(c->n + 1, sizeof(*k.seen));
	k.with = xcalloc(c->n + 1, sizeof(*k.with));
	k.weights = xcalloc(c->n + 1, sizeof(*k.weights));
	k.shared = xcalloc(c->n + 1, sizeof(*k.shared));
	k.repeats = xcalloc(m->n + 1, sizeof(*k.repeats));
	index_claims(&k);
	struct word_count *counts = count_records(&k);
	weigh_claims(&k);
	of_claim = xcalloc(k.n + 1, sizeof(*of_claim));
	postings_of_claims(&k, of_claim, starts);
	for (size_t i = 0; i < c->n; i++)
		if (!k.repeats[c->c[i].record])
			compare_sharing(&k, i, of_claim + starts[i], starts[i + 1] - starts[i]);
	free(counts);
	free(k.postings);
	free(k.sides);
	free(k.seen);
	free(k.with);
	free(k.weights);
	free(k.shared);
	free(k.repeats);
}
