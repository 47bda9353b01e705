/*
 * evolve.c: clusters that change with their points: join, divide the rest, merge what has become
 * alike, and begin again where what came later fits none. Clusters are stored as their members
 * alone; centroids are computed from these each time, so that a change of the model changes the
 * vectors and not who belongs together.
 */
#include "math/evolve.h"

#include <math.h>

#include "base/alloc.h"
#include "math/kmeans_rows.h"
#include "math/link.h"

#define REST_SHARE  3                  /* one of so many points in no cluster is too many */
#define REST_LEFT   .6                 /* of these, what dividing afresh may leave out */
#define ANY_DENSITY -2                 /* below all cosines */

struct cluster { size_t n; double mean, deviation; };

struct state {
	const struct kmeans_points *p;
	const struct evolve_options *o;
	uint32_t *of;
	/* number of clusters, of old ones, and room in the arrays below */
	size_t k, k_old, cap;
	int16_t *c;                            /* [cap][D] */
	struct cluster *clusters;              /* [cap] */
};

static double
cosine(const int16_t *a, const int16_t *b, size_t n)
{
	double sum = 0;

	for (size_t d = 0; d < n; d++)
		sum += (double)a[d] * b[d];
	return sum / KMEANS_ONE / KMEANS_ONE;
}

/* Computes the centroids, and how dense the clusters are, from their members. */
static void
measure_clusters(struct state *s)
{
	size_t n_dims = s->p->n_dims;

	memset(s->clusters, 0, s->k * sizeof(*s->clusters));
	memset(s->c, 0, s->k * n_dims * sizeof(*s->c));
	kmeans_centroids(s->p, s->of, s->k, s->c);
	for (size_t i = 0; i < s->p->n; i++) {
		if (s->of[i] == KMEANS_NONE)
			continue;
		struct cluster *v = &s->clusters[s->of[i]];
		double x = cosine(s->p->v + i * n_dims, s->c + s->of[i] * n_dims, n_dims);
		v->n++;
		v->mean += x;
		v->deviation += x * x;
	}
	for (size_t j = 0; j < s->k; j++) {
		struct cluster *v = &s->clusters[j];
		if (v->n == 0)
			continue;
		v->mean /= (double)v->n;
		v->deviation = sqrt(MAX(v->deviation / (double)v->n - v->mean * v->mean, 0));
	}
}

/* Returns the points that are in no cluster; rows [n] receives the index of each. */
static struct kmeans_points
unassigned_points(const struct state *s, size_t **rows, int16_t **v)
{
	size_t n = 0, n_dims = s->p->n_dims;

	*rows = xreallocarray(NULL, s->p->n + 1, sizeof(**rows));
	for (size_t i = 0; i < s->p->n; i++)
		if (s->of[i] == KMEANS_NONE && !kmeans_is_zero(s->p->v + i * n_dims, n_dims))
			(*rows)[n++] = i;
	*v = xreallocarray(NULL, n * n_dims + 1, sizeof(**v));
	for (size_t i = 0; i < n; i++)
		memcpy(*v + i * n_dims, s->p->v + (*rows)[i] * n_dims, n_dims * sizeof(**v));
	return (struct kmeans_points){ *v, n, n_dims };
}

static void
join(struct state *s, double *near)
{
	FREED size_t *rows = NULL;
	FREED int16_t *v = NULL;
	struct kmeans_points rest = unassigned_points(s, &rows, &v);
	FREED uint32_t *of = xreallocarray(NULL, rest.n + 1, sizeof(*of));
	FREED int32_t *scores = xreallocarray(NULL, rest.n + 1, sizeof(*scores));

	if (rest.n > 0 && s->k > 0)
		kmeans_assign(&rest, s->c, s->k, s->o->kmeans.n_threads, of, scores);
	for (size_t i = 0; i < rest.n && s->k > 0; i++) {
		const struct cluster *to = &s->clusters[of[i]];
		double score = (double)scores[i] / KMEANS_ONE / KMEANS_ONE;

		if (to->n == 0 || score < MIN(s->o->near, to->mean - to->deviation))
			continue;
		s->of[rows[i]] = of[i];
		if (near != NULL)
			near[rows[i]] = score;
	}
}

static size_t
n_alive(const struct state *s)
{
	size_t n = 0;

	for (size_t j = 0; j < s->k; j++)
		n += s->clusters[j].n > 0;
	return n;
}

/* The mean cosine to its centroid that a new cluster must have. */
static double
density_wanted(const struct state *s)
{
	double least = s->o->near;

	if (n_alive(s) == 0)
		return ANY_DENSITY;
	for (size_t j = 0; j < s->k; j++)
		if (s->clusters[j].n > 0)
			least = MIN(least, s->clusters[j].mean);
	return least;
}

/*
 * Makes part j of the remaining points, whose cosines with its centroid are x [n], the new cluster
 * number; outliers are left out when there are other clusters. Returns false when they are too few
 * or not dense enough.
 */
