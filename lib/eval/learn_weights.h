/*
 * learn_weights.h: learns the weights of the signals (rank/signals.h) from labelled questions, or
 * those of the strategy hybrid, and measures how much each matters.
 *
 * Each kind of session has its own weights; a question belongs to the kind that most of its
 * candidates have. Weights are fitted by math/fit.h. The strength of its penalty is chosen from a
 * grid by cross-validation: the nDCG@5 of questions that were left out of the fit, all categories
 * weighted alike. With several users, the questions of a user are left out together (of many users,
 * a tenth of them), as weights have to serve people and logs that they were not learnt from; with
 * one user, every tenth question.
 */
#pragma once

#include "eval/score.h"
#include "search/search.h"

struct learn_weights;

/*
 * of_hybrid: the three weights of hybrid (alpha of the similarity, beta of BM25, gamma of an
 * identifier) are learnt, which are none below 0 and add up to 1, as of a kind "hybrid".
 */
struct learn_weights *learn_weights_new(bool of_hybrid);
void learn_weights_free(struct learn_weights *g);

/*
 * Adds a question: its candidates f as search_signals gives them (copied), the relevant ones among
 * them (targets [n_targets], rows of f), and how many messages are relevant in all. Of many
 * candidates only the best and a sample of the others are kept.
 */
void learn_weights_add(struct learn_weights *g, const char *user, const char *category,
	const struct search_features *f, const uint32_t *targets, size_t n_targets,
	size_t n_relevant);

struct learn_weights_weight {
	const char *kind, *signal;
	double weight;                     /* learnt from all questions of its kind */
	double low, high; /* lowest and highest of the weights learnt with a part left out */
	/* nDCG@5 of the parts left out, minus the same without this signal */
	double matters;
	double l2;                         /* the best penalty */
};

/* Appends w as a weight record with its newline. */
void learn_weights_write(struct buf *out, const struct learn_weights_weight *w);

/*
 * Learns the weights of each kind that has questions and hands them to fn. is_off: signals whose
 * weight is held at 0. scores, unless NULL, receives every question, ranked by weights that were
 * learnt without its part. ERR_DATA: there is nothing to learn from. Cost: about a second for each
 * thousand questions and signal.
 */
typedef void learn_weights_fn(void *arg, const struct learn_weights_weight *w);
int learn_weights_learn(const struct learn_weights *g, const bool is_off[N_SIGNALS],
	struct scores *scores, learn_weights_fn *fn, void *arg, struct err *err);
