/*
 * evolve.h: clusters that are there go on: who is in one stays, who is new joins the nearest or
 * makes a new one with others.
 */
#ifndef MATH_EVOLVE_H
#define MATH_EVOLVE_H

#include "math/kmeans.h"

struct evolve_options {
	struct kmeans_options kmeans;
	size_t max;                        /* clusters */
	size_t least;                      /* members of a new one */
	double near;                       /* cosine with the centroid that is enough to join */
	/* cosine of two centroids from which they are one; above 1: none are */
	double alike;
	/* one with fewer members than least becomes part of another that is near */
	bool merge_small;
};

/*
 * of [n]: in the cluster of each point, one of k, or KMEANS_NONE of one that is new; out the same
 * with those that joined. into [k]: each old cluster's number, or that of the larger one that it
 * has become part of. Returns how many numbers there are now: k and the new ones; at most max hold
 * points, unless more of the k already did. A point of zeros stays in none.
 *
 * A point joins when its cosine is near, or no worse than that of most members of the cluster (its
 * mean less one deviation): broad clusters stay broad. With no cluster to begin with, all points
 * are divided. A later new cluster must be as dense as the loosest of the old ones.
 */
size_t evolve(const struct kmeans_points *p, const struct evolve_options *o, size_t k, uint32_t *of,
	uint32_t *into);

/* Only the joining; nothing new, nothing merged. */
void
evolve_join(const struct kmeans_points *p, const struct evolve_options *o, size_t k, uint32_t *of);

#endif