static bool
make_cluster(struct state *s, const uint32_t *of, const double *x, const size_t *rows, size_t n,
	uint32_t j, double wanted, uint32_t number)
{
	double mean = 0, square = 0, least = ANY_DENSITY;
	size_t n_in = 0;

	for (size_t i = 0; i < n; i++)
		if (of[i] == j) {
			n_in++;
			mean += x[i];
			square += x[i] * x[i];
		}
	mean /= (double)MAX(n_in, 1);
	if (wanted > ANY_DENSITY)
		least = MIN(s->o->near,
		    mean - 2 * sqrt(MAX(square / (double)MAX(n_in, 1) - mean * mean, 0)));
	for (size_t i = 0; i < n; i++)
		n_in -= of[i] == j && x[i] < least;
	if (n_in < MAX(s->o->least, 1) || mean < wanted)
		return false;
	for (size_t i = 0; i < n; i++)
		if (of[i] == j && x[i] >= least)
			s->of[rows[i]] = number;
	return true;
}

/* Whether the points are as dense as one cluster must be; c [D] is the centroid of all then. */
static bool
is_one(const struct kmeans_points *p, double wanted, uint32_t *of, int16_t *c)
{
	double mean = 0;

	memset(of, 0, p->n * sizeof(*of));
	memset(c, 0, p->n_dims * sizeof(*c));
	kmeans_centroids(p, of, 1, c);
	for (size_t i = 0; i < p->n; i++)
		mean += cosine(p->v + i * p->n_dims, c, p->n_dims) / (double)p->n;
	return mean >= wanted;
}

/* Divides points afresh into at most max clusters: of [n] and centroids c [result][D]. */
static size_t
divide(const struct state *s, const struct kmeans_points *p, size_t max, double wanted,
	uint32_t *of, int16_t *c)
{
	size_t k;

	if (wanted > ANY_DENSITY && is_one(p, wanted, of, c))
		return 1;
	if ((k = link_choose(p, max, s->o->least, s->o->kmeans.n_threads, of)) > 0) {
		memset(c, 0, k * p->n_dims * sizeof(*c));
		kmeans_centroids(p, of, k, c);
		return k;
	}
	k = kmeans_choose(p, max, &s->o->kmeans, c);
	kmeans_move(p, k, &s->o->kmeans, of, c);
	return k;
}

static void
divide_rest(struct state *s, double wanted)
{
	FREED size_t *rows = NULL;
	size_t alive = n_alive(s), room = s->o->max > alive ? s->o->max - alive : 0, k, n_new = 0;
	FREED int16_t *v = NULL, *c = NULL;
	struct kmeans_points rest = unassigned_points(s, &rows, &v);
	FREED uint32_t *of = xreallocarray(NULL, rest.n + 1, sizeof(*of));
	FREED double *x = xcalloc(rest.n + 1, sizeof(*x));

	room = MIN(MIN(room, KMEANS_MAX), rest.n);
	c = xreallocarray(NULL, (room + 1) * rest.n_dims, sizeof(*c));
	if (rest.n >= MAX(s->o->least, 1) && room > 0) {
		k = divide(s, &rest, room, wanted, of, c);
		for (size_t i = 0; i < rest.n; i++)
			if (of[i] != KMEANS_NONE)
				x[i] = cosine(v + i * rest.n_dims, c + of[i] * rest.n_dims,
				    rest.n_dims);
		for (uint32_t j = 0; j < k; j++)
			n_new += make_cluster(s, of, x, rows, rest.n, j, wanted,
			    (uint32_t)(s->k + n_new));
	}
	s->k += n_new;
}

static enum evolve_hold
hold_of(const struct state *s, size_t j)
{
	return s->o->holds != NULL && j < s->k_old ? s->o->holds[j] : EVOLVE_FREE;
}

/*
 * Merges two clusters that are alike, or of which one is small and near, into the larger one; of
 * two that are equally large, into the older.
 */
static void
merge(struct state *s, uint32_t *into)
{
	size_t n_dims = s->p->n_dims;

	for (size_t a = 0; a < s->k; a++)
		for (size_t b = 0; b < s->k; b++) {
			const struct cluster *from = &s->clusters[a], *to = &s->clusters[b];
			if (a == b || from->n == 0 || to->n == 0 ||
			    hold_of(s, a) != EVOLVE_FREE || hold_of(s, b) == EVOLVE_APART)
				continue;
			if (hold_of(s, b) == EVOLVE_FREE &&
			    (to->n < from->n || (to->n == from->n && b > a)))
				continue;
			double x = cosine(s->c + a * n_dims, s->c + b * n_dims, n_dims);
			if (x < s->o->alike &&
			    (!s->o->merge_small || from->n >= s->o->least || x < s->o->near))
				continue;
			into[a] = (uint32_t)b;
			s->clusters[b].n += from->n;
			s->clusters[a].n = 0;
			break;
		}
}

/* ---- all afresh ---- */

static size_t
n_rest(const struct state *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->p->n; i++)
		n += s->of[i] == KMEANS_NONE &&
		    !kmeans_is_zero(s->p->v + i * s->p->n_dims, s->p->n_dims);
	return n;
}

