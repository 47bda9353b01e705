/*
 * kmeans_test.c: k-means against points whose clusters are known, the silhouette against one that
 * compares every point with every other, kernels against each other.
 */
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "math/kernel.h"
#include "math/kmeans.h"
#include "math/partition.h"
#include "math/vec.h"
#include "tap.h"

#define DIMS 50                        /* no multiple of what a kernel takes at once */

static const struct kmeans_options options = { .n_threads = 2,
	.max_steps = 30,
	.n_tries = 3,
	.seed = 1 };

static double
noise(uint64_t *state)
{
	double sum = 0;

	for (unsigned i = 0; i < 12; i++)
		sum += (double)(hash64_mix(++*state) >> 11) / 9007199254740992.0;
	return sum - 6;
}

/* n unit vectors around k others, spread alike; truth [n]. */
static int16_t *
blobs(size_t n, size_t k, double spread, uint64_t state, uint32_t *truth)
{
	int16_t *v = malloc(n * DIMS * sizeof(*v));
	double *at = malloc(k * DIMS * sizeof(*at));

	for (size_t i = 0; i < k * DIMS; i++)
		at[i] = noise(&state);
	for (size_t i = 0; i < n; i++) {
		float x[DIMS];
		truth[i] = (uint32_t)(hash64_mix(++state) % k);
		for (size_t d = 0; d < DIMS; d++)
			x[d] = (float)(at[truth[i] * DIMS + d] + spread * noise(&state));
		vec_unit(x, DIMS);
		kmeans_fix(x, DIMS, v + i * DIMS);
	}
	free(at);
	return v;
}

static double
cosine(const int16_t *a, const int16_t *b)
{
	double sum = 0;

	for (size_t d = 0; d < DIMS; d++)
		sum += (double)a[d] * b[d];
	return sum / KMEANS_ONE / KMEANS_ONE;
}

/* As Rousseeuw wrote it: every point with every other. */
static double
plain_silhouette(const int16_t *v, size_t n, const uint32_t *of, size_t k)
{
	double all = 0;

	for (size_t i = 0; i < n; i++) {
		double sums[16] = { 0 }, sizes[16] = { 0 }, a, b = 9;
		for (size_t j = 0; j < n; j++)
			if (j != i) {
				sums[of[j]] += 1 - cosine(v + i * DIMS, v + j * DIMS);
				sizes[of[j]]++;
			}
		if (sizes[of[i]] == 0)
			continue;
		a = sums[of[i]] / sizes[of[i]];
		for (size_t j = 0; j < k; j++)
			if (j != of[i] && sizes[j] > 0)
				b = sums[j] / sizes[j] < b ? sums[j] / sizes[j] : b;
		all += (b - a) / (a > b ? a : b);
	}
	return all / (double)n;
}

static void
test_known(void)
{
	uint32_t truth[600], of[600];
	int16_t *v = blobs(600, 7, .6, 5, truth), c[7 * DIMS];
	struct kmeans_points p = { v, 600, DIMS };
	struct partition got;
	double sum = kmeans_run(&p, 7, &options, of, c), again = 0;
	bool nearest = true;

	partition_compare(truth, of, 600, &got);
	ok(got.v == 1, "seven clusters are found as they were made");
	for (size_t i = 0; i < 600; i++) {
		again += cosine(v + i * DIMS, c + of[i] * DIMS);
		for (size_t j = 0; j < 7; j++)
			nearest = nearest &&
			    cosine(v + i * DIMS, c + of[i] * DIMS) >=
				cosine(v + i * DIMS, c + j * DIMS);
	}
	ok(nearest, "each point is with the nearest centroid");
	ok(fabs(sum - again) < 1e-6, "the sum of cosines is that of the assignment");
	ok(fabs(kmeans_silhouette(&p, of, 7, 2) - plain_silhouette(v, 600, of, 7)) < 1e-3,
	    "the silhouette is that of all pairs");
	for (size_t i = 0; i < 600; i++)
		of[i] = (uint32_t)(i % 5);
	ok(fabs(kmeans_silhouette(&p, of, 5, 1) - plain_silhouette(v, 600, of, 5)) < 1e-3,
	    "of a bad division too");
	free(v);
}

static void
test_same_bits(void)
{
	uint32_t truth[500], of[500], other[500];
	int16_t *v = blobs(500, 9, 1.5, 77, truth), c[20 * DIMS], d[20 * DIMS];
	struct kmeans_points p = { v, 500, DIMS };
	struct kmeans_options alone = options;

	alone.n_threads = 1;
	kmeans_run(&p, 20, &options, of, c);
	kmeans_run(&p, 20, &alone, other, d);
	ok(memcmp(of, other, sizeof(of)) == 0 && memcmp(c, d, sizeof(c)) == 0,
	    "one thread or two: the same bits");
	for (const char *const *name = kernel_names(); *name != NULL; name++) {
		kernel_use(*name);
		kmeans_run(&p, 20, &options, other, d);
		ok(memcmp(of, other, sizeof(of)) == 0 && memcmp(c, d, sizeof(c)) == 0,
		    "kernel %s: the same bits", *name);
	}
	kernel_use("");
	alone.seed = 2;
	kmeans_run(&p, 20, &alone, other, d);
	ok(memcmp(c, d, sizeof(c)) != 0, "another seed: another result");
	free(v);
}

