/*
 * topk.h: keeps the best k of a stream of (score, id), in memory for k.
 *
 * The order is total, so the result does not depend on the order of adding: higher scores first, of
 * equal scores the smaller id. NaN is worse than any other score.
 */
#pragma once

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
 * Returns true when the item was kept; it may be pushed out later. Cost: O(1) for most that are
 * dropped, else O(log k).
 */
bool topk_add(struct topk *t, float score, int64_t id);

/* Sorts items, best first. After it, only reading and topk_release are allowed. */
void topk_sort(struct topk *t);

/*
 * Returns the k-th best of scores [n], k from 1 to n; reorders them. NaN counts as -INFINITY. Cost:
 * linear (C. Hoare, "Algorithm 65: Find", 1961).
 */
float topk_nth(float *scores, size_t n, size_t k);
