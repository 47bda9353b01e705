/*
 * kmeans.c: spherical k-means. All points are compared with all centroids, a tile at a time
 * (kernel.h), on several threads; each thread has its own points, and sums are of integers, so the
 * number of threads does not change the result.
 */
#include "math/kmeans.h"

#include <math.h>
#include <pthread.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "math/kernel.h"
#include "math/kmeans_rows.h"

/*
 * Greedy k-means++: of so many candidates the one that lowers the sum of distances most becomes a
 * seed.
 */
#define SEED_CANDIDATES KERNEL_TILE
/* seeds are chosen from a sample of so many points a seed */
#define SAMPLE_A_SEED   20
/* done when at most one point in so many has moved */
#define SETTLED         500
#define THREAD_WORK     (1u << 22)             /* fewer multiplications are not worth a thread */
#define LARGE           2e9 /* with more multiplications a step, only one seeding is tried */

/* ---- fixed-point ---- */

void
kmeans_fix(const float *v, size_t n_dims, int16_t *out)
{
	for (size_t d = 0; d < n_dims; d++)
		out[d] = (int16_t)lrint((double)v[d] * KMEANS_ONE);
}

bool
kmeans_unit(const int64_t *sum, size_t n_dims, int16_t *out)
{
	double square = 0, norm;

	for (size_t d = 0; d < n_dims; d++)
		square += (double)sum[d] * (double)sum[d];
	norm = sqrt(square);
	for (size_t d = 0; d < n_dims; d++)
		out[d] = norm > 0 ? (int16_t)lrint((double)sum[d] / norm * KMEANS_ONE) : 0;
	return norm > 0;
}

bool
kmeans_is_zero(const int16_t *v, size_t n_dims)
{
	for (size_t d = 0; d < n_dims; d++)
		if (v[d] != 0)
			return false;
	return true;
}

/* ---- products of all points with all centroids ---- */

struct rows_job {
	const struct kmeans_points *p;
	const int16_t *c;                      /* [k_padded][D], padded to whole tiles */
	size_t k, k_padded, first, end;
	kmeans_row_fn *fn;
	void *arg;
};

static void *
rows_work(void *arg)
{
	struct rows_job *j = arg;
	size_t n_dims = j->p->n_dims;
	FREED int32_t *out = xreallocarray(NULL, KERNEL_TILE * j->k_padded, sizeof(*out));
	FREED int16_t *last = xcalloc(KERNEL_TILE * n_dims, sizeof(*last));
	const struct kernel *best = kernel();

	for (size_t i = j->first; i < j->end; i += KERNEL_TILE) {
		size_t n = MIN(KERNEL_TILE, j->end - i);
		const int16_t *x = j->p->v + i * n_dims;
		if (n < KERNEL_TILE) {
			memcpy(last, x, n * n_dims * sizeof(*x));
			x = last;
		}
		best->products(x, j->c, j->k_padded, n_dims, out);
		for (size_t m = 0; m < n; m++)
			j->fn(j->arg, i + m, out + m * j->k_padded, j->k);
	}
	return NULL;
}

void
kmeans_rows(const struct kmeans_points *p, const int16_t *c, size_t k, unsigned n_threads,
	kmeans_row_fn *fn, void *arg)
{
	size_t k_padded = (k + KERNEL_TILE - 1) / KERNEL_TILE * KERNEL_TILE, n_jobs, each;
	FREED int16_t *padded = xcalloc(k_padded * p->n_dims, sizeof(*padded));
	FREED struct rows_job *jobs = NULL;
	pthread_t *threads;
	FREED bool *started = NULL;

	n_jobs = MAX(MIN((size_t)n_threads, p->n * k_padded * p->n_dims / THREAD_WORK), 1);
	each = (p->n / n_jobs + KERNEL_TILE) / KERNEL_TILE * KERNEL_TILE;
	jobs = xcalloc(n_jobs, sizeof(*jobs));
	threads = xcalloc(n_jobs, sizeof(*threads));
	started = xcalloc(n_jobs, sizeof(*started));
	memcpy(padded, c, k * p->n_dims * sizeof(*c));
	for (size_t i = 0; i < n_jobs; i++) {
		jobs[i] = (struct rows_job){ p, padded, k, k_padded, MIN(i * each, p->n),
			MIN((i + 1) * each, p->n), fn, arg };
		started[i] = i > 0 && pthread_create(&threads[i], NULL, rows_work, &jobs[i]) == 0;
	}
	for (size_t i = 0; i < n_jobs; i++)
		/*
		 * The calling thread computes the first job, and any that no thread could be
		 * started for.
		 */
		if (!started[i])
			rows_work(&jobs[i]);
	for (size_t i = 0; i < n_jobs; i++)
		if (started[i])
			pthread_join(threads[i], NULL);
	free(threads);
}

