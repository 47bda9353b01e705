/*
 * kmeans_near.c: the nearest of very many centroids, nearly: the centroids are clustered themselves, into groups, and a point is compared with those of the few groups that are nearest
 * to it. It goes wrong where the nearest centroid is in a group further off, and then mostly by little.
 */
#include "math/kmeans.h"

#include <math.h>

#include "base/alloc.h"
#include "math/kmeans_rows.h"

#define GROUPS_LEAST 24            /* below, all groups would be near */
#define GROUP_STEPS  4

struct groups {
	size_t n, n_dims;
	int16_t *c;                        /* [n][D] */
	int16_t *members;                  /* [k][D], group by group */
	uint32_t *first, *id;              /* [n + 1]; [k] which centroid */
};

static void
group(struct groups *g, const int16_t *c, size_t k, size_t n_dims, unsigned n_threads)
{
	struct kmeans_points points = { c, k, n_dims };
	struct kmeans_options o = { .n_threads = n_threads, .max_steps = GROUP_STEPS, .n_tries = 1, .seed = 1 };
	uint32_t *of = xreallocarray(NULL, k, sizeof(*of)), *at;

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
		memcpy(g->members + (size_t)at[of[i]] * n_dims, c + i * n_dims, n_dims * sizeof(*c));
		g->id[at[of[i]]++] = (uint32_t)i;
	}
	free(of);
	free(at);
}

static void
release(struct groups *g)
{
	free(g->c);
	free(g->members);
	free(g->first);
	free(g->id);
}

/* ---- which groups are near ---- */

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

/* ---- the members of a group, to the points that are near it ---- */

struct comparing { const uint32_t *id; const uint32_t *which; uint32_t *of; int32_t *best; };

static void
member_row(void *arg, size_t i, const int32_t *row, size_t k)
{
	const struct comparing *x = arg;
	uint32_t point = x->which[i];

	for (size_t j = 0; j < k; j++)
		if (row[j] > x->best[point] || (row[j] == x->best[point] && x->id[j] < x->of[point])) {
			x->best[point] = row[j];
			x->of[point] = x->id[j];
		}
}

void
kmeans_assign_near(const struct kmeans_points *p, const int16_t *c, size_t k, unsigned n_threads, uint32_t *of)
{
	size_t n_dims = p->n_dims, bytes = n_dims * sizeof(*c);
	struct groups g;
	uint16_t *near;
	uint32_t *which;
	int32_t *best;
	int16_t *some;

	if (k < GROUPS_LEAST * GROUPS_LEAST) {
		kmeans_assign(p, c, k, n_threads, of, NULL);
		return;
	}
	group(&g, c, k, n_dims, n_threads);
	near = xreallocarray(NULL, p->n * KMEANS_NEAR + 1, sizeof(*near));
	which = xreallocarray(NULL, p->n + 1, sizeof(*which));
	best = xreallocarray(NULL, p->n + 1, sizeof(*best));
	some = xreallocarray(NULL, p->n + 1, bytes);
	kmeans_rows(p, g.c, g.n, n_threads, near_row, near);
	for (size_t i = 0; i < p->n; i++) {
		of[i] = 0;
		best[i] = INT32_MIN;
	}
	for (size_t j = 0; j < g.n; j++) {
		size_t n = 0, k_here = g.first[j + 1] - g.first[j];
		for (size_t i = 0; i < p->n * KMEANS_NEAR; i++)
			if (near[i] == j) {
				which[n] = (uint32_t)(i / KMEANS_NEAR);
				memcpy(some + n++ * n_dims, p->v + i / KMEANS_NEAR * n_dims, bytes);
			}
		if (n > 0 && k_here > 0)
			kmeans_rows(&(struct kmeans_points){ some, n, n_dims }, g.members + g.first[j] * n_dims, k_here, n_threads, member_row,
				    &(struct comparing){ g.id + g.first[j], which, of, best });
	}
	release(&g);
	free(near);
	free(which);
	free(best);
	free(some);
}
