/*
 * learn_hybrid.c: the nDCG of each question under each of the weights is computed once; the rest is
 * adding up.
 */
#include "eval/learn_hybrid.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "math/measure.h"
#include "math/topk.h"

#define STEPS     10               /* a weight is a multiple of 1 / STEPS */
#define N_WEIGHTS ((STEPS + 1) * (STEPS + 2) / 2)
#define N_BEST    1000             /* candidates kept of a question, and those that answer it */
#define N_PARTS   10
#define N_MEASURE 5
#define N_TOP     1000             /* the most ranks that scores may ask for */

struct asked {
	float (*sides)[SEARCH_SIDES];
	bool *answers;                     /* [n] */
	size_t n, n_relevant;
	uint64_t user;
	char *category;
	double ndcg[N_WEIGHTS];
};

struct learn_hybrid {
	struct asked *asked;
	size_t n, cap;
	bool any;                          /* some question has an answer among its candidates */
};

struct learn_hybrid *
learn_hybrid_new(void)
{
	return xcalloc(1, sizeof(struct learn_hybrid));
}

void
learn_hybrid_free(struct learn_hybrid *g)
{
	if (g == NULL)
		return;
	for (size_t i = 0; i < g->n; i++) {
		free(g->asked[i].sides);
		free(g->asked[i].answers);
		free(g->asked[i].category);
	}
	free(g->asked);
	free(g);
}

static const float usual[SEARCH_SIDES] = { .6f, .3f, .1f };

static float
score_of(const float *sides, const float *w)
{
	float sum = 0;

	for (size_t k = 0; k < SEARCH_SIDES; k++)
		sum += w[k] * sides[k];
	return sum;
}

static void
keep(struct asked *q, const float *sides, bool answers)
{
	memcpy(q->sides[q->n], sides, sizeof(q->sides[0]));
	q->answers[q->n++] = answers;
}

void
learn_hybrid_add(struct learn_hybrid *g, const char *user, const char *category,
	const struct search_features *f, const uint32_t *targets, size_t n_targets,
	size_t n_relevant)
{
	bool *answers = xcalloc(f->n + 1, sizeof(*answers));
	struct topk top;
	struct asked *q;

	xgrow(&g->asked, &g->cap, g->n + 1, sizeof(*g->asked));
	q = &g->asked[g->n++];
	*q = (struct asked){ .n_relevant = n_relevant,
		.user = hash64(user, strlen(user), 0),
		.category = xstrdup(category != NULL ? category : "") };
	q->sides = xcalloc(MIN(f->n, N_BEST) + n_targets + 1, sizeof(*q->sides));
	q->answers = xcalloc(MIN(f->n, N_BEST) + n_targets + 1, sizeof(*q->answers));
	topk_init(&top, N_BEST);
	for (size_t i = 0; i < n_targets; i++) {
		answers[targets[i]] = true;
		keep(q, f->sides[targets[i]], true);
	}
	for (size_t i = 0; i < f->n; i++)
		if (!answers[i])
			topk_add(&top, score_of(f->sides[i], usual), (int64_t)i);
	topk_sort(&top);
	for (size_t i = 0; i < top.n; i++)
		keep(q, f->sides[top.items[i].id], false);
	g->any |= n_targets > 0;
	topk_release(&top);
	free(answers);
}

static size_t
rank(const struct asked *q, const float *w, uint32_t *found, size_t k)
{
	struct topk top;
	size_t n;

	topk_init(&top, k);
	/* of equals the first: behind those that answer, so that a tie is no find */
	for (size_t i = q->n; i-- > 0;)
		topk_add(&top, score_of(q->sides[i], w), (int64_t)(q->n - 1 - i));
	topk_sort(&top);
	n = top.n;
	for (size_t i = 0; i < n; i++)
		found[i] = q->answers[q->n - 1 - (size_t)top.items[i].id];
	topk_release(&top);
	return n;
}

static float
distance(const float *x, const float *y)
{
	float sum = 0;

	for (size_t k = 0; k < SEARCH_SIDES; k++)
		sum += (x[k] - y[k]) * (x[k] - y[k]);
	return sum;
}

static int
by_distance(const void *x, const void *y)
{
	float a = distance(x, usual), b = distance(y, usual);

	return a < b ? -1 : a > b;
}

