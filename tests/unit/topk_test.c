/*
 * topk_test.c: the best k against a full sort, for every k and every order of adding.
 */
#include <math.h>

#include "math/topk.h"
#include "tap.h"

#define N 500

static uint32_t seed = 1;

static uint32_t
next_random(void)
{
	seed = seed * 1664525u + 1013904223u;
	return seed >> 8;
}

static int
best_first(const void *pa, const void *pb)
{
	const struct topk_item *a = pa, *b = pb;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* few distinct scores, so that ties decide much */
static bool
same_as_sorted(size_t n, size_t k, unsigned n_scores)
{
	struct topk_item all[N];
	struct topk t;
	bool same;
	size_t i;

	topk_init(&t, k);
	for (i = 0; i < n; i++) {
		all[i].score = (float)(next_random() % n_scores) / 7 - 3;
		all[i].id = (int64_t)(next_random() % 100000) * 1000 + (int64_t)i - (1ll << 40);
		topk_add(&t, all[i].score, all[i].id);
	}
	qsort(all, n, sizeof *all, best_first);
	same = t.n == MIN(n, k);
	topk_sort(&t);
	for (i = 0; same && i < t.n; i++)
		same = t.items[i].id == all[i].id && t.items[i].score == all[i].score;
	topk_release(&t);
	return same;
}

static void
test_against_sort(void)
{
	size_t n, k, n_wrong = 0;

	for (n = 0; n <= N; n += n < 20 ? 1 : 53)
		for (k = 1; k <= n + 2; k += k < 12 ? 1 : 31)
			n_wrong += !same_as_sorted(n, k, 5) + !same_as_sorted(n, k, 100000);
	is_int(n_wrong, 0, "every n and k as a full sort has it");
}

static int
larger_first(const void *pa, const void *pb)
{
	const float *a = pa, *b = pb;

	return (*a < *b) - (*a > *b);
}

/* In random order, in order, in reverse, and with many that are equal. */
static void
test_nth(void)
{
	size_t n_wrong = 0;
	float v[N], all[N], odd[] = { 2, NAN, 5 };

	for (size_t n = 1; n <= N; n += n < 20 ? 1 : 53)
		for (size_t k = 1; k <= n; k += k < 12 ? 1 : 31)
			for (unsigned way = 0; way < 4; way++) {
				for (size_t i = 0; i < n; i++)
					all[i] = way == 1 ? (float)i
					    : way == 2
					    ? -(float)i
					    : (float)(next_random() % (way == 3 ? 3 : 100000)) / 7 -
						3;
				memcpy(v, all, sizeof(v));
				qsort(all, n, sizeof *all, larger_first);
				n_wrong += topk_nth(v, n, k) != all[k - 1];
				qsort(v, n, sizeof *v, larger_first);
				n_wrong += memcmp(v, all, n * sizeof *v) != 0;
			}
	is_int(n_wrong, 0, "the k-th is as a full sort has it, and none is lost");
	ok(topk_nth(odd, 3, 2) == 2 && topk_nth(odd, 3, 3) < -1e30f,
	    "what is no number comes last");
}

static void
test_ties(void)
{
	struct topk t;

	topk_init(&t, 2);
	ok(topk_add(&t, 1, 30), "first kept");
	ok(topk_add(&t, 1, 20), "second kept");
	ok(!topk_add(&t, 1, 40), "an equal score with a larger id loses");
	ok(topk_add(&t, 1, 10), "an equal score with a smaller id wins");
	topk_sort(&t);
	is_int(t.items[0].id, 10, "smaller id first");
	is_int(t.items[1].id, 20, "then the next");

	topk_release(&t);

	topk_init(&t, 2);
	topk_add(&t, NAN, 1);
	topk_add(&t, -1e30f, 2);
	ok(topk_add(&t, -2e30f, 3), "any number beats no number");
	topk_sort(&t);
	is_int(t.items[0].id, 2, "order without the number");
	is_int(t.items[1].id, 3, "no number was pushed out");
	topk_release(&t);

	topk_init(&t, 0);
	topk_add(&t, 1, 1);
	topk_add(&t, 2, 2);
	is_int(t.n, 1, "k is at least 1");
	is_int(t.items[0].id, 2, "and holds the best");
	topk_release(&t);
}

int
main(void)
{
	test_against_sort();
	test_nth();
	test_ties();
	return tap_done();
}
