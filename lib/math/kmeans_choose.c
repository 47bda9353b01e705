/*
 * kmeans_choose.c: chooses the number of clusters by silhouette. For the distance 1 - cosine, the
 * mean distance of a point to a cluster is 1 - <x, sum> / n, so the exact silhouette takes one row
 * of products a point, and points need not be compared with each other.
 *
 * Along the ladder of sizes the silhouette rises until clusters are complete and separate. Beyond
 * that it is nearly flat for long, as the parts of a cluster are nearer to each other than to other
 * clusters. So the smallest size that is nearly the best is chosen.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "math/kmeans_rows.h"
#include "math/real.h"

#define LADDER_MAX    64
#define LADDER_STEP   1.5
/* so many sizes are tried between neighbours of the chosen one */
#define FINER         3
#define TRIES_MAX     8
/* larger sizes are tried with one set of seeds only */
#define OFTEN_TRIED   64
/* mean members a cluster at the largest size tried */
#define LEAST_MEMBERS 3
#define LADDER_STEPS  10                       /* k-means iterations at each size */

/* ---- silhouette ---- */

struct silhouettes {
	const uint32_t *of, *sizes;
	/*
	 * [k] |sum| / n: the product with the unit centroid times this is the mean product with the
	 * members
	 */
	const double *lengths;
	float *out;                            /* [n] */
};

static void
silhouette_row(void *arg, size_t i, const int32_t *row, size_t k)
{
	struct silhouettes *s = arg;
	uint32_t own = s->of[i];
	double n = s->sizes[own], nearest = -2, a, b;

	for (size_t j = 0; j < k; j++)
		if (j != own && s->sizes[j] > 0)
			nearest = MAX(nearest, (double)row[j] * s->lengths[j]);
	s->out[i] = 0;
	if (n < 2 || nearest < -1)
		return;
	/* the point itself, at distance 0, does not count */
	a = MAX((1 - (double)row[own] * s->lengths[own]) * n / (n - 1), 0);
	b = MAX(1 - nearest, 0);
	if (MAX(a, b) > 0)
		s->out[i] = (float)((b - a) / MAX(a, b));
}

double
kmeans_silhouette(const struct kmeans_points *p, const uint32_t *of, size_t k, unsigned n_threads)
{
	size_t n_dims = p->n_dims;
	FREED int64_t *sums = kmeans_sums(p, of, k);
	FREED int16_t *c = xcalloc(k * n_dims, sizeof(*c));
	FREED uint32_t *sizes = xcalloc(k, sizeof(*sizes));
	FREED double *lengths = xcalloc(k, sizeof(*lengths));
	double mean = 0;
	FREED float *out = xcalloc(p->n, sizeof(*out));
	struct silhouettes s = { of, sizes, lengths, out };

	for (size_t i = 0; i < p->n; i++)
		sizes[of[i]]++;
	for (size_t j = 0; j < k; j++) {
		double square = 0;
		for (size_t d = 0; d < n_dims; d++)
			square += (double)sums[j * n_dims + d] * (double)sums[j * n_dims + d];
		if (kmeans_unit(sums + j * n_dims, n_dims, c + j * n_dims))
			lengths[j] = sqrt(square) / KMEANS_ONE / sizes[j] / KMEANS_ONE / KMEANS_ONE;
	}
	kmeans_rows(p, c, k, n_threads, silhouette_row, &s);
	for (size_t i = 0; i < p->n; i++)
		mean += (double)out[i] / (double)p->n;
	return mean;
}

/* ---- the ladder ---- */

struct rung { size_t k; double silhouette; int16_t *c; };

struct ladder {
	const struct kmeans_points *p;
	struct kmeans_options o;
	/* [n_seeds][D]: the first k of them are seeds for k clusters */
	int16_t *seeds[TRIES_MAX];
	size_t n_seeds[TRIES_MAX];
	unsigned n_tries;
	struct rung rungs[LADDER_MAX];         /* by k */
	size_t n;
	uint32_t *of;
};

static void
ladder_seed(struct ladder *l, size_t most, unsigned n_tries)
{
	l->n_tries = MAX(MIN(n_tries, TRIES_MAX), 1);
	for (unsigned i = 0; i < l->n_tries; i++) {
		l->n_seeds[i] = i == 0 ? most : MIN(most, OFTEN_TRIED);
		l->seeds[i] = xreallocarray(NULL, l->n_seeds[i] * l->p->n_dims, sizeof(**l->seeds));
		kmeans_seeds(l->p, l->n_seeds[i], hash64_mix(l->o.seed + i), l->o.n_threads,
		    l->seeds[i]);
	}
}