/*
 * The cluster that more points of cluster j of `from` are in by `to` than in any other;
 * KMEANS_NONE: they are in none. half: whether at least half of all points of j are in it.
 */
static uint32_t
most_of(const struct state *s, const uint32_t *from, const uint32_t *to, uint32_t j, bool *half)
{
	FREED size_t *counts = xcalloc(s->cap, sizeof(*counts));
	size_t n = 0;
	uint32_t best = KMEANS_NONE;

	for (size_t i = 0; i < s->p->n; i++) {
		n += from[i] == j;
		if (from[i] == j && to[i] != KMEANS_NONE &&
		    (++counts[to[i]], best == KMEANS_NONE || counts[to[i]] > counts[best]))
			best = to[i];
	}
	*half = best != KMEANS_NONE && counts[best] * 2 >= n;
	return best;
}

/*
 * The new clusters, from number first on, that go on as old ones: where each has at least half of
 * the other's points. What else of such an old one is in none now stays. Any other old one becomes
 * part of that which has most of it.
 */
static void
match(struct state *s, const uint32_t *was, size_t first, uint32_t *into)
{
	size_t size = s->p->n * sizeof(*was);
	FREED uint32_t *now = xmalloc(size + 1), *is = xreallocarray(NULL, s->cap, sizeof(*is));
	bool half, back;

	memcpy(now, s->of, size);
	for (size_t c = 0; c < s->cap; c++)
		is[c] = (uint32_t)c;
	for (uint32_t j = 0; j < first; j++) {
		uint32_t c = most_of(s, was, now, j, &half);
		if (c == KMEANS_NONE || c < first)
			continue;
		into[j] = c;
		if (half && most_of(s, now, was, c, &back) == j && back)
			into[j] = is[c] = j;
	}
	for (size_t i = 0; i < s->p->n; i++)
		if (now[i] != KMEANS_NONE)
			s->of[i] = is[now[i]];
		else if (was[i] != KMEANS_NONE && into[was[i]] == was[i] &&
		    most_of(s, was, now, was[i], &half) != KMEANS_NONE)
			s->of[i] = was[i];
	for (uint32_t j = 0; j < first; j++)
		into[j] = is[into[j]];
}

static void
regroup(struct state *s, uint32_t *into)
{
	size_t first = s->k, n = n_rest(s);
	FREED uint32_t *was = NULL;

	if (!s->o->regroup || n * REST_SHARE < s->p->n)
		return;
	was = xreallocarray(NULL, s->p->n + 1, sizeof(*was));
	memcpy(was, s->of, s->p->n * sizeof(*was));
	for (size_t i = 0; i < s->p->n; i++)
		if (was[i] != KMEANS_NONE && hold_of(s, was[i]) == EVOLVE_FREE)
			s->of[i] = KMEANS_NONE;
	measure_clusters(s);
	divide_rest(s, ANY_DENSITY);
	if ((double)n_rest(s) > REST_LEFT * (double)n) {
		memcpy(s->of, was, s->p->n * sizeof(*was));
		s->k = first;
	} else {
		match(s, was, first, into);
	}
}

static struct state
state_new(const struct kmeans_points *p, const struct evolve_options *o, size_t k, uint32_t *of)
{
	struct state s = { .p = p,
		.o = o,
		.of = of,
		.k = k,
		.k_old = k,
		.cap = k + 2 * MIN(o->max, KMEANS_MAX) + 1 };

	s.c = xcalloc(s.cap * p->n_dims, sizeof(*s.c));
	s.clusters = xcalloc(s.cap, sizeof(*s.clusters));
	measure_clusters(&s);
	return s;
}

static void
state_free(struct state *s)
{
	free(s->c);
	free(s->clusters);
}

void
evolve_join(const struct kmeans_points *p, const struct evolve_options *o, size_t k, uint32_t *of,
	double *near)
{
	struct state s = state_new(p, o, k, of);

	join(&s, near);
	state_free(&s);
}

size_t
evolve(const struct kmeans_points *p, const struct evolve_options *o, size_t k, uint32_t *of,
	uint32_t *into)
{
	struct state s = state_new(p, o, k, of);
	FREED uint32_t *all = xreallocarray(NULL, s.cap, sizeof(*all));

	for (size_t j = 0; j < s.cap; j++)
		all[j] = (uint32_t)j;
	join(&s, NULL);
	measure_clusters(&s);
	divide_rest(&s, density_wanted(&s));
	measure_clusters(&s);
	merge(&s, all);
	for (size_t i = 0; i < p->n; i++)
		while (of[i] != KMEANS_NONE && all[of[i]] != of[i])
			of[i] = all[of[i]];
	regroup(&s, all);
	for (size_t j = 0; j < s.k; j++)
		while (all[all[j]] != all[j])
			all[j] = all[all[j]];
	for (size_t i = 0; i < p->n; i++)
		if (of[i] != KMEANS_NONE)
			of[i] = all[of[i]];
	if (k > 0)
		memcpy(into, all, k * sizeof(*into));
	k = s.k;
	state_free(&s);
	return k;
}
