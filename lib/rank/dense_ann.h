/*
 * dense_ann.h: what dense.c and dense_few.c share. Private to them.
 */
#ifndef RANK_DENSE_ANN_H
#define RANK_DENSE_ANN_H

#include "rank/dense.h"

/* *known: a bit a turn, for as long as it lives. */
struct dense_ann *dense_ann_new(uint32_t n_turns, const uint64_t **known);

/*
 * The cosine of a window from those of its turn and of the neighbours, DENSE_NONE where there is
 * none.
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

/* That of a turn of the session first .. end-1, which has a vector. */
float dense_window_of(const struct dense *d, uint32_t turn, uint32_t first, uint32_t end);
void dense_spread_of(struct dense_spread *s, double sum, double squares, uint32_t n);

#endif
