/*
 * cluster_points.c: vectors less the mean of their manner, beside vectors made of words:
 *
 *	point: sqrt(1 - WORDS) vector [D], sqrt(WORDS) words [CLUSTER_TERMS_DIMS]
 *
 * so that the cosine of two points is the weighted mean of the two cosines.
 */
#include "cluster/cluster_points.h"

#include <math.h>

#include "base/alloc.h"
#include "base/order.h"
#include "math/vec.h"

/* the share of words in a cosine; of five sets, .3 and .5 did better than none, by .01 to .07 */
#define WORDS          .3
/* The mean of few texts says more of them than of the manner: n / (n + this) of it goes. */
#define ALL_PRIOR      8.
#define LANGUAGE_PRIOR 60.
/*
 * The shares of what stands around a message and of its whole session, beside the message itself;
 * what is one message further away counts so much. Of ten histories the agreement with what people
 * had marked as segments rose from .37 to .80, and hardly depends on these.
 */
#define AROUND         1.f
#define SESSION        .25f
#define FADES          .7f

/* ---- means ---- */

struct mean { unsigned manner; size_t n; double *sum; };

struct means {
	size_t n, cap, n_dims;
	struct mean *of;                       /* the first is that of all */
};

static struct mean *
mean_of(struct means *m, unsigned manner)
{
	for (size_t i = 1; i < m->n; i++)
		if (m->of[i].manner == manner)
			return &m->of[i];
	xgrow(&m->of, &m->cap, m->n + 1, sizeof(*m->of));
	m->of[m->n] = (struct mean){ manner, 0, xcalloc(m->n_dims, sizeof(double)) };
	return &m->of[m->n++];
}

static void
add_to(struct mean *m, const int16_t *v, size_t n_dims)
{
	m->n++;
	for (size_t d = 0; d < n_dims; d++)
		m->sum[d] += (double)v[d] / KMEANS_ONE;
}

static void
measure_means(struct means *m, const struct cluster_terms *t, const uint32_t *texts, size_t n,
	const int16_t *v)
{
	mean_of(m, 0);                         /* that of all */
	for (size_t i = 0; i < n; i++) {
		const int16_t *at = v + i * m->n_dims;
		if (kmeans_is_zero(at, m->n_dims))
			continue;
		add_to(mean_of(m, cluster_terms_manner(t, texts[i])), at, m->n_dims);
		add_to(&m->of[0], at, m->n_dims);
	}
	/* sums become what is taken away: the mean of all, and of a manner what it has beyond */
	for (size_t d = 0; d < m->n_dims; d++) {
		double all = m->of[0].sum[d] / (double)MAX(m->of[0].n, 1);
		for (size_t j = 1; j < m->n; j++)
			m->of[j].sum[d] = (m->of[j].sum[d] / (double)m->of[j].n - all) *
			    (double)m->of[j].n / ((double)m->of[j].n + LANGUAGE_PRIOR);
		m->of[0].sum[d] = all * (double)m->of[0].n / ((double)m->of[0].n + ALL_PRIOR);
	}
}

/* ---- points ---- */

static void
add_meaning(struct means *m, unsigned manner, const int16_t *v, float *point)
{
	const struct mean *own = mean_of(m, manner);

	for (size_t d = 0; d < m->n_dims; d++)
		point[d] = (float)((double)v[d] / KMEANS_ONE - m->of[0].sum[d] - own->sum[d]);
	if (vec_unit(point, m->n_dims))
		for (size_t d = 0; d < m->n_dims; d++)
			point[d] *= (float)sqrt(1 - WORDS);
}

static void
add_words(const float *words, double share, float *point)
{
	for (size_t d = 0; d < CLUSTER_TERMS_DIMS; d++)
		point[d] = words[d] * (float)sqrt(share);
}

/* ---- what stands around a message ---- */

struct place { uint32_t session, at; };

ORDER_BY_TWO(place_cmp, struct place, session, at)

