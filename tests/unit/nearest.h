/*
 * nearest.h: the vectors nearest to a question, as a search finds them by cells, codes and bytes.
 */
#pragma once

#include "base/alloc.h"
#include "base/order.h"
#include "math/topk.h"
#include "store/vectors/cells.h"

#define RESCORED 200                           /* as many at least, when bytes are compared */

struct vector_hit { uint64_t key; float cosine; uint32_t slot; };

static inline void
nearest_found(void *arg, uint32_t n, const uint64_t *keys, const float *cosines,
	const uint32_t *slots)
{
	for (uint32_t i = 0; i < n; i++)
		if (keys[i] != VECTOR_DEAD)
			topk_add(arg, cosines[i], slots != NULL ? slots[i] : i);
}

/* The best k of found by their bytes, best first. */
static inline int
nearest_again(struct vectors *v, const float *q, const struct topk *found, size_t k,
	struct vector_hit *out, size_t *n, struct err *e)
{
	uint32_t *slots = xreallocarray(NULL, found->n + 1, sizeof(*slots));
	float *cosines = xreallocarray(NULL, found->n + 1, sizeof(*cosines));
	struct place p = { v, 0, NULL };
	struct topk best;
	int rc;

	topk_init(&best, k);
	for (size_t i = 0; i < found->n; i++)
		slots[i] = (uint32_t)found->items[i].id;
	qsort(slots, found->n, sizeof(*slots), by_uint32);
	rc = vectors_rescore(v, q, slots, found->n, cosines, e);
	for (size_t i = 0; rc == 0 && i < found->n; i++)
		topk_add(&best, cosines[i], slots[i]);
	topk_sort(&best);
	for (*n = 0; rc == 0 && *n < best.n; ++*n) {
		uint32_t slot = (uint32_t)best.items[*n].id;
		const uint8_t *bytes = vslot_at(&p, slot, e);

		if (bytes == NULL)
			rc = -1;
		else
			out[*n] = (struct vector_hit){ slot_key(bytes),
				best.items[*n].score, slot };
	}
	topk_release(&best);
	free(slots);
	free(cosines);
	return rc;
}

/* The k nearest vectors, best first; *n of them. */
static inline int
nearest(struct vectors *v, const float *q, size_t k, struct vector_hit *out, size_t *n,
	struct err *e)
{
	const struct vectors_some near = { .which = VECTORS_NEAR };
	uint32_t n_all = vectors_info(v)->n;
	uint64_t *keys = xreallocarray(NULL, n_all + 1u, sizeof(*keys));
	float *cosines = xreallocarray(NULL, n_all + 1u, sizeof(*cosines));
	struct topk found;
	int rc;

	topk_init(&found, MAX(4 * k, RESCORED));
	if (vectors_info(v)->n_cells > 0)
		rc = vectors_estimate(v, q, &near, nearest_found, &found, e);
	else if ((rc = vectors_cosines(v, q, keys, cosines, e)) == 0)
		nearest_found(&found, n_all, keys, cosines, NULL);
	if (rc == 0)
		rc = nearest_again(v, q, &found, k, out, n, e);
	topk_release(&found);
	free(keys);
	free(cosines);
	return rc;
}
