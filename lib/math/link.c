/*
 * link.c: average linkage. All pairs are compared once; then the two clusters that are nearest on
 * average become one, again and again, and the order in which they did is kept. A second pass
 * follows that order and measures the division that there is at each rung of a ladder of sizes.
 */
#include "math/link.h"

#include <math.h>

#include "base/alloc.h"
#include "math/kmeans_rows.h"

#define LADDER_STEP 1.06
/* A cluster has at least the root of n members divided by this: 7 of 320 points, 9 of 500. */
#define LEAST_SHARE 2.5

struct merge { uint32_t into, from; };

struct linkage {
	size_t n;
	float *alike;                          /* [n][n] cosines of the points */
	/* [n][n] mean cosines of clusters, by first members */
	float *now;
	uint32_t *nearest, *sizes;             /* [n] of each cluster; size 0: it was merged */
	struct merge *merges;                  /* [n - 1] in their order */
};

/* ---- cosines ---- */

static void
take_row(void *arg, size_t i, const int32_t *row, size_t n)
{
	struct linkage *l = arg;

	for (size_t j = 0; j < n; j++)
		l->alike[i * n + j] = (float)((double)row[j] / KMEANS_ONE / KMEANS_ONE);
}

/*
 * Products of the points less their mean, from products of the points: <x - m, y - m> is <x, y>
 * less the mean products of x and of y with all points, plus the mean of all products.
 */
static void
take_mean_away(struct linkage *l)
{
	size_t n = l->n;
	FREED double *means = xcalloc(n, sizeof(*means)), *lengths = xcalloc(n, sizeof(*lengths));
	double all = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++)
			means[i] += (double)l->alike[i * n + j] / (double)n;
		all += means[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++)
		lengths[i] = sqrt(MAX((double)l->alike[i * n + i] - 2 * means[i] + all, 0));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double length = lengths[i] * lengths[j],
			       x = (double)l->alike[i * n + j] - means[i] - means[j] + all;
			l->alike[i * n + j] = (float)(length > 1e-9 ? x / length : i == j);
		}
}

/* ---- merging ---- */

static uint32_t
find_nearest(const struct linkage *l, size_t i)
{
	const float *row = l->now + i * l->n;
	size_t best = l->n;

	for (size_t j = 0; j < l->n; j++)
		if (j != i && l->sizes[j] > 0 && (best == l->n || row[j] > row[best]))
			best = j;
	return (uint32_t)best;
}

static struct merge
closest(const struct linkage *l)
{
	size_t best = l->n;

	for (size_t i = 0; i < l->n; i++)
		if (l->sizes[i] > 0 &&
		    (best == l->n ||
			l->now[i * l->n + l->nearest[i]] > l->now[best * l->n + l->nearest[best]]))
			best = i;
	return (struct merge){ (uint32_t)MIN(best, l->nearest[best]),
		(uint32_t)MAX(best, l->nearest[best]) };
}

static void
merge_two(struct linkage *l, struct merge m, bool last)
{
	size_t n = l->n;
	float *a = l->now + m.into * n, *b = l->now + m.from * n;
	double n_a = l->sizes[m.into], n_b = l->sizes[m.from];

	for (size_t j = 0; j < n; j++) {
		a[j] = (float)(((double)a[j] * n_a + (double)b[j] * n_b) / (n_a + n_b));
		l->now[j * n + m.into] = a[j];
	}
	l->sizes[m.into] += l->sizes[m.from];
	l->sizes[m.from] = 0;
	for (size_t j = 0; j < n && !last; j++)
		if (l->sizes[j] > 0 &&
		    (j == m.into || l->nearest[j] == m.into || l->nearest[j] == m.from))
			l->nearest[j] = find_nearest(l, j);
}

static void
merge_all(struct linkage *l)
{
	memcpy(l->now, l->alike, l->n * l->n * sizeof(*l->now));
	for (size_t i = 0; i < l->n; i++)
		l->sizes[i] = 1;
	for (size_t i = 0; i < l->n; i++)
		l->nearest[i] = find_nearest(l, i);
	for (size_t i = 0; i + 1 < l->n; i++) {
		l->merges[i] = closest(l);
		merge_two(l, l->merges[i], i + 2 == l->n);
	}
}

/* ---- cutting ---- */

/* Numbers for the clusters that firsts [n], the first member of each point's cluster, tell of. */
static size_t
number_clusters(const struct linkage *l, const uint32_t *firsts, size_t least, uint32_t *of)
{
	FREED uint32_t *sizes = xcalloc(l->n, sizeof(*sizes));
	size_t k = 0;

	for (size_t i = 0; i < l->n; i++)
		sizes[firsts[i]]++;
	for (size_t i = 0; i < l->n; i++)
		of[i] = sizes[firsts[i]] < least ? KMEANS_NONE
		    : firsts[i] == i		 ? (uint32_t)k++
						 : of[firsts[i]];
	return k;
}

/*
 * The mean silhouette, points outside counting 0. outside [n], may be NULL: receives of, but
 * KMEANS_NONE for a point that is nearer to another cluster than to its own.
 */