static void
ladder_add(struct ladder *l, size_t k)
{
	size_t bytes = k * l->p->n_dims * sizeof(int16_t), at = l->n;
	FREED int16_t *c = xmalloc(bytes);
	double best = -2, sum, silhouette = 0;

	while (at > 0 && l->rungs[at - 1].k >= k)
		at--;
	if (l->n == LADDER_MAX || (at < l->n && l->rungs[at].k == k))
		return;
	memmove(l->rungs + at + 1, l->rungs + at, (l->n++ - at) * sizeof(*l->rungs));
	l->rungs[at] = (struct rung){ k, 0, xmalloc(bytes) };
	for (unsigned i = 0; i < l->n_tries && k <= l->n_seeds[i]; i++) {
		memcpy(c, l->seeds[i], bytes);
		sum = kmeans_move(l->p, k, &l->o, l->of, c) / (double)l->p->n;
		if (sum <= best)
			continue;
		best = sum;
		silhouette = kmeans_silhouette(l->p, l->of, k, l->o.n_threads);
		memcpy(l->rungs[at].c, c, bytes);
	}
	l->rungs[at].silhouette = silhouette;
}

/* Returns the index of the chosen size, or l->n when no size shows clusters. */
static size_t
ladder_choose(const struct ladder *l)
{
	double best = 0;
	size_t i = 0;

	for (size_t j = 0; j < l->n; j++)
		best = MAX(best, l->rungs[j].silhouette);
	if (best < KMEANS_FLOOR)
		return l->n;
	while (l->rungs[i].silhouette <
	    (l->rungs[i].k < KMEANS_FEW ? KMEANS_NEARLY_FEW : KMEANS_NEARLY) * best)
		i++;
	return i;
}

/* Adds sizes between two of the ladder. */
static void
ladder_refine(struct ladder *l, size_t from, size_t to)
{
	double step = real_pow((double)to / (double)from, 1. / FINER), k = (double)from;

	for (unsigned i = 1; i < FINER; i++)
		ladder_add(l, (size_t)lrint(k *= step));
}

static size_t
ladder_climb(struct ladder *l, size_t most)
{
	size_t at, below, k, above;

	for (k = 2; k <= most; k = MAX(k + 1, (size_t)((double)k * LADDER_STEP)))
		ladder_add(l, k);
	if ((at = ladder_choose(l)) == l->n)
		return at;
	k = l->rungs[at].k;
	below = at > 0 ? l->rungs[at - 1].k : k;
	above = at + 1 < l->n ? l->rungs[at + 1].k : k;
	ladder_refine(l, below, k);
	ladder_refine(l, k, above);
	return ladder_choose(l);
}

static void
centre(const struct kmeans_points *p, int16_t *c)
{
	FREED uint32_t *of = xcalloc(p->n, sizeof(*of));

	memset(c, 0, p->n_dims * sizeof(*c));
	kmeans_centroids(p, of, 1, c);
}

size_t
kmeans_choose(const struct kmeans_points *p, size_t max, const struct kmeans_options *o, int16_t *c)
{
	FREED int16_t *owned = NULL;
	struct kmeans_points some = kmeans_sample(p, KMEANS_SAMPLE, &owned);
	FREED struct ladder *l = xcalloc(1, sizeof(*l));
	size_t most = MIN(MIN(max, KMEANS_MAX), some.n / LEAST_MEMBERS), k = 1, at;

	l->p = &some;
	l->o = *o;
	l->o.max_steps = MIN(o->max_steps, LADDER_STEPS);
	l->of = xreallocarray(NULL, some.n, sizeof(*l->of));
	if (most >= 2)
		ladder_seed(l, most, o->n_tries);
	if (most >= 2 && (at = ladder_climb(l, most)) < l->n) {
		k = l->rungs[at].k;
		memcpy(c, l->rungs[at].c, k * p->n_dims * sizeof(*c));
	} else {
		centre(p, c);
	}
	for (size_t i = 0; i < l->n; i++)
		free(l->rungs[i].c);
	for (unsigned i = 0; i < l->n_tries; i++)
		free(l->seeds[i]);
	free(l->of);
	return k;
}
