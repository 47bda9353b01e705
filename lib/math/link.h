/*
 * link.h: few points sorted into clusters by average linkage (Sokal and Michener 1958). Other than
 * k-means it makes clusters of very different sizes, and leaves what is like none of them outside.
 */
#ifndef MATH_LINK_H
#define MATH_LINK_H

#include "math/kmeans.h"

/*
 * Fewer points have clusters of too few members for their mean distances to say much. Of more
 * points, noise chains what belongs apart, and k-means does better.
 */
#define LINK_MIN 64
#define LINK_MAX 512

/*
 * The clusters of LINK_MIN to LINK_MAX points that are not zero; of others 0. of [n] is each
 * point's, or KMEANS_NONE for one that is in no cluster of at least so many members. The dendrogram
 * is cut where the silhouette, in which points outside count 0, is best among the cuts that give 2
 * to max clusters. Points are compared after their mean is taken away, as what all have in common,
 * like the direction of a model's vectors, tells none from another. Returns how many clusters there
 * are; 0 where the best silhouette is below KMEANS_FLOOR. Cost: a few n^2 for each of about 100
 * cuts, and n^2 D.
 */
size_t link_choose(const struct kmeans_points *p, size_t max, size_t least, unsigned n_threads,
	uint32_t *of);

#endif
