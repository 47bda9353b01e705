/*
 * learn_weights.h: the weights of the signals (rank/signals.h) learnt from labelled questions, and
 * how much each of them matters.
 *
 * Each kind of session has weights of its own: a question belongs to the kind that most of its
 * candidates are of. Learning is math/fit.h; how strong its penalty is comes from a grid, by the
 * nDCG@5 of questions that were left out of learning, categories weighted alike. Left out together
 * is what belongs to one user (of many users, a tenth of them): people and logs that were not
 * learnt from are what weights are for. With one user, every tenth question.
 */
#ifndef EVAL_LEARN_WEIGHTS_H
#define EVAL_LEARN_WEIGHTS_H

#include "eval/score.h"
#include "search/search.h"

struct learn_weights;

struct learn_weights *learn_weights_new(void);
void learn_weights_free(struct learn_weights *g);

/*
 * A question: its candidates f as search_signals gives them (copied), which of them are relevant
 * (targets [n_targets], rows of f), and how many are relevant in all. Of many candidates the best
 * and a sample of the others are kept.
 */
void learn_weights_add(struct learn_weights *g, const char *user, const char *category,
	const struct search_features *f, const uint32_t *targets, size_t n_targets,
	size_t n_relevant);

struct learn_weights_want {
	bool is_off[N_SIGNALS];            /* weight 0 */
};

struct learn_weights_weight {
	const char *kind, *signal;
	double weight;                     /* learnt from all questions of the kind */
	double low, high;                  /* of those learnt with a part left out */
	/* nDCG@5 of what was left out, less the same learnt without this signal */
	double matters;
	double l2;                         /* the penalty that was best */
};

/* Appends w as a weight record with its newline. */
void learn_weights_write(struct buf *out, const struct learn_weights_weight *w);

/*
 * Learns the weights of each kind that has questions and hands them to fn; scores (may be NULL)
 * gets every question as it is ranked by weights that were learnt without its part. ERR_DATA: there
 * is nothing to learn from. Cost: a second or so a thousand questions, times signals.
 */
typedef void learn_weights_fn(void *arg, const struct learn_weights_weight *w);
int learn_weights_learn(const struct learn_weights *g, const struct learn_weights_want *want,
	struct scores *scores, learn_weights_fn *fn, void *arg, struct err *err);

#endif
