/*
 * fit.h: learns the weights of a linear ranking from labelled questions by listwise softmax.
 *
 * A question has n candidates, each a row x of F features; the score of a candidate is w . x. The
 * relevant candidates (targets) share the target distribution equally, and the loss is its
 * cross-entropy with the softmax of the scores (ListNet's top-one form, Cao et al. 2007), averaged
 * over the questions of a category, then over the categories, plus l2 * |w|^2. It is convex: with
 * l2 > 0 it has one minimum, whatever the start. Deterministic: no random numbers, sums in a fixed
 * order.
 */
#pragma once

#include "base/base.h"

#define FIT_FEATURES_MAX 256

struct fit_question {
	const float *x;            /* [n][F], borrowed */
	const uint32_t *targets;   /* [n_targets] relevant rows of x, distinct, borrowed */
	/* a question without targets teaches nothing and is skipped */
	size_t n, n_targets;
	unsigned category;         /* from 0; all categories have the same weight */
	unsigned group; /* from 0; questions of a group (a conversation) are left out together */
};

struct fit_set {
	const struct fit_question *questions;
	size_t n_questions;
	size_t n_features;         /* F, at most FIT_FEATURES_MAX */
};

struct fit_options {
	double l2;
	unsigned max_steps;        /* 0: only computes the loss and gradient at the start */
	/* [F] 1: the weight keeps its initial value; NULL: all are free */
	const uint8_t *fixed;
	long leave_group;          /* questions of this group are skipped; -1: none */
	double gradient;           /* done when no component of the gradient is larger */
};
#define FIT_OPTIONS { 0.001, 300, NULL, -1, 1e-7 }

struct fit_report {
	double loss;               /* at the end, penalty included */
	double gradient;           /* largest component at the end */
	unsigned n_steps;
	size_t n_used;             /* questions that were used */
};

/*
 * W [F]: on entry the start (zeros will do), on return the weights. rep may be NULL. Returns 0, or
 * -1 when nothing can be learnt (no question with a target, or more than FIT_FEATURES_MAX
 * features); w is then unchanged. Cost: 2 x steps x questions x candidates x F multiply-adds.
 * Method: L-BFGS (Nocedal 1980) with 10 pairs and backtracking line search.
 */
int fit_weights(const struct fit_set *set, const struct fit_options *opt, double *w,
	struct fit_report *rep);

/*
 * Puts the best k candidates of q under w into top [k], as rows of x, best first, ties by smaller
 * row. Returns how many there are: min(k, n).
 */
size_t
fit_rank(const struct fit_question *q, size_t n_features, const double *w, size_t k, uint32_t *top);
