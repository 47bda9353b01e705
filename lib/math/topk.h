/*
 * topk.h: the best k of a stream of (score, id), in memory of k.
 *
 * The order is total, so the result never depends on the order of adding: higher score first, of
 * equal scores the smaller id. A score that is not a number is worse than any other.
 */
#ifndef MATH_TOPK_H
#define MATH_TOPK_H

#include "base/base.h"

struct topk_item {
	float score;
	int64_t id;
};

struct topk {
	struct topk_item *items;   /* [n], owned; a heap with the worst in front until topk_sort */
	size_t n, k;
};

void topk_init(struct topk *t, size_t k);      /* k at least 1 */
void topk_release(struct topk *t);

/*
 * True when it was kept (it may be pushed out later). Cost: O(1) for most that lose, else O(log k).
 */
bool topk_add(struct topk *t, float score, int64_t id);

/* Puts items in order, best first. After it only reading and topk_release. */
void topk_sort(struct topk *t);

/*
 * The k-th best of scores [n], k from 1 to n; they are left in another order. A score that is not a
 * number counts as -INFINITY. Cost: linear (C. Hoare, "Algorithm 65: Find", 1961).
 */
float topk_nth(float *scores, size_t n, size_t k);

#endif
