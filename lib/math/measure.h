/*
 * measure.h: measures of a ranking against the set of relevant messages; and percentiles.
 *
 * A ranking of n hits is found [n]: found[i] is how many relevant messages the hit at rank i + 1
 * finds that no better hit found. For messages that is 0 or 1; a derived hit (a summary) may find
 * several through its sources. n_relevant counts all relevant messages, found or not, and is at
 * least 1: a question without any has no measure. Hits beyond n count as finding nothing.
 */
#pragma once

#include "base/base.h"

/* The share of the relevant messages that the first k hits find, 0 to 1. */
double measure_recall(const uint32_t *found, size_t n, size_t n_relevant, size_t k);

/* 1 when the first k hits find at least one, else 0. */
double measure_any(const uint32_t *found, size_t n, size_t n_relevant, size_t k);

/* 1 when the first k hits find all, else 0. */
double measure_all(const uint32_t *found, size_t n, size_t n_relevant, size_t k);

/*
 * nDCG with binary gains (Jarvelin & Kekalainen 2002; as trec_eval computes it): a hit that finds
 * something gains 1 / log2(rank + 1); the sum is divided by that of a ranking with min(k,
 * n_relevant) such hits in front.
 */
double measure_ndcg(const uint32_t *found, size_t n, size_t n_relevant, size_t k);

/* 1 / rank of the first hit that finds something, 0 when none of the first k does. */
double measure_mrr(const uint32_t *found, size_t n, size_t n_relevant, size_t k);

/*
 * The p-th percentile (p 0 to 100) of x [n], which is sorted in place: linear between the two
 * nearest (type 7 of Hyndman & Fan 1996, numpy's default). 0 when n is 0.
 */
double measure_percentile(double *x, size_t n, double p);

/*
 * The probability that one of x [n] is greater than one of y [m], a tie counting half: the area
 * under the ROC curve (Mann & Whitney 1947: U / nm). Both are sorted in place. .5 when either is
 * empty.
 */
double measure_auc(double *x, size_t n, double *y, size_t m);