/* All weights, the usual first: of equals it is the first that is chosen. */
static void
make_weights(float w[N_WEIGHTS][SEARCH_SIDES])
{
	size_t n = 0;

	for (int a = 0; a <= STEPS; a++)
		for (int b = 0; a + b <= STEPS; b++, n++) {
			w[n][0] = (float)a / STEPS;
			w[n][1] = (float)b / STEPS;
			w[n][2] = (float)(STEPS - a - b) / STEPS;
		}
	qsort(w, N_WEIGHTS, sizeof(w[0]), by_distance);
}

/* Questions of many users are left out by users, of one user every tenth. */
static size_t
part_of(const struct learn_hybrid *g, size_t i)
{
	for (size_t k = 1; k < g->n; k++)
		if (g->asked[k].user != g->asked[0].user)
			return g->asked[i].user % N_PARTS;
	return i % N_PARTS;
}

/* The mean over categories of nDCG@5 under weights w, of the questions that are not of the part. */
static double
ndcg_of(const struct learn_hybrid *g, size_t w, const size_t *parts, size_t without)
{
	double sum = 0;
	size_t n_categories = 0;

	for (size_t i = 0; i < g->n; i++) {
		const char *category = g->asked[i].category;
		double of_category = 0;
		size_t n = 0, k = 0;
		while (k < i && strcmp(g->asked[k].category, category) != 0)
			k++;
		if (k < i)
			continue;              /* a category that was summed up */
		for (; k < g->n; k++)
			if (parts[k] != without && strcmp(g->asked[k].category, category) == 0) {
				of_category += g->asked[k].ndcg[w];
				n++;
			}
		sum += n > 0 ? of_category / (double)n : 0;
		n_categories += n > 0;
	}
	return n_categories > 0 ? sum / (double)n_categories : 0;
}

/* The best weights for all questions but those of the part; zero: a weight that must be 0. */
static size_t
best_of(const struct learn_hybrid *g, float w[N_WEIGHTS][SEARCH_SIDES], const size_t *parts,
	size_t without, size_t zero, double *ndcg)
{
	size_t best = 0;

	*ndcg = -1;
	for (size_t i = 0; i < N_WEIGHTS; i++) {
		double v = zero < SEARCH_SIDES && w[i][zero] > 0
		    ? -1 : ndcg_of(g, i, parts, without);
		if (v > *ndcg) {
			*ndcg = v;
			best = i;
		}
	}
	return best;
}

int
learn_hybrid_learn(const struct learn_hybrid *g, struct scores *scores, learn_weights_fn *fn,
	void *arg, struct err *err)
{
	static const char *const names[SEARCH_SIDES] = { "alpha", "beta", "gamma" };
	float w[N_WEIGHTS][SEARCH_SIDES];
	size_t *parts = xcalloc(g->n + 1, sizeof(*parts)), best, of_part[N_PARTS];
	uint32_t found[N_TOP];
	double ndcg, without;

	if (!g->any) {
		free(parts);
		return err_set(err, ERR_DATA, "nothing to learn from: no question has a relevant "
			"message among its candidates");
	}
	make_weights(w);
	for (size_t i = 0; i < g->n; i++) {
		parts[i] = part_of(g, i);
		for (size_t k = 0; k < N_WEIGHTS; k++)
			g->asked[i].ndcg[k] = measure_ndcg(found,
			    rank(&g->asked[i], w[k], found, N_MEASURE), g->asked[i].n_relevant,
			    N_MEASURE);
	}
	for (size_t p = 0; p < N_PARTS; p++)
		of_part[p] = best_of(g, w, parts, p, SEARCH_SIDES, &without);
	best = best_of(g, w, parts, N_PARTS, SEARCH_SIDES, &ndcg);
	for (size_t k = 0; k < SEARCH_SIDES; k++) {
		struct learn_weights_weight v = { "hybrid", names[k], w[best][k], 1, 0, 0, 0 };
		for (size_t p = 0; p < N_PARTS; p++) {
			v.low = MIN(v.low, w[of_part[p]][k]);
			v.high = MAX(v.high, w[of_part[p]][k]);
		}
		best_of(g, w, parts, N_PARTS, k, &without);
		v.matters = ndcg - without;
		fn(arg, &v);
	}
	for (size_t i = 0; i < g->n; i++)
		scores_add(scores, g->asked[i].category, found,
		    rank(&g->asked[i], w[of_part[parts[i]]], found, N_TOP), g->asked[i].n_relevant,
		    0);
	free(parts);
	return 0;
}
