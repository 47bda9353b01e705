/*
 * kmeans_near.c: approximates the nearest of very many centroids: the centroids themselves are
 * clustered into groups, and a point is compared with those of the few groups nearest to it. It
 * errs where the nearest centroid is in a farther group, and then mostly by little.
 *
 * The second centroid of a point follows P. Sun et al., "SOAR: Improved Indexing for Approximate
 * Nearest Neighbor Search", 2023.
 */
#include "math/kmeans.h"

#include <math.h>

#include "base/alloc.h"
#include "math/kmeans_rows.h"

#define GROUPS_LEAST 24            /* with fewer groups, nearly all of them would be near */
#define GROUP_STEPS  4

struct groups {
	size_t n, n_dims;
	int16_t *c;                        /* [n][D] */
	int16_t *members;                  /* [k][D], group by group */
	/* first [n + 1]: where each group's members begin; id [k]: which centroid each member is */
	uint32_t *first, *id;
};

static void
make_groups(struct groups *g, const int16_t *c, size_t k, size_t n_dims, unsigned n_threads)
{
	struct kmeans_points points = { c, k, n_dims };
	struct kmeans_options o = { .n_threads = n_threads,
		.max_steps = GROUP_STEPS,
		.n_tries = 1,
		.seed = 1 };
	FREED uint32_t *of = xreallocarray(NULL, k, sizeof(*of)), *at = NULL;

	g->n = (size_t)sqrt((double)k);
	g->n_dims = n_dims;
	g->c = xreallocarray(NULL, g->n * n_dims, sizeof(*g->c));
	g->members = xreallocarray(NULL, k * n_dims, sizeof(*g->members));
	g->first = xcalloc(g->n + 1, sizeof(*g->first));
	g->id = xreallocarray(NULL, k, sizeof(*g->id));
	at = xcalloc(g->n, sizeof(*at));
	for (size_t i = 0; i < g->n; i++)
		memcpy(g->c + i * n_dims, c + i * k / g->n * n_dims, n_dims * sizeof(*c));
	kmeans_move(&points, g->n, &o, of, g->c);
	for (size_t i = 0; i < k; i++)
		g->first[of[i] + 1]++;
	for (size_t i = 0; i < g->n; i++) {
		g->first[i + 1] += g->first[i];
		at[i] = g->first[i];
	}
	for (size_t i = 0; i < k; i++) {
		memcpy(g->members + (size_t)at[of[i]] * n_dims, c + i * n_dims,
		    n_dims * sizeof(*c));
		g->id[at[of[i]]++] = (uint32_t)i;
	}
}

static void
groups_release(struct groups *g)
{
	free(g->c);
	free(g->members);
	free(g->first);
	free(g->id);
}

/* ---- choosing the near groups ---- */

static void
near_row(void *arg, size_t i, const int32_t *row, size_t k)
{
	uint16_t *near = (uint16_t *)arg + i * KMEANS_NEAR;
	size_t n = 0, j;

	for (size_t c = 0; c < k; c++) {
		if (n == KMEANS_NEAR && row[c] <= row[near[n - 1]])
			continue;
		n = MIN(n + 1, (size_t)KMEANS_NEAR);
		for (j = n - 1; j > 0 && row[near[j - 1]] < row[c]; j--)
			near[j] = near[j - 1];
		near[j] = (uint16_t)c;
	}
}

/* ---- comparing points with the members of a group ---- */

/* Kept for each point, nearest first; the second centroid is chosen among them. */
#define BEST 8

struct nearest { uint32_t id[BEST]; int32_t score[BEST]; size_t n; };
/* id NULL: column j is centroid j; which NULL: row i is point i. */
struct comparing { const uint32_t *id, *which; struct nearest *best; size_t keep; };

