/*
 * learn_hybrid.h: finds the weights of the strategy hybrid (alpha of the similarity, beta of BM25,
 * gamma of an identifier) that rank labelled questions best.
 *
 * All weights that are tenths and add up to 1 are tried; best is the highest nDCG@5, all categories
 * weighted alike. What is chosen is measured on parts of the questions that were left out of the
 * choice, as in learn_weights.h.
 */
#ifndef EVAL_LEARN_HYBRID_H
#define EVAL_LEARN_HYBRID_H

#include "eval/learn_weights.h"

struct learn_hybrid;

struct learn_hybrid *learn_hybrid_new(void);
void learn_hybrid_free(struct learn_hybrid *g);

/* As learn_weights_add; of f the sides are kept, of the best candidates. */
void learn_hybrid_add(struct learn_hybrid *g, const char *user, const char *category,
	const struct search_features *f, const uint32_t *targets, size_t n_targets,
	size_t n_relevant);

/*
 * Hands the three weights to fn, as of kind "hybrid"; low and high are those of the parts. scores
 * receives every question, ranked by weights that were chosen without its part. ERR_DATA: there is
 * nothing to learn from. Cost: some 15 ms a question.
 */
int learn_hybrid_learn(const struct learn_hybrid *g, struct scores *scores, learn_weights_fn *fn,
	void *arg, struct err *err);

#endif