static void
test_choose(void)
{
	static uint32_t truth[9000];
	static const size_t kinds[][2] = { { 60, 3 }, { 400, 6 }, { 2000, 40 }, { 9000, 12 } };
	int16_t *c = malloc(KMEANS_MAX * DIMS * sizeof(*c)), *v;
	uint32_t *of = malloc(sizeof(truth));
	struct partition got;

	for (size_t i = 0; i < NELEM(kinds); i++) {
		size_t n = kinds[i][0], k = kinds[i][1], chosen;
		struct kmeans_points p = { v = blobs(n, k, .7, 100 * i, truth), n, DIMS };
		chosen = kmeans_choose(&p, 500, &options, c);
		kmeans_move(&p, chosen, &options, of, c);
		partition_compare(truth, of, n, &got);
		ok(got.v > .97 && chosen <= 2 * k, "%zu points of %zu clusters: %zu found", n, k,
		    chosen);
		chosen = kmeans_choose(&p, 2, &options, c);
		ok(chosen <= 2, "... at most two when so asked");
		free(v);
	}
	struct kmeans_points one = { v = blobs(500, 1, 3, 9, truth), 500, DIMS };
	is_int((int)kmeans_choose(&one, 500, &options, c), 1,
	    "noise around one point is one cluster");
	free(v);
	free(c);
	free(of);
}

static void
test_edges(void)
{
	int16_t v[6 * DIMS] = { 0 }, c[6 * DIMS], sum_of[DIMS];
	uint32_t of[6];
	int64_t sum[DIMS] = { 0 };
	struct kmeans_points p = { v, 6, DIMS };

	for (size_t i = 0; i < 6; i++)
		v[i * DIMS + i / 2] = KMEANS_ONE;              /* three pairs of equal points */
	kmeans_run(&p, 3, &options, of, c);
	ok(of[0] == of[1] && of[2] == of[3] && of[4] == of[5] && of[0] != of[2] && of[2] != of[4] &&
		of[0] != of[4],
	    "equal points stay together");
	kmeans_run(&p, 6, &options, of, c);
	ok(of[0] == of[1] && of[2] == of[3] && of[4] == of[5],
	    "more clusters than there are different points: some stay empty");
	p.n = 1;
	kmeans_run(&p, 1, &options, of, c);
	ok(of[0] == 0 && memcmp(c, v, DIMS * sizeof(*c)) == 0, "one point is its own centroid");
	is_int((int)kmeans_choose(&p, 10, &options, c), 1, "and one cluster");
	p.n = 0;
	is_int((int)kmeans_choose(&p, 10, &options, c), 1, "no points: one cluster, of nothing");
	ok(!kmeans_unit(sum, DIMS, sum_of) && sum_of[0] == 0, "zeros have no direction");
	sum[3] = -7;
	ok(kmeans_unit(sum, DIMS, sum_of) && sum_of[3] == -KMEANS_ONE, "a sum is made unit");
	p.n = 6;
	of[0] = of[1] = 0;
	of[2] = of[3] = of[4] = of[5] = KMEANS_NONE;
	c[DIMS] = 77;
	kmeans_centroids(&p, of, 2, c);
	ok(c[0] == KMEANS_ONE && c[2] == 0 && c[DIMS] == 77,
	    "who is in none counts nowhere; a cluster without members keeps its centroid");
}

/* By groups of centroids, against all of them. */
static void
test_near(void)
{
	enum { N = 6000, K = 900, FEW = 400 };
	uint32_t *truth = malloc(N * sizeof(*truth)), *all = malloc(N * sizeof(*all)),
		 *near = malloc(N * sizeof(*near));
	int16_t *v = blobs(N, K, 0.6, 7, truth), *c = malloc((size_t)K * DIMS * sizeof(*c));
	struct kmeans_points p = { v, N, DIMS };
	size_t n_same = 0;
	double lost = 0;

	for (size_t i = 0; i < K; i++)
		memcpy(c + i * DIMS, v + i * (N / K) * DIMS, DIMS * sizeof(*c));
	kmeans_assign(&p, c, K, 2, all, NULL);
	kmeans_assign_near(&p, c, K, 2, near, NULL);
	for (size_t i = 0; i < N; i++) {
		n_same += near[i] == all[i];
		lost += cosine(v + i * DIMS, c + all[i] * DIMS) -
		    cosine(v + i * DIMS, c + near[i] * DIMS);
	}
	ok(n_same > N * .85 && n_same < N, "near: %zu of %d have their nearest centroid", n_same,
	    N);
	ok(lost / N < .01, "the others one that is not much further: %.4f", lost / N);
	kmeans_assign_near(&p, c, K, 1, all, NULL);
	ok(memcmp(all, near, N * sizeof(*near)) == 0, "with one thread as with two");
	kmeans_assign(&p, c, FEW, 2, all, NULL);
	kmeans_assign_near(&p, c, FEW, 2, near, NULL);
	ok(memcmp(all, near, N * sizeof(*near)) == 0, "few centroids: all are compared");
	free(truth);
	free(all);
	free(near);
	free(v);
	free(c);
}

