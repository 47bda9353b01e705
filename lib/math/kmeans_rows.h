/* kmeans_rows.h: what the files of k-means share. Private to lib/math. */
#pragma once

#include "math/kmeans.h"

/*
 * Receives the products of point i with all centroids, row [k]. Called once a point, from several
 * threads.
 */
typedef void kmeans_row_fn(void *arg, size_t i, const int32_t *row, size_t k);
void kmeans_rows(const struct kmeans_points *p, const int16_t *c, size_t k, unsigned n_threads,
	kmeans_row_fn *fn, void *arg);

/* Returns the sums of the clusters' members [k][D], for the caller to free. */
int64_t *kmeans_sums(const struct kmeans_points *p, const uint32_t *of, size_t k);

/*
 * Chooses seeds c [k][D] by greedy k-means++; the first j of them are seeds for j clusters. Cost: 4
 * k n D.
 */
void kmeans_seeds(const struct kmeans_points *p, size_t k, uint64_t seed, unsigned n_threads,
	int16_t *c);

/*
 * Returns n of the points, evenly spread, or all when there are not more. *owned: memory for the
 * caller to free.
 */
struct kmeans_points kmeans_sample(const struct kmeans_points *p, size_t n, int16_t **owned);
