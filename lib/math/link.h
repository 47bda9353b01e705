/*
 * link.h: clusters a few points by average linkage (Sokal and Michener 1958). Unlike k-means, it
 * makes clusters of very different sizes, and leaves points outside that are like none of them.
 */
#pragma once

#include "math/kmeans.h"

/*
 * With fewer points, clusters have too few members for their mean distances to tell much. With
 * more, noise joins clusters that belong apart, and k-means does better.
 */
#define LINK_MIN 64
#define LINK_MAX 512

/*
 * Clusters points, of which LINK_MIN to LINK_MAX are not zero. of [n] is each point's cluster, or
 * KMEANS_NONE for one that is in no cluster of at least least members. The dendrogram is cut where
 * the silhouette is best among the cuts that give 2 to max clusters; points outside count 0 in it.
 * The mean of all points is subtracted first, as what all have in common, like the direction of a
 * model's vectors, tells none from another. Returns the number of clusters; 0 if the best
 * silhouette is below KMEANS_FLOOR, or if the number of points is another. Cost: a few n^2 for each
 * of about 100 cuts, and n^2 D.
 */
size_t link_choose(const struct kmeans_points *p, size_t max, size_t least, unsigned n_threads,
	uint32_t *of);