struct assigned { uint32_t *of; int32_t *scores; };

static void
assign_row(void *arg, size_t i, const int32_t *row, size_t k)
{
	struct assigned *a = arg;
	size_t best = 0;

	for (size_t j = 1; j < k; j++)
		if (row[j] > row[best])
			best = j;
	a->of[i] = (uint32_t)best;
	if (a->scores != NULL)
		a->scores[i] = row[best];
}

void
kmeans_assign(const struct kmeans_points *p, const int16_t *c, size_t k, unsigned n_threads,
	uint32_t *of, int32_t *scores)
{
	struct assigned a = { of, scores };

	kmeans_rows(p, c, k, n_threads, assign_row, &a);
}

/* ---- centroids ---- */

int64_t *
kmeans_sums(const struct kmeans_points *p, const uint32_t *of, size_t k)
{
	size_t n_dims = p->n_dims;
	int64_t *sums = xcalloc(k * n_dims, sizeof(*sums));

	for (size_t i = 0; i < p->n; i++) {
		if (of[i] == KMEANS_NONE)
			continue;
		int64_t *sum = sums + of[i] * n_dims;
		const int16_t *v = p->v + i * n_dims;
		for (size_t d = 0; d < n_dims; d++)
			sum[d] += v[d];
	}
	return sums;
}

void
kmeans_centroids(const struct kmeans_points *p, const uint32_t *of, size_t k, int16_t *c)
{
	FREED int64_t *sums = kmeans_sums(p, of, k);
	FREED int16_t *unit = xreallocarray(NULL, p->n_dims, sizeof(*unit));

	for (size_t j = 0; j < k; j++)
		if (kmeans_unit(sums + j * p->n_dims, p->n_dims, unit))
			memcpy(c + j * p->n_dims, unit, p->n_dims * sizeof(*unit));
}

/* ---- iterations ---- */

struct run {
	const struct kmeans_points *p;
	const struct kmeans_options *o;
	size_t k;
	uint32_t *of, *before;
	int32_t *scores;
	uint32_t *sizes;
};

/*
 * Gives each empty cluster the point that is farthest from its own centroid; points that are at
 * their centroid are left alone.
 */
static void
fill_empty(struct run *r, int16_t *c)
{
	memset(r->sizes, 0, r->k * sizeof(*r->sizes));
	for (size_t i = 0; i < r->p->n; i++)
		r->sizes[r->of[i]]++;
	for (size_t j = 0; j < r->k; j++) {
		size_t worst = r->p->n;
		for (size_t i = 0; r->sizes[j] == 0 && i < r->p->n; i++)
			if (r->sizes[r->of[i]] > 1 &&
			    (worst == r->p->n || r->scores[i] < r->scores[worst]))
				worst = i;
		if (worst == r->p->n || (double)r->scores[worst] > .9999 * KMEANS_ONE * KMEANS_ONE)
			continue;
		r->sizes[r->of[worst]]--;
		r->sizes[j] = 1;
		r->of[worst] = (uint32_t)j;
		r->scores[worst] = KMEANS_ONE * KMEANS_ONE;
		memcpy(c + j * r->p->n_dims, r->p->v + worst * r->p->n_dims,
		    r->p->n_dims * sizeof(*c));
	}
}

static double
iterate(struct run *r, int16_t *c)
{
	double sum = 0;

	for (unsigned step = 0; step <= r->o->max_steps; step++) {
		size_t n_moved = 0;
		memcpy(r->before, r->of, r->p->n * sizeof(*r->of));
		kmeans_assign(r->p, c, r->k, r->o->n_threads, r->of, r->scores);
		fill_empty(r, c);
		for (size_t i = 0; i < r->p->n; i++)
			n_moved += r->of[i] != r->before[i];
		if (step > 0 && n_moved <= r->p->n / SETTLED)
			break;
		if (step < r->o->max_steps)
			kmeans_centroids(r->p, r->of, r->k, c);
	}
	for (size_t i = 0; i < r->p->n; i++)
		sum += (double)r->scores[i];
	return sum / KMEANS_ONE / KMEANS_ONE;
}

double
kmeans_move(const struct kmeans_points *p, size_t k, const struct kmeans_options *o, uint32_t *of,
	int16_t *c)
{
	struct run r = { .p = p, .o = o, .k = k, .of = of };

	r.before = xreallocarray(NULL, p->n, sizeof(*r.before));
	r.scores = xreallocarray(NULL, p->n, sizeof(*r.scores));
	r.sizes = xreallocarray(NULL, k, sizeof(*r.sizes));
	memset(of, 0, p->n * sizeof(*of));
	double sum = iterate(&r, c);
	free(r.before);
	free(r.scores);
	free(r.sizes);
	return sum;
}