/* Adds to sum what has gone by in one direction, and lets that fade. */
static void
pass_by(const int16_t *v, size_t n_dims, float *passed, float *sum)
{
	for (size_t d = 0; d < n_dims; d++) {
		sum[d] += passed[d];
		passed[d] = FADES * (passed[d] + (float)v[d]);
	}
}

/* The points [n] of a session, in its order, become nearer to their neighbours. */
static void
blend(const struct place *of, size_t n, size_t n_dims, int16_t *points)
{
	FREED float *sums = xcalloc(n * n_dims, sizeof(*sums));
	FREED float *all = xcalloc(n_dims, sizeof(*all));
	FREED float *before = xcalloc(n_dims, sizeof(*before));
	FREED float *behind = xcalloc(n_dims, sizeof(*behind));

	for (size_t i = 0; i < n; i++) {
		const int16_t *v = points + of[i].at * n_dims,
			      *w = points + of[n - 1 - i].at * n_dims;
		pass_by(v, n_dims, before, sums + i * n_dims);
		pass_by(w, n_dims, behind, sums + (n - 1 - i) * n_dims);
		for (size_t d = 0; d < n_dims; d++)
			all[d] += v[d];
	}
	vec_unit(all, n_dims);
	for (size_t i = 0; i < n; i++) {
		int16_t *v = points + of[i].at * n_dims;
		float *sum = sums + i * n_dims;
		if (kmeans_is_zero(v, n_dims))
			continue;
		vec_unit(sum, n_dims);
		for (size_t d = 0; d < n_dims; d++)
			sum[d] = (float)v[d] / KMEANS_ONE + AROUND * sum[d] + SESSION * all[d];
		if (vec_unit(sum, n_dims))
			kmeans_fix(sum, n_dims, v);
	}
}

void
cluster_points_blend(const struct kmeans_points *p, const uint32_t *sessions)
{
	FREED struct place *of = xreallocarray(NULL, p->n + 1, sizeof(*of));
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (sessions[i] != 0)
			of[n++] = (struct place){ sessions[i], (uint32_t)i };
	if (n > 0)
		qsort(of, n, sizeof(*of), place_cmp);
	for (size_t i = 0, last; i < n; i = last) {
		for (last = i + 1; last < n && of[last].session == of[i].session;)
			last++;
		blend(of + i, last - i, p->n_dims, (int16_t *)(uintptr_t)p->v);
	}
}

struct kmeans_points
cluster_points(const struct cluster_terms *t, const uint32_t *texts, size_t n, const int16_t *v,
	size_t n_dims)
{
	struct means m = { .n_dims = v != NULL ? n_dims : 0 };
	bool by_words = v == NULL || n <= CLUSTER_POINTS_WORDS;
	size_t n_point = m.n_dims + (by_words ? CLUSTER_TERMS_DIMS : 0);
	int16_t *points = xcalloc(n * n_point + 1, sizeof(*points));
	FREED float *words = by_words ? cluster_terms_vectors(t) : NULL;
	FREED float *point = xcalloc(n_point + 1, sizeof(*point));

	if (v != NULL)
		measure_means(&m, t, texts, n, v);
	for (size_t i = 0; i < n; i++) {
		memset(point, 0, n_point * sizeof(*point));
		if (v != NULL && !kmeans_is_zero(v + i * n_dims, n_dims))
			add_meaning(&m, cluster_terms_manner(t, texts[i]), v + i * n_dims, point);
		if (by_words)
			add_words(words + (size_t)texts[i] * CLUSTER_TERMS_DIMS,
			    v != NULL ? WORDS : 1, point + m.n_dims);
		if (vec_unit(point, n_point))
			kmeans_fix(point, n_point, points + i * n_point);
	}
	for (size_t j = 0; j < m.n; j++)
		free(m.of[j].sum);
	free(m.of);
	return (struct kmeans_points){ points, n, n_point };
}
