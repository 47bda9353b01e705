/*
 * score.h: the figures of an evaluation, question by question in, a line a category out.
 */
#ifndef EVAL_SCORE_H
#define EVAL_SCORE_H

#include "base/buf.h"

#define SCORES_K_MAX 8

/* One line: the means over the n questions of a category. */
struct score {
	/* a name; "all": over all questions; "macro": the mean of the categories */
	const char *category;
	size_t n;
	/* by k */
	double recall[SCORES_K_MAX], any[SCORES_K_MAX], all[SCORES_K_MAX], ndcg[SCORES_K_MAX];
	double mrr;                /* at the largest k */
	double ms_p50, ms_p95;     /* of the questions' times; of "macro" those of "all" */
	/*
	 * of "all", when there were questions that nothing answers, and the strategy says how
	 * probable a hit is
	 */
	size_t n_unanswerable;
	/* of the best hit's probability: answerable against unanswerable */
	double auc;
	/*
	 * share of the unanswerable whose best hit is as probable as that of all but the least
	 * tenth of the answerable
	 */
	double false_recalls;
};

struct scores;

/*
 * k [n_k] the cuts, each at least 1, ascending; n_k 1 to SCORES_K_MAX. Owned by the caller until
 * scores_free.
 */
struct scores *scores_new(const unsigned *k, size_t n_k);
void scores_free(struct scores *s);

/*
 * A question's result (math/measure.h): found [n], n_relevant at least 1. category "" or NULL: it
 * has none, and is counted as "none".
 */
void scores_add(struct scores *s, const char *category, const uint32_t *found, size_t n,
	size_t n_relevant, double ms);

/* The probability of a question's best hit, 0 when it has none. */
void scores_add_best(struct scores *s, bool is_answerable, double p);

/*
 * The lines: categories as they first came (none when no question has one), "all", "macro". Nothing
 * when there are no questions. Borrowed.
 */
typedef void score_fn(void *arg, const struct score *v);
void scores_each(const struct scores *s, score_fn *fn, void *arg);

/* Appends v as a score record with its newline. */
void
score_write(struct buf *out, const struct scores *s, const char *strategy, const struct score *v);

#endif