static void
member_row(void *arg, size_t i, const int32_t *row, size_t k)
{
	const struct comparing *x = arg;
	struct nearest *best = &x->best[x->which != NULL ? x->which[i] : i];

	for (size_t j = 0; j < k; j++) {
		uint32_t id = x->id != NULL ? x->id[j] : (uint32_t)j;
		size_t last = best->n - 1, at;
		if (best->n == x->keep &&
		    (row[j] < best->score[last] ||
			(row[j] == best->score[last] && id > best->id[last])))
			continue;
		best->n = MIN(best->n + 1, x->keep);
		for (at = best->n - 1; at > 0 &&
		     (best->score[at - 1] < row[j] ||
			 (best->score[at - 1] == row[j] && best->id[at - 1] > id));
		     at--) {
			best->score[at] = best->score[at - 1];
			best->id[at] = best->id[at - 1];
		}
		best->score[at] = row[j];
		best->id[at] = id;
	}
}

static void
compare_near(const struct kmeans_points *p, const int16_t *c, size_t k, unsigned n_threads,
	struct nearest *best, size_t keep)
{
	size_t n_dims = p->n_dims, bytes = n_dims * sizeof(*c);
	LOCAL(groups) g = { 0 };
	FREED uint16_t *near = xreallocarray(NULL, p->n * KMEANS_NEAR + 1, sizeof(*near));
	FREED uint32_t *which = xreallocarray(NULL, p->n + 1, sizeof(*which));
	FREED int16_t *some = xreallocarray(NULL, p->n + 1, bytes);

	make_groups(&g, c, k, n_dims, n_threads);
	kmeans_rows(p, g.c, g.n, n_threads, near_row, near);
	for (size_t j = 0; j < g.n; j++) {
		size_t n = 0, k_here = g.first[j + 1] - g.first[j];
		for (size_t i = 0; i < p->n * KMEANS_NEAR; i++)
			if (near[i] == j) {
				which[n] = (uint32_t)(i / KMEANS_NEAR);
				memcpy(some + n++ * n_dims, p->v + i / KMEANS_NEAR * n_dims, bytes);
			}
		if (n > 0 && k_here > 0)
			kmeans_rows(&(struct kmeans_points){ some, n, n_dims },
			    g.members + g.first[j] * n_dims, k_here, n_threads, member_row,
			    &(struct comparing){ g.id + g.first[j], which, best, keep });
	}
}

/* ---- the second centroid ---- */

/* <x, y> of two centroids, 1 for equal ones */
static double
product(const int16_t *x, const int16_t *y, size_t n)
{
	int32_t sum = 0;

	for (size_t d = 0; d < n; d++)
		sum += x[d] * y[d];
	return (double)sum / KMEANS_ONE / KMEANS_ONE;
}

/*
 * With x a point, c its nearest centroid, r = x - c and y another centroid: minimises |x - y|^2 +
 * <r, x - y>^2 / |r|^2. Among equally near centroids this prefers one in another direction from the
 * point than c: a query for which c is far also finds the centroids close to c far.
 */
static uint32_t
second_of(const struct nearest *best, const int16_t *c, size_t n_dims)
{
	double first = (double)best->score[0] / KMEANS_ONE / KMEANS_ONE,
	       off = MAX(2 - 2 * first, 1e-6), least = INFINITY;
	uint32_t second = KMEANS_NONE;

	for (size_t i = 1; i < best->n; i++) {
		double s = (double)best->score[i] / KMEANS_ONE / KMEANS_ONE;
		double along = 1 - s - first +
		    product(c + best->id[0] * n_dims, c + best->id[i] * n_dims, n_dims),
		       cost = 2 - 2 * s + along * along / off;
		if (cost < least) {
			least = cost;
			second = best->id[i];
		}
	}
	return second;
}

void
kmeans_assign_near(const struct kmeans_points *p, const int16_t *c, size_t k, unsigned n_threads,
	uint32_t *of, uint32_t *second)
{
	FREED struct nearest *best = xcalloc(p->n + 1, sizeof(*best));
	size_t keep = second != NULL ? BEST : 1;

	if (k < GROUPS_LEAST * GROUPS_LEAST)
		kmeans_rows(p, c, k, n_threads, member_row,
		    &(struct comparing){ NULL, NULL, best, keep });
	else
		compare_near(p, c, k, n_threads, best, keep);
	for (size_t i = 0; i < p->n; i++) {
		of[i] = best[i].id[0];
		if (second != NULL)
			second[i] = second_of(&best[i], c, p->n_dims);
	}
}
