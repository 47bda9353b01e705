/*
 * eval.h: puts labelled questions to the search and measures how well it answers.
 *
 * A question is a record { query, relevant: [ids], category?, qid?, user?, now? }. An id is one of
 * ours, or the id that the message had in its source. Each strategy is asked for as many hits as
 * the largest k; nothing is written, so that all see the same store.
 */
#pragma once

#include "eval/learn_weights.h"
#include "ingest/ingest_from.h"
#include "json/json.h"
#include "store/store.h"

struct eval_want {
	struct scope who;                  /* its user asks the questions that name none */
	/* true: a record's own user asks it; false: a user other than who's is an error */
	bool multi_user;
	const char *const *strategies;     /* [n_strategies] names, borrowed */
	size_t n_strategies;
	/* [n_k] cuts, ascending, 1 to SCORES_K_MAX of them, borrowed */
	const unsigned *k;
	size_t n_k;
	bool as_kind; /* all sessions are scored with the weights of this kind */
	enum session_kind kind;
	/* receive the candidates of every question, to learn from; NULL: none */
	struct learn_weights *learner, *hybrid;
};

struct eval_counts {
	size_t n_asked;
	/* questions without relevant ids: they count only for false recalls */
	size_t n_left_out;
	/* relevant ids that are not in the store: they count as never found */
	size_t n_unknown;
};

struct eval;

/* ERR_USAGE: there is no such strategy. s remains the caller's. */
int eval_open(struct store *s, const struct eval_want *want, struct eval **out, struct err *err);
void eval_close(struct eval *e);

/*
 * Scores all questions of a file ("-": stdin), which may be gzipped and has a JSON value a line;
 * with a map (ingest/ingest_from.h; NULL: none), the questions that it makes of each line. A bad
 * line is reported to fn and skipped. Errors are those of the file and of the store.
 */
typedef void eval_bad_fn(void *arg, const char *file, uint64_t line, const char *why);
int eval_read(struct eval *e, const char *path, struct from *map, eval_bad_fn *fn, void *arg,
	struct err *err);

struct eval_counts eval_counts(const struct eval *e);

/* The scores of strategy i of want. Borrowed. */
const struct scores *eval_scores(const struct eval *e, size_t i);