/*
 * What a second centroid costs, by float differences: with x the point, a its nearest, y the second
 * and r = x - a: |x - y|^2 + <r, x - y>^2 / |r|^2.
 */
static double
second_cost(const int16_t *x, const int16_t *a, const int16_t *y)
{
	double away = 0, along = 0, off = 0;

	for (size_t d = 0; d < DIMS; d++) {
		double r = (double)(x[d] - a[d]) / KMEANS_ONE,
		       to = (double)(x[d] - y[d]) / KMEANS_ONE;
		away += to * to;
		along += r * to;
		off += r * r;
	}
	return away + along * along / off;
}

static void
test_second(void)
{
	enum { N = 500, K = 60, MANY = 700 };
	uint32_t *truth = malloc(N * sizeof(*truth)), *of = malloc(N * sizeof(*of)),
		 *second = malloc(N * sizeof(*second)), *other = malloc(N * sizeof(*other));
	int16_t *v = blobs(N, K, 0.6, 11, truth), *c = malloc((size_t)MANY * DIMS * sizeof(*c));
	struct kmeans_points p = { v, N, DIMS };
	size_t n_best = 0, n_same = 0, n_next = 0, n_two = 0;

	for (size_t i = 0; i < MANY; i++)
		memcpy(c + i * DIMS, v + (i * 7 + 3) % N * DIMS, DIMS * sizeof(*c));
	for (size_t i = 0; i < MANY; i++) {                    /* none is a point */
		int64_t near[DIMS];
		for (size_t d = 0; d < DIMS; d++)
			near[d] = c[i * DIMS + d] +
			    (int64_t)((i * DIMS + d) * 2654435761u >> 20 & 2047) - 1024;
		kmeans_unit(near, DIMS, c + i * DIMS);
	}
	kmeans_assign_near(&p, c, K, 2, of, second);
	for (size_t i = 0; i < N; i++) {
		double nearest[8] = { -2, -2, -2, -2, -2, -2, -2, -2 }, least = 1e9, next = -2;
		uint32_t of_next = 0;
		for (uint32_t k = 0; k < K; k++) {
			double s = cosine(v + i * DIMS, c + k * DIMS);
			if (k != of[i] && s > next) {
				next = s;
				of_next = k;
			}
			for (size_t j = 0; j < 8; j++)
				if (s > nearest[j]) {
					memmove(nearest + j + 1, nearest + j,
					    (7 - j) * sizeof(*nearest));
					nearest[j] = s;
					break;
				}
		}
		for (uint32_t k = 0; k < K; k++)
			if (k != of[i] && cosine(v + i * DIMS, c + k * DIMS) >= nearest[7] - 1e-9)
				least = fmin(least,
				    second_cost(v + i * DIMS, c + of[i] * DIMS, c + k * DIMS));
		n_best += second[i] < K && second[i] != of[i] &&
		    second_cost(v + i * DIMS, c + of[i] * DIMS, c + second[i] * DIMS) < least + .02;
		n_next += second[i] == of_next;
	}
	ok(n_best >= N * .97,
	    "second: of %zu of %d it is the one of the nearest eight that costs least", n_best, N);
	ok(n_next < N * .95, "which is not always the next: %zu", n_next);
	kmeans_assign_near(&p, c, K, 1, of, other);
	ok(memcmp(second, other, N * sizeof(*other)) == 0, "with one thread as with two");
	kmeans_assign_near(&p, c, MANY, 2, of, second);
	for (size_t i = 0; i < N; i++)
		n_two += second[i] < MANY && second[i] != of[i];
	is_int((int64_t)n_two, N, "by groups each has two");
	kmeans_assign_near(&p, c, MANY, 2, other, NULL);
	for (size_t i = 0; i < N; i++)
		n_same += other[i] == of[i];
	is_int((int64_t)n_same, N, "and the first is as without");
	kmeans_assign_near(&p, c, 1, 1, of, second);
	ok(second[0] == KMEANS_NONE && of[0] == 0, "one centroid: no second");
	free(truth);
	free(of);
	free(second);
	free(other);
	free(v);
	free(c);
}

int
main(void)
{
	test_known();
	test_same_bits();
	test_choose();
	test_edges();
	test_near();
	test_second();
	return tap_done();
}
