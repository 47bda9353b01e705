/*
 * kmeans.h: unit vectors sorted into clusters: spherical k-means (Dhillon and Modha 2001), and how
 * many clusters there are.
 *
 * Vectors are fixed-point: int16, KMEANS_ONE is 1. A product of two unit vectors then fits into
 * int32, sums are exact whatever their order, and a result has the same bits on every machine and
 * with any number of threads.
 */
#ifndef MATH_KMEANS_H
#define MATH_KMEANS_H

#include "base/base.h"

#define KMEANS_ONE  16384
#define KMEANS_NONE UINT32_MAX

/* The unit vector v [D] as fixed-point. */
void kmeans_fix(const float *v, size_t n_dims, int16_t *out);
/* Makes the sum of such vectors unit; zeros give false, and zeros. */
bool kmeans_unit(const int64_t *sum, size_t n_dims, int16_t *out);
bool kmeans_is_zero(const int16_t *v, size_t n_dims);

struct kmeans_points {
	const int16_t *v;                  /* [n][D] */
	size_t n, n_dims;
};

struct kmeans_options {
	unsigned n_threads;                /* at least 1 */
	unsigned max_steps;
	/* seedings; the one with the best sum of cosines is kept */
	unsigned n_tries;
	uint64_t seed;
};

/*
 * Of the nearest of centroids c [k][D]: of [n] its number, scores [n] its cosine times KMEANS_ONE
 * squared (may be NULL). k at least 1; ties to the smaller number.
 */
void kmeans_assign(const struct kmeans_points *p, const int16_t *c, size_t k, unsigned n_threads,
	uint32_t *of, int32_t *scores);

/*
 * The same for very many centroids, nearly: only those of the KMEANS_NEAR groups that are nearest,
 * of about the root of k groups, are compared; for few of them, all are. second [n], may be NULL:
 * of each another one that is near, on another side of it where there is one, or KMEANS_NONE. Cost:
 * n D (root of k) KMEANS_NEAR.
 */
#define KMEANS_NEAR 8
void kmeans_assign_near(const struct kmeans_points *p, const int16_t *c, size_t k,
	unsigned n_threads, uint32_t *of, uint32_t *second);

/*
 * c [k][D] from the members: the unit mean of each; one without any stays as it was. Points of
 * KMEANS_NONE count nowhere. Cost: n D.
 */
void kmeans_centroids(const struct kmeans_points *p, const uint32_t *of, size_t k, int16_t *c);

/*
 * k clusters: of [n], c [k][D]. k at most n. No cluster is empty unless fewer than k points differ.
 * Seeds: greedy k-means++ (Arthur and Vassilvitskii 2007), of a sample where n is large. Returns
 * the sum of cosines. Cost: n k D a step.
 */
double kmeans_run(const struct kmeans_points *p, size_t k, const struct kmeans_options *o,
	uint32_t *of, int16_t *c);
/* The same from centroids c that are given: moved to where the points are. */
double kmeans_move(const struct kmeans_points *p, size_t k, const struct kmeans_options *o,
	uint32_t *of, int16_t *c);

/*
 * The mean silhouette (Rousseeuw 1987) for the distance 1 - cosine, exactly, from the clusters'
 * sums: -1 to 1. 0 for one cluster; a point alone in its cluster counts 0. Cost: n k D.
 */
double
kmeans_silhouette(const struct kmeans_points *p, const uint32_t *of, size_t k, unsigned n_threads);

/*
 * How many clusters, 1 to max: of a ladder of sizes the smallest whose silhouette is nearly
 * (KMEANS_NEARLY) the best of all; 1 where the best is below KMEANS_FLOOR, as of points without
 * clusters. Decided on a sample of KMEANS_SAMPLE points. Fills c [result][D] with centroids to move
 * on from; it has room for as many as max, n / 3 or KMEANS_MAX, and for one.
 */
#define KMEANS_MAX    1024
#define KMEANS_SAMPLE 6000
/* from KMEANS_FEW clusters on; fewer must come nearer, as each more tells much */
#define KMEANS_NEARLY .90
#define KMEANS_NEARLY_FEW .95
#define KMEANS_FEW    16
#define KMEANS_FLOOR  .05
size_t kmeans_choose(const struct kmeans_points *p, size_t max, const struct kmeans_options *o,
	int16_t *c);

#endif
