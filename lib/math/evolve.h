/*
 * evolve.h: updates clusters: points that are in one stay, new points join the nearest one or make
 * new clusters.
 */
#pragma once

#include "math/kmeans.h"

struct evolve_options {
	struct kmeans_options kmeans;
	size_t max;                        /* most clusters */
	size_t least;                      /* fewest members of a new cluster */
	double near;                       /* cosine with the centroid that is enough to join */
	/* cosine of two centroids from which clusters are merged; above 1: never */
	double alike;
	/* merges a cluster of fewer than least members into another that is near */
	bool merge_small;
	/* divides all afresh where too many points are in no cluster; those that are held stay */
	bool regroup;
	/* of each old cluster; NULL: all are free */
	const enum evolve_hold { EVOLVE_FREE, EVOLVE_KEPT, EVOLVE_APART } *holds;
};

/*
 * Of [n]: on entry the cluster of each point, one of k, or KMEANS_NONE for a new point; on return
 * the same with the new points assigned. into [k]: each old cluster's number, or that of the larger
 * cluster that it was merged into. Returns the number of clusters, k and the new ones; at most max
 * of them hold points, unless more of the k already did. A point of zeros stays in none. A cluster
 * that is kept only takes others in, also larger ones; one that is held apart is not merged.
 *
 * A point joins a cluster when its cosine with the centroid is at least near, or no worse than that
 * of most members (their mean less one standard deviation), so that broad clusters stay broad. With
 * no cluster to begin with, all points are divided. A later new cluster must be as dense as the
 * loosest of the old ones. Where a third of the points are in no cluster after that, all are
 * divided afresh, if that leaves out far fewer; a cluster and an old one that have half of each
 * other's points are one.
 */
size_t evolve(const struct kmeans_points *p, const struct evolve_options *o, size_t k, uint32_t *of,
	uint32_t *into);

/*
 * Only assigns new points to old clusters; makes and merges none. near [n], may be NULL: of those
 * that join the cosine with the centroid.
 */
void evolve_join(const struct kmeans_points *p, const struct evolve_options *o, size_t k,
	uint32_t *of, double *near);