static double
silhouette(const struct linkage *l, const uint32_t *of, size_t k, uint32_t *outside)
{
	FREED double *sums = xcalloc(k + 1, sizeof(*sums));
	double mean = 0;
	FREED uint32_t *sizes = xcalloc(k + 1, sizeof(*sizes));

	for (size_t i = 0; i < l->n; i++)
		sizes[of[i] == KMEANS_NONE ? k : of[i]]++;
	for (size_t i = 0; i < l->n; i++) {
		const float *row = l->alike + i * l->n;
		double nearest = -2, a, b;
		if (outside != NULL)
			outside[i] = of[i];
		if (of[i] == KMEANS_NONE)
			continue;
		memset(sums, 0, (k + 1) * sizeof(*sums));
		for (size_t j = 0; j < l->n; j++)
			sums[of[j] == KMEANS_NONE ? k : of[j]] += (double)row[j];
		for (size_t j = 0; j < k; j++)
			if (j != of[i])
				nearest = MAX(nearest, sums[j] / sizes[j]);
		/* The point itself is left out of its own cluster. */
		a = 1 - (sums[of[i]] - (double)row[i]) / MAX(sizes[of[i]] - 1, 1);
		b = 1 - nearest;
		if (MAX(a, b) > 0)
			mean += (b - a) / MAX(a, b) / (double)l->n;
		if (outside != NULL && a > b)
			outside[i] = KMEANS_NONE;
	}
	return mean;
}

static double
share_inside(const struct linkage *l, const uint32_t *of)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += of[i] != KMEANS_NONE;
	return (double)n / (double)l->n;
}

/* Takes out clusters of fewer than least members, and returns how many are left. */
static size_t
drop_small(size_t n, size_t k, size_t least, uint32_t *of)
{
	FREED uint32_t *sizes = xcalloc(k, sizeof(*sizes)), *numbers = xcalloc(k, sizeof(*numbers));
	uint32_t n_left = 0;

	for (size_t i = 0; i < n; i++)
		if (of[i] != KMEANS_NONE)
			sizes[of[i]]++;
	for (size_t j = 0; j < k; j++)
		numbers[j] = sizes[j] < least ? KMEANS_NONE : n_left++;
	for (size_t i = 0; i < n; i++)
		if (of[i] != KMEANS_NONE)
			of[i] = numbers[of[i]];
	return n_left;
}

/*
 * Two or three clusters are easily far apart, as texts in different languages are, and say little.
 * So the silhouette counts in part only, the less the fewer clusters there are, and somewhat less
 * where many points are outside.
 */
static size_t
cut(const struct linkage *l, size_t max, size_t least, uint32_t *of)
{
	FREED uint32_t *firsts = xreallocarray(NULL, l->n, sizeof(*firsts));
	FREED uint32_t *tried = xreallocarray(NULL, l->n, sizeof(*tried));
	double best = 0;
	size_t k = 0, rung = l->n;

	for (size_t i = 0; i < l->n; i++)
		firsts[i] = (uint32_t)i;
	for (size_t i = 0; i + 1 < l->n; i++) {
		size_t left = l->n - 1 - i, k_tried;
		double x;
		for (size_t j = 0; j < l->n; j++)
			if (firsts[j] == l->merges[i].from)
				firsts[j] = l->merges[i].into;
		if (left > rung)
			continue;
		rung = MIN(left - 1, (size_t)((double)left / LADDER_STEP));
		k_tried = number_clusters(l, firsts, least, tried);
		if (k_tried < 2 || k_tried > max ||
		    (x = silhouette(l, tried, k_tried, NULL)) < KMEANS_FLOOR)
			continue;
		x *= (1 - 1 / sqrt((double)k_tried)) * sqrt(sqrt(share_inside(l, tried)));
		if (x < best)
			continue;
		best = x;
		k = k_tried;
		memcpy(of, tried, l->n * sizeof(*of));
	}
	if (k > 0) {
		memcpy(tried, of, l->n * sizeof(*of));
		silhouette(l, tried, k, of);
		k = drop_small(l->n, k, least, of);
	}
	return k;
}

size_t
link_choose(const struct kmeans_points *p, size_t max, size_t least, unsigned n_threads,
	uint32_t *of)
{
	struct linkage l = { .n = p->n };

	if (p->n < LINK_MIN || p->n > LINK_MAX)
		return 0;
	l.alike = xreallocarray(NULL, p->n * p->n, sizeof(*l.alike));
	l.now = xreallocarray(NULL, p->n * p->n, sizeof(*l.now));
	l.nearest = xcalloc(p->n, sizeof(*l.nearest));
	l.sizes = xcalloc(p->n, sizeof(*l.sizes));
	l.merges = xcalloc(p->n, sizeof(*l.merges));
	kmeans_rows(p, p->v, p->n, n_threads, take_row, &l);
	take_mean_away(&l);
	merge_all(&l);
	size_t k = cut(&l, max, MAX(least, (size_t)(sqrt((double)p->n) / LEAST_SHARE)), of);
	free(l.alike);
	free(l.now);
	free(l.nearest);
	free(l.sizes);
	free(l.merges);
	return k;
}
