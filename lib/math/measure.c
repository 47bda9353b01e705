/*
 * measure.c: recall@k, any@k, all@k, binary nDCG@k, MRR@k, percentiles.
 *
 * All read the same array of what each hit adds to what was found, so a hit that stands for several
 * messages needs no special case.
 */
#include <math.h>

#include "math/measure.h"

#include "base/order.h"
#include "math/real.h"

static size_t
n_found(const uint32_t *found, size_t n, size_t k)
{
	size_t i, sum = 0;

	for (i = 0; i < MIN(n, k); i++)
		sum += found[i];
	return sum;
}

double
measure_recall(const uint32_t *found, size_t n, size_t n_relevant, size_t k)
{
	return n_relevant ? (double)n_found(found, n, k) / (double)n_relevant : 0;
}

double
measure_any(const uint32_t *found, size_t n, size_t n_relevant, size_t k)
{
	return n_relevant && n_found(found, n, k) > 0;
}

double
measure_all(const uint32_t *found, size_t n, size_t n_relevant, size_t k)
{
	return n_relevant && n_found(found, n, k) >= n_relevant;
}

double
measure_ndcg(const uint32_t *found, size_t n, size_t n_relevant, size_t k)
{
	double dcg = 0, ideal = 0;

	for (size_t i = 0; i < MIN(n, k); i++)
		if (found[i])
			dcg += 1 / real_log2((double)i + 2);
	for (size_t i = 0; i < MIN(n_relevant, k); i++)
		ideal += 1 / real_log2((double)i + 2);
	return ideal > 0 ? dcg / ideal : 0;
}

double
measure_mrr(const uint32_t *found, size_t n, size_t n_relevant, size_t k)
{
	for (size_t i = 0; n_relevant && i < MIN(n, k); i++)
		if (found[i])
			return 1 / ((double)i + 1);
	return 0;
}

double
measure_percentile(double *x, size_t n, double p)
{
	if (n == 0)
		return 0;
	qsort(x, n, sizeof *x, by_double);
	double at = (double)(n - 1) * MIN(MAX(p, 0), 100) / 100;
	double below = floor(at);
	size_t i = (size_t)below;
	if (i + 1 >= n)
		return x[n - 1];
	return x[i] + (at - below) * (x[i + 1] - x[i]);
}

double
measure_auc(double *x, size_t n, double *y, size_t m)
{
	size_t n_less = 0, n_not_greater = 0;
	double sum = 0;

	if (n == 0 || m == 0)
		return 0.5;
	qsort(x, n, sizeof *x, by_double);
	qsort(y, m, sizeof *y, by_double);
	for (size_t i = 0; i < n; i++) {
		while (n_less < m && y[n_less] < x[i])
			n_less++;
		while (n_not_greater < m && y[n_not_greater] <= x[i])
			n_not_greater++;
		sum += (double)n_less + (double)(n_not_greater - n_less) / 2;
	}
	return sum / (double)n / (double)m;
}
