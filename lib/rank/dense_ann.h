/* dense_ann.h: shared by dense.c and dense_ann.c. Private to them. */
#pragma once

#include "rank/dense.h"

/* *known: one bit a turn; valid as long as the result. */
struct dense_ann *dense_ann_new(uint32_t n_turns, const uint64_t **known);

/*
 * The cosine of a window, computed from those of its turn and of the neighbours; DENSE_NONE stands
 * for a neighbour that does not exist.
 */
static inline float
dense_window_from(const struct dense *d, float turn, float before, float after)
{
	float sum = turn;
	unsigned n = 0;

	if (before != DENSE_NONE) {
		sum += 0.5f * before;
		n++;
	}
	if (after != DENSE_NONE) {
		sum += 0.5f * after;
		n++;
	}
	return sum / d->length[n];
}

/*
 * The cosine of the window of a turn that has a vector, in the session of turns first .. end - 1.
 */
float dense_window_of(const struct dense *d, uint32_t turn, uint32_t first, uint32_t end);
void dense_spread_of(struct dense_spread *s, double sum, double squares, uint32_t n);
