/*
 * topk.c: a binary heap of at most k items with the worst in front: an item that is worse than that
 * is dropped after one comparison.
 */
#include <math.h>

#include "base/alloc.h"
#include "math/topk.h"

static bool
is_better(const struct topk_item *a, const struct topk_item *b)
{
	if (a->score != b->score)
		return a->score > b->score;
	return a->id < b->id;
}

void
topk_init(struct topk *t, size_t k)
{
	t->k = MAX(k, 1);
	t->n = 0;
	t->items = xmalloc(t->k * sizeof *t->items);
}

void
topk_release(struct topk *t)
{
	free(t->items);
	t->items = NULL;
	t->n = t->k = 0;
}

static void
sift_down(struct topk_item *h, size_t n, size_t i)
{
	struct topk_item x = h[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && is_better(&h[child], &h[child + 1]))
			child++;
		if (!is_better(&x, &h[child]))
			break;
		h[i] = h[child];
		i = child;
	}
	h[i] = x;
}

static void
sift_up(struct topk_item *h, size_t i)
{
	struct topk_item x = h[i];

	while (i > 0 && is_better(&h[(i - 1) / 2], &x)) {
		h[i] = h[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	h[i] = x;
}

bool
topk_add(struct topk *t, float score, int64_t id)
{
	struct topk_item x = { isnan(score) ? -INFINITY : score, id };

	if (t->n < t->k) {
		t->items[t->n++] = x;
		sift_up(t->items, t->n - 1);
		return true;
	}
	if (!is_better(&x, &t->items[0]))
		return false;
	t->items[0] = x;
	sift_down(t->items, t->n, 0);
	return true;
}

void
topk_sort(struct topk *t)
{
	/* Heap sort: the worst of the rest moves to the end, which leaves the best in front. */
	for (size_t n = t->n; n > 1; n--) {
		struct topk_item x = t->items[0];
		t->items[0] = t->items[n - 1];
		t->items[n - 1] = x;
		sift_down(t->items, n - 1, 0);
	}
}

static float
median_of_3(float a, float b, float c)
{
	return MAX(MIN(a, b), MIN(MAX(a, b), c));
}

float
topk_nth(float *v, size_t n, size_t k)
{
	size_t lo = 0, hi = n - 1, want = k - 1;

	for (size_t i = 0; i < n; i++)
		if (isnan(v[i]))
			v[i] = -INFINITY;
	while (lo < hi) {
		float pivot = median_of_3(v[lo], v[lo + (hi - lo) / 2], v[hi]);
		size_t i = lo, j = hi;

		/* invariant: none before i is below the pivot, none after j above it */
		for (;;) {
			while (v[i] > pivot)
				i++;
			while (v[j] < pivot)
				j--;
			if (i >= j)
				break;
			float was = v[i];
			v[i++] = v[j];
			v[j--] = was;
		}
		if (want < i)
			hi = i - 1;
		else if (want > j)
			lo = j + 1;
		else
			break;
	}
	return v[want];
}
