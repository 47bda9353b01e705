/*
 * fit.h: weights of a linear ranking learnt from labelled questions by listwise softmax.
 *
 * A question has n candidates, each a row of F features; the score of a candidate is w . x. The
 * targets (relevant candidates) share a target distribution alike, and the loss is its
 * cross-entropy with the softmax of the scores (ListNet's top-one form, Cao et al. 2007), averaged
 * over the questions of a category, then over the categories, plus l2 * |w|^2. It is convex: one
 * minimum whatever the start when l2 > 0. Deterministic: no random numbers, sums in a fixed order.
 */
#ifndef MATH_FIT_H
#define MATH_FIT_H

#include "base/base.h"

#define FIT_FEATURES_MAX 256

struct fit_question {
	const float *x;            /* [n][F], borrowed */
	const uint32_t *targets;   /* [n_targets] rows of x, distinct, borrowed */
	/* a question without targets teaches nothing and is passed over */
	size_t n, n_targets;
	unsigned category;         /* 0 up: categories weigh alike */
	unsigned group;            /* 0 up: what is left out together (a conversation) */
};

struct fit_set {
	const struct fit_question *questions;
	size_t n_questions;
	size_t n_features;         /* F, at most FIT_FEATURES_MAX */
};

struct fit_options {
	double l2;
	unsigned max_steps;        /* 0: only the loss of the start is told, and its gradient */
	/* [F] 1: this weight stays as it was handed in; NULL: all are free */
	const uint8_t *fixed;
	long leave_group;          /* questions of this group are passed over; -1: none */
	double gradient;           /* done when no component of the gradient is larger */
};
#define FIT_OPTIONS { 0.001, 300, NULL, -1, 1e-7 }

struct fit_report {
	double loss;               /* at the end, penalty included */
	double gradient;           /* largest component at the end */
	unsigned n_steps;
	size_t n_used;             /* questions that taught */
};

/*
 * w [F] in: the start (zeros will do); out: the weights. rep may be NULL. Returns 0, or -1 when
 * nothing can be learnt (no question with a target, or more than FIT_FEATURES_MAX features); w is
 * then as it was. Cost: steps x questions x candidates x F multiply-adds, twice. Method: L-BFGS
 * (Nocedal 1980), 10 pairs, backtracking line search.
 */
int fit_weights(const struct fit_set *set, const struct fit_options *opt, double *w,
	struct fit_report *rep);

/*
 * The best k candidates of q under w, as rows of x, best first, ties by smaller row, in top [k].
 * Returns how many there are: min(k, n).
 */
size_t
fit_rank(const struct fit_question *q, size_t n_features, const double *w, size_t k, uint32_t *top);

#endif
