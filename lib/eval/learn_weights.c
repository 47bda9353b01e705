/*
 * learn_weights.c: keeps the signals of each question's candidates, then fits weights to them many
 * times: for each penalty, with each part of the questions left out, with each signal removed. Each
 * fit starts from the result of a similar one, so that most take few steps.
 */
#include <math.h>

#include "base/alloc.h"
#include "eval/learn_weights.h"
#include "json/json.h"
#include "math/fit.h"
#include "math/measure.h"
#include "math/topk.h"

/* candidates kept of a question: the best by the built-in weights */
#define N_BEST    150
#define N_OTHERS  150      /* and a sample of so many of the rest */
/* the questions are divided into at most so many parts; each is left out once */
#define N_PARTS   10
#define N_MEASURE 5        /* the k of nDCG@k */
#define N_TOP     1000     /* the most ranks that scores may ask for */

static const double penalties[] = { 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2 };
/* alpha, beta and gamma where none were set */
static const double built_in[SEARCH_SIDES] = { .6, .3, .1 };

struct asked {
	float *x;                          /* [n][F] */
	uint32_t *targets;
	size_t n, n_targets, n_relevant;
	unsigned kind, category, user;
};

struct learn_weights {
	bool of_hybrid;
	size_t n_features;                 /* F, at most N_SIGNALS */
	struct asked *asked;
	size_t n, cap;
	struct numbered users, categories;
};

/*
 * The questions of one kind of session in the form of math/fit.h; asked [i] belongs to questions
 * [i].
 */
struct lesson {
	struct fit_set set;
	const struct asked **asked;
	const struct learn_weights *learner;
	size_t n_parts;
	uint8_t fixed[N_SIGNALS];
};

struct learn_weights *
learn_weights_new(bool of_hybrid)
{
	struct learn_weights *g = xcalloc(1, sizeof(*g));

	g->of_hybrid = of_hybrid;
	g->n_features = of_hybrid ? SEARCH_SIDES : N_SIGNALS;
	return g;
}

/* What is weighed of the candidates of f. */
static const float *
features_of(const struct learn_weights *g, const struct search_features *f)
{
	return g->of_hybrid ? &f->sides[0][0] : f->x;
}

void
learn_weights_free(struct learn_weights *g)
{
	if (g == NULL)
		return;
	for (size_t i = 0; i < g->n; i++) {
		free(g->asked[i].x);
		free(g->asked[i].targets);
	}
	free(g->asked);
	numbered_release(&g->users);
	numbered_release(&g->categories);
	free(g);
}

/* ---- keeping candidates ---- */

static unsigned
main_kind(const struct search_features *f)
{
	size_t n[N_PROFILE_KINDS] = { 0 };
	unsigned best = 0;

	for (size_t i = 0; i < f->n; i++)
		n[f->kinds[i]]++;
	for (unsigned k = 1; k < N_PROFILE_KINDS; k++)
		if (n[k] > n[best])
			best = k;
	return best;
}

/* By the built-in weights. */
static float
score_of(const struct learn_weights *g, const struct search_features *f, size_t i)
{
	const float *x = features_of(g, f) + i * g->n_features;
	float sum = 0;

	if (!g->of_hybrid)
		return profile_score(&profile_default, f->kinds[i], x);
	for (size_t s = 0; s < SEARCH_SIDES; s++)
		sum += (float)built_in[s] * x[s];
	return sum;
}

static void
keep_best(const struct learn_weights *g, const struct search_features *f, bool *keep)
{
	struct topk top;

	topk_init(&top, N_BEST);
	for (size_t i = 0; i < f->n; i++)
		topk_add(&top, score_of(g, f, i), (int64_t)i);
	for (size_t i = 0; i < top.n; i++)
		keep[top.items[i].id] = true;
	topk_release(&top);
	for (size_t i = 0; i < N_OTHERS; i++)
		keep[i * f->n / N_OTHERS] = true;
}

void
learn_weights_add(struct learn_weights *g, const char *user, const char *category,
	const struct search_features *f, const uint32_t *targets, size_t n_targets,
	size_t n_relevant)
{
	FREED bool *keep = xcalloc(f->n + 1, sizeof(*keep));
	FREED bool *is_target = xcalloc(f->n + 1, sizeof(*is_target));

	if (f->n > N_BEST + N_OTHERS)
		keep_best(g, f, keep);
	else
		memset(keep, true, f->n);
	for (size_t i = 0; i < n_targets; i++)
		keep[targets[i]] = is_target[targets[i]] = true;
	struct asked *q = xpush(g->asked, g->n, g->cap);
	*q = (struct asked){ .n_relevant = n_relevant,
		.kind = g->of_hybrid ? 0 : main_kind(f),
		.category = numbered_of(&g->categories, category != NULL ? category : ""),
		.user = numbered_of(&g->users, user) };
	q->x = xreallocarray(NULL,
	    MIN(f->n, N_BEST + N_OTHERS + n_targets) * g->n_features + 1, sizeof(*q->x));
	q->targets = xreallocarray(NULL, n_targets + 1, sizeof(*q->targets));
	for (size_t i = 0; i < f->n; i++) {
		if (!keep[i])
			continue;
		if (is_target[i])
			q->targets[q->n_targets++] = (uint32_t)q->n;
		memcpy(q->x + q->n++ * g->n_features, features_of(g, f) + i * g->n_features,
		    g->n_features * sizeof(*q->x));
	}
}