/* ---- seeds ---- */

struct seeding {
	/* [n] distance to the nearest seed: 1 - cosine, times KMEANS_ONE squared, at least 0 */
	int32_t *far;
	int32_t (*cand)[SEED_CANDIDATES];      /* [n] the same distance to each candidate */
};

static void
seed_row(void *arg, size_t i, const int32_t *row, size_t k)
{
	struct seeding *s = arg;

	for (size_t j = 0; j < k; j++)
		s->cand[i][j] = MIN(s->far[i], MAX(KMEANS_ONE * KMEANS_ONE - row[j], 0));
}

/* The point at which the running sum of far passes random's share of the whole sum. */
static size_t
draw_point(const struct seeding *s, size_t n, int64_t all, uint64_t random)
{
	int64_t at = (int64_t)((double)all * ((double)(random >> 11) / 9007199254740992.0));

	for (size_t i = 0; i < n; i++)
		if ((at -= s->far[i]) < 0)
			return i;
	return (size_t)(random % n);
}

void
kmeans_seeds(const struct kmeans_points *p, size_t k, uint64_t seed, unsigned n_threads, int16_t *c)
{
	size_t n_dims = p->n_dims, bytes = n_dims * sizeof(*c);
	FREED int16_t *candidates = xmalloc(SEED_CANDIDATES * bytes);
	struct seeding s = { xreallocarray(NULL, p->n, sizeof(*s.far)),
		xreallocarray(NULL, p->n, sizeof(*s.cand)) };

	for (size_t i = 0; i < p->n; i++)
		s.far[i] = KMEANS_ONE * KMEANS_ONE;
	for (size_t j = 0; j < k; j++) {
		int64_t all = 0, sums[SEED_CANDIDATES] = { 0 };
		size_t best = 0;
		for (size_t i = 0; i < p->n; i++)
			all += s.far[i];
		for (size_t m = 0; m < SEED_CANDIDATES; m++) {
			size_t at = draw_point(&s, p->n, all,
			    hash64_mix(seed + j * SEED_CANDIDATES + m));
			memcpy(candidates + m * n_dims, p->v + at * n_dims, bytes);
		}
		kmeans_rows(p, candidates, SEED_CANDIDATES, n_threads, seed_row, &s);
		for (size_t m = 0; m < SEED_CANDIDATES; m++) {
			for (size_t i = 0; i < p->n; i++)
				sums[m] += s.cand[i][m];
			best = sums[m] < sums[best] ? m : best;
		}
		for (size_t i = 0; i < p->n; i++)
			s.far[i] = s.cand[i][best];
		memcpy(c + j * n_dims, candidates + best * n_dims, bytes);
	}
	free(s.far);
	free(s.cand);
}

struct kmeans_points
kmeans_sample(const struct kmeans_points *p, size_t n, int16_t **owned)
{
	size_t n_dims = p->n_dims;

	*owned = NULL;
	if (n >= p->n)
		return *p;
	*owned = xreallocarray(NULL, n * n_dims, sizeof(**owned));
	for (size_t i = 0; i < n; i++)
		memcpy(*owned + i * n_dims,
		    p->v + (size_t)((double)i / (double)n * (double)p->n) * n_dims,
		    n_dims * sizeof(**owned));
	return (struct kmeans_points){ *owned, n, n_dims };
}

double
kmeans_run(const struct kmeans_points *p, size_t k, const struct kmeans_options *o, uint32_t *of,
	int16_t *c)
{
	FREED int16_t *owned = NULL, *trial = xreallocarray(NULL, k * p->n_dims, sizeof(*trial));
	struct kmeans_points some = kmeans_sample(p, MAX(KMEANS_SAMPLE, k * SAMPLE_A_SEED), &owned);
	double sum, best = -2 * (double)p->n;
	unsigned n_tries = MAX(o->n_tries, 1);

	if ((double)some.n * (double)k * (double)p->n_dims > LARGE)
		n_tries = 1;
	for (unsigned i = 0; i < n_tries; i++) {
		kmeans_seeds(&some, k, hash64_mix(o->seed + i), o->n_threads, trial);
		sum = kmeans_move(&some, k, o, of, trial);
		if (sum > best)
			memcpy(c, trial, k * p->n_dims * sizeof(*c));
		best = MAX(sum, best);
	}
	return kmeans_move(p, k, o, of, c);
}
