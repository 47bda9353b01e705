/*
 * score.h: collects the results of an evaluation question by question and gives figures, a line a
 * category.
 */
#pragma once

#include "base/buf.h"

#define SCORES_K_MAX 8

/* One line: means over the n questions of a category. */
struct score {
	/* its name; "all": all questions; "macro": the mean over categories */
	const char *category;
	size_t n;
	/* by k */
	double recall[SCORES_K_MAX], any[SCORES_K_MAX], all[SCORES_K_MAX], ndcg[SCORES_K_MAX];
	double mrr;                /* at the largest k */
	double ms_p50, ms_p95;     /* of the questions' times; for "macro" the same as for "all" */
	/*
	 * For "all", when some questions have no answer and the strategy gives its hits
	 * probabilities.
	 */
	size_t n_unanswerable;
	/*
	 * Area under the ROC curve: the best hit's probability as a test of whether a question has
	 * an answer.
	 */
	double auc;
	/*
	 * Share of the unanswerable questions whose best hit has a probability that nine of ten
	 * answerable questions reach.
	 */
	double false_recalls;
};

/* Names, numbered as they come. */
struct numbered { char **items; size_t n, cap; };
unsigned numbered_of(struct numbered *v, const char *name);
void numbered_release(struct numbered *v);

struct scores;

/*
 * K [n_k]: the cuts, ascending, at least 1; n_k from 1 to SCORES_K_MAX. The caller frees it by
 * scores_free.
 */
struct scores *scores_new(const unsigned *k, size_t n_k);
void scores_free(struct scores *s);

/*
 * Adds the result of a question (math/measure.h): found [n]; n_relevant at least 1. A category ""
 * or NULL is counted as "none".
 */
void scores_add(struct scores *s, const char *category, const uint32_t *found, size_t n,
	size_t n_relevant, double ms);

/* Adds the probability of a question's best hit, 0 when it has no hit. */
void scores_add_best(struct scores *s, bool is_answerable, double p);

/*
 * Hands out the lines: categories in the order they first appeared (none when no question has one),
 * "all", "macro". Nothing when there are no questions. Borrowed.
 */
typedef void score_fn(void *arg, const struct score *v);
void scores_each(const struct scores *s, score_fn *fn, void *arg);

/* Appends v as a score record with its newline. */
void
score_write(struct buf *out, const struct scores *s, const char *strategy, const struct score *v);