/* ---- the questions of one kind ---- */

static void
lesson_open(struct lesson *l, const struct learn_weights *g, unsigned kind)
{
	struct fit_question *questions = xcalloc(g->n + 1, sizeof(*questions));
	size_t n = 0;

	memset(l, 0, sizeof(*l));
	l->learner = g;
	l->asked = xcalloc(g->n + 1, sizeof(struct asked *));
	l->n_parts = g->users.n > 1 ? MIN(g->users.n, N_PARTS) : N_PARTS;
	for (size_t i = 0; i < g->n; i++) {
		const struct asked *q = &g->asked[i];
		if (q->kind != kind)
			continue;
		l->asked[n] = q;
		questions[n++] = (struct fit_question){ q->x, q->targets, q->n, q->n_targets,
			q->category, (unsigned)((g->users.n > 1 ? q->user : i) % l->n_parts) };
	}
	l->set = (struct fit_set){ questions, n, g->n_features };
}

static void
lesson_close(struct lesson *l)
{
	free((void *)l->set.questions);
	free(l->asked);
}

/*
 * Fixes the weights of signals that are off, and of those that no candidate has, which would teach
 * nothing and cost a column.
 */
static void
fix_signals(struct lesson *l, const bool is_off[N_SIGNALS])
{
	size_t n_features = l->set.n_features;

	for (size_t s = 0; s < n_features; s++)
		l->fixed[s] = !l->learner->of_hybrid;
	for (size_t q = 0; q < l->set.n_questions; q++)
		for (size_t i = 0; i < l->asked[q]->n * n_features; i++)
			if (l->asked[q]->x[i] != 0)
				l->fixed[i % n_features] = is_off[i % n_features];
}

/*
 * Fits weights of hybrid: none below 0, as who falls below it is left out and the others are learnt
 * anew, and together 1. Where the answers lead by nothing, the built-in ones stay.
 */
static void
fit_hybrid(const struct lesson *l, const struct fit_options *opt, double *w)
{
	struct fit_options left = *opt;
	uint8_t fixed[SEARCH_SIDES];
	bool again = true;
	double sum = 0;

	memcpy(fixed, opt->fixed, sizeof(fixed));
	left.fixed = fixed;
	while (again) {
		again = false;
		fit_weights(&l->set, &left, w, NULL);
		for (size_t s = 0; s < SEARCH_SIDES; s++)
			if (w[s] < 0) {
				w[s] = 0;
				fixed[s] = again = true;
			}
	}
	for (size_t s = 0; s < SEARCH_SIDES; s++)
		sum += w[s];
	for (size_t s = 0; s < SEARCH_SIDES; s++)
		w[s] = sum > 0 ? w[s] / sum : opt->fixed[s] ? 0 : built_in[s];
}

static void
fit(const struct lesson *l, const struct fit_options *opt, double *w)
{
	if (l->learner->of_hybrid)
		fit_hybrid(l, opt, w);
	else
		fit_weights(&l->set, opt, w, NULL);
}

/*
 * Ranks question q by the weights that were learnt without its part; found [n] receives what the
 * best n find.
 */
static size_t
found_by(const struct lesson *l, size_t q, const double *w_parts, uint32_t *found, size_t n)
{
	const struct fit_question *f = &l->set.questions[q];
	uint32_t top[N_TOP];

	n = fit_rank(f, l->set.n_features, w_parts + f->group * N_SIGNALS, n, top);
	for (size_t i = 0; i < n; i++) {
		found[i] = 0;
		for (size_t t = 0; t < f->n_targets; t++)
			found[i] |= f->targets[t] == top[i];
	}
	return n;
}

/*
 * The mean over categories of nDCG@5, where each question is ranked by weights learnt without its
 * part.
 */
static double
left_out_ndcg(const struct lesson *l, const double *w_parts)
{
	size_t n_categories = l->learner->categories.n, n_with = 0;
	FREED double *sum = xcalloc(n_categories, sizeof(*sum));
	double mean = 0;
	FREED size_t *n = xcalloc(n_categories, sizeof(*n));
	uint32_t found[N_MEASURE];

	for (size_t q = 0; q < l->set.n_questions; q++) {
		size_t n_found = found_by(l, q, w_parts, found, N_MEASURE);
		sum[l->asked[q]->category] +=
		    measure_ndcg(found, n_found, l->asked[q]->n_relevant, N_MEASURE);
		n[l->asked[q]->category]++;
	}
	for (size_t c = 0; c < n_categories; c++)
		if (n[c] > 0) {
			mean += sum[c] / (double)n[c];
			n_with++;
		}
	return n_with > 0 ? mean / (double)n_with : 0;
}

