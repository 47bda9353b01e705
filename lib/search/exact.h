/*
 * exact.h: exact cosines in place of estimates, for the few turns that may be hits. Private to
 * query_vector.c.
 */
#pragma once

#include "rank/dense.h"
#include "store/vectors.h"

/*
 * Writes the turns and their neighbours, whose windows they share, into out [3 n_turns], each once;
 * returns how many.
 */
size_t exact_neighbours(const struct dense *d, const uint32_t *turns, size_t n_turns,
	uint32_t *out);
/*
 * Replaces the estimates of turns [n] by exact cosines with q [D], in the order of slots, since
 * neighbours mostly stand on the same page. Only turns with known set; NULL: all turns.
 */
int exact_make(struct vectors *v, const float *q, struct dense *d, const uint32_t *turns,
	const bool *known, size_t n, struct err *err);
