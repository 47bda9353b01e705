/*
 * assign.h: vectors into numbered clusters, fresh or with some that are known already. Pure.
 */
#pragma once

#include "math/kmeans.h"

struct assign_options {
	/* exactly so many (where there are points enough), at most so many; 0: not said */
	size_t k, max;
	size_t least;                      /* beside known clusters: members of a new one */
	double near;                       /* ... cosine that is enough to join one */
	unsigned n_threads;
};

struct assignment {
	/* [n] index of the cluster, KMEANS_NONE: in none, as zeros are */
	uint32_t *of;
	/* [k] from 1: known ones as they were, new ones behind them, the largest first */
	uint32_t *numbers;
	size_t k;
};

/*
 * kept [n]: the number of each point's cluster, which it keeps; KMEANS_NONE: it has none. The same
 * points give the same division.
 */
void assign_points(const struct kmeans_points *p, const struct assign_options *o,
	const uint32_t *kept, struct assignment *out);
void assignment_release(struct assignment *d);