/* Fits weights once for each part left out, starting from w_parts. */
static void
learn_parts(const struct lesson *l, double l2, const uint8_t *fixed, double *w_parts)
{
	struct fit_options opt = FIT_OPTIONS;

	opt.l2 = l2;
	opt.fixed = fixed;
	opt.gradient = 1e-5;
	for (size_t p = 0; p < l->n_parts; p++) {
		opt.leave_group = (long)p;
		fit(l, &opt, w_parts + p * N_SIGNALS);
	}
}

/*
 * Returns the penalty under which the parts left out are ranked best; w_parts receives its weights.
 */
static double
best_penalty(const struct lesson *l, double *w_parts, double *ndcg)
{
	double at[N_PARTS * N_SIGNALS] = { 0 }, best = penalties[0], v;

	*ndcg = -1;
	/* from strong to weak penalties: each fit starts near its result */
	for (size_t i = NELEM(penalties); i-- > 0; ) {
		learn_parts(l, penalties[i], l->fixed, at);
		v = left_out_ndcg(l, at);
		if (v > *ndcg) {
			*ndcg = v;
			best = penalties[i];
			memcpy(w_parts, at, sizeof(at));
		}
	}
	return best;
}

static double
ndcg_without(const struct lesson *l, size_t signal, double l2, const double *w_parts)
{
	double at[N_PARTS * N_SIGNALS];
	uint8_t fixed[N_SIGNALS];

	memcpy(at, w_parts, sizeof(at));
	memcpy(fixed, l->fixed, sizeof(fixed));
	fixed[signal] = 1;
	for (size_t p = 0; p < l->n_parts; p++)
		at[p * N_SIGNALS + signal] = 0;
	learn_parts(l, l2, fixed, at);
	return left_out_ndcg(l, at);
}

static void
report_weights(const struct lesson *l, unsigned kind, double l2, double ndcg, const double *w_parts,
	learn_weights_fn *fn, void *arg)
{
	static const char *const sides[SEARCH_SIDES] = { "alpha", "beta", "gamma" };
	struct fit_options opt = FIT_OPTIONS;
	double w[N_SIGNALS] = { 0 };

	opt.l2 = l2;
	opt.fixed = l->fixed;
	fit(l, &opt, w);
	for (size_t s = 0; s < l->set.n_features; s++) {
		struct learn_weights_weight v = { .kind = profile_kind_names[kind],
			.signal = signals[s].name, .weight = w[s], .low = INFINITY,
			.high = -INFINITY, .l2 = l2 };
		if (l->learner->of_hybrid) {
			v.kind = "hybrid";
			v.signal = sides[s];
		}
		if (l->fixed[s])
			continue;
		for (size_t p = 0; p < l->n_parts; p++) {
			v.low = MIN(v.low, w_parts[p * N_SIGNALS + s]);
			v.high = MAX(v.high, w_parts[p * N_SIGNALS + s]);
		}
		v.matters = ndcg - ndcg_without(l, s, l2, w_parts);
		fn(arg, &v);
	}
}

static bool
teaches(const struct lesson *l)
{
	for (size_t q = 0; q < l->set.n_questions; q++)
		if (l->set.questions[q].n_targets > 0)
			return true;
	return false;
}

int
learn_weights_learn(const struct learn_weights *g, const bool is_off[N_SIGNALS],
	struct scores *scores, learn_weights_fn *fn, void *arg, struct err *err)
{
	double w_parts[N_PARTS * N_SIGNALS], ndcg, l2;
	uint32_t found[N_TOP];
	bool is_any = false;
	struct lesson l;

	for (unsigned kind = 0; kind < N_PROFILE_KINDS; kind++) {
		lesson_open(&l, g, kind);
		fix_signals(&l, is_off);
		memset(w_parts, 0, sizeof(w_parts));
		if (teaches(&l)) {
			is_any = true;
			l2 = best_penalty(&l, w_parts, &ndcg);
			report_weights(&l, kind, l2, ndcg, w_parts, fn, arg);
		}
		for (size_t q = 0; scores != NULL && q < l.set.n_questions; q++)
			scores_add(scores, g->categories.items[l.asked[q]->category], found,
			    found_by(&l, q, w_parts, found, N_TOP), l.asked[q]->n_relevant, 0);
		lesson_close(&l);
	}
	return is_any
	    ? 0
	    : err_set(err, ERR_DATA,
		  "nothing to learn from: no question has a relevant message among its candidates");
}

void
learn_weights_write(struct buf *out, const struct learn_weights_weight *w)
{
	json_record(out, "weight");
	json_str(out, "kind", w->kind);
	json_str(out, "signal", w->signal);
	json_num(out, "weight", w->weight);
	json_num(out, "low", w->low);
	json_num(out, "high", w->high);
	json_num(out, "matters", w->matters);
	json_num(out, "l2", w->l2);
	json_end(out);
}
