/*
 * kmeans.h: spherical k-means clustering of unit vectors (Dhillon and Modha 2001), and the choice
 * of the number of clusters.
 *
 * Vectors are fixed-point: int16, where KMEANS_ONE is 1. Products of two unit vectors then fit into
 * int32, and sums are exact in any order, so that a result has the same bits on every machine and
 * with any number of threads.
 */
#pragma once

#include "base/base.h"

#define KMEANS_ONE  16384
#define KMEANS_NONE UINT32_MAX

/* Converts the unit vector v [D] to fixed-point. */
void kmeans_fix(const float *v, size_t n_dims, int16_t *out);
/* Scales a sum of fixed-point vectors to length 1; a sum of zeros gives false, and zeros. */
bool kmeans_unit(const int64_t *sum, size_t n_dims, int16_t *out);
bool kmeans_is_zero(const int16_t *v, size_t n_dims);

struct kmeans_points {
	const int16_t *v;                  /* [n][D] */
	size_t n, n_dims;
};

struct kmeans_options {
	unsigned n_threads;                /* at least 1 */
	unsigned max_steps;
	/* seedings; the result with the best sum of cosines is kept */
	unsigned n_tries;
	uint64_t seed;
};

/*
 * Assigns each point to the nearest of the centroids c [k][D]: of [n] receives its number, scores
 * [n] (may be NULL) the cosine times KMEANS_ONE squared. k at least 1; ties go to the smaller
 * number.
 */
void kmeans_assign(const struct kmeans_points *p, const int16_t *c, size_t k, unsigned n_threads,
	uint32_t *of, int32_t *scores);

/*
 * Approximates kmeans_assign for very many centroids: these are divided into about sqrt(k) groups,
 * and a point is compared only with the centroids of its KMEANS_NEAR nearest groups; with few
 * centroids, with all. second [n], may be NULL: for each point another near centroid, if possible
 * in another direction from the point, or KMEANS_NONE. Cost: n D sqrt(k) KMEANS_NEAR.
 */
#define KMEANS_NEAR 8
void kmeans_assign_near(const struct kmeans_points *p, const int16_t *c, size_t k,
	unsigned n_threads, uint32_t *of, uint32_t *second);

/*
 * Sets c [k][D] to the normalised mean of each cluster's members; the centroid of an empty cluster
 * is unchanged. Points of KMEANS_NONE do not count. Cost: n D.
 */
void kmeans_centroids(const struct kmeans_points *p, const uint32_t *of, size_t k, int16_t *c);

/*
 * Finds k clusters: of [n], c [k][D]; k at most n. No cluster is empty unless fewer than k points
 * differ. Seeds are chosen by greedy k-means++ (Arthur and Vassilvitskii 2007), from a sample where
 * n is large. Returns the sum of cosines. Cost: n k D a step.
 */
double kmeans_run(const struct kmeans_points *p, size_t k, const struct kmeans_options *o,
	uint32_t *of, int16_t *c);
/* The same, starting from the given centroids c. */
double kmeans_move(const struct kmeans_points *p, size_t k, const struct kmeans_options *o,
	uint32_t *of, int16_t *c);

/*
 * The mean silhouette (Rousseeuw 1987) for the distance 1 - cosine, computed exactly from the
 * clusters' sums: -1 to 1. It is 0 for one cluster; a point alone in its cluster counts 0. Cost: n
 * k D.
 */
double
kmeans_silhouette(const struct kmeans_points *p, const uint32_t *of, size_t k, unsigned n_threads);

/*
 * Chooses the number of clusters, 1 to max: of a ladder of sizes the smallest whose silhouette is
 * nearly (KMEANS_NEARLY) the best of all, or 1 when the best is below KMEANS_FLOOR, as for points
 * without clusters. Works on a sample of KMEANS_SAMPLE points. Fills c [result][D] with centroids
 * to start kmeans_move from; c has room for min(max, n / 3, KMEANS_MAX) of them, and at least one.
 */
#define KMEANS_MAX    1024
#define KMEANS_SAMPLE 6000
/*
 * From KMEANS_FEW clusters on. With fewer KMEANS_NEARLY_FEW holds, as each further cluster adds
 * much.
 */
#define KMEANS_NEARLY .90
#define KMEANS_NEARLY_FEW .95
#define KMEANS_FEW    16
#define KMEANS_FLOOR  .05
size_t kmeans_choose(const struct kmeans_points *p, size_t max, const struct kmeans_options *o,
	int16_t *c);
