/*
 * signals.h: the signals that the default strategy sums. Each is a small pure function of one turn
 * and the question, with a row in signal_rows.h and a weight for each kind of session (profile.h).
 */
#pragma once

#include "index/turn_features.h"
#include "rank/bm25.h"
#include "rank/dense.h"
#include "rank/passage.h"
#include "rank/question.h"
#include "rank/signal_rows.h"

#define NUMBER(id, ...) id,
enum signal { SIGNAL_ROWS(NUMBER, NUMBER, NUMBER, NUMBER) N_SIGNALS };
#undef NUMBER

enum signal_needs {
	NEEDS_TEXT = 1,                        /* the turn's text must be read again */
	/* the same, for a question that asks several things */
	NEEDS_PARTS = 2,
	NEEDS_BRIDGE = 4,                      /* what the first hit says beyond the question */
	NEEDS_CODE = 8,                        /* how far what may answer is code; needs vectors */
	/* its text, for a question that asks for a kind of thing (things.h) */
	NEEDS_THINGS = 16,
	NEEDS_LANGUAGES = 32,                  /* in which language it is; needs vectors */
};

/* The highest of each score for this question, by which the others are divided; never 0. */
struct bm25_best { float turn, window, head, session, cover, exact; };
void bm25_best(const struct bm25 *b, struct bm25_best *best);          /* after all slices */

/* What is said around a turn, in its session. */
struct around {
	/* 0-1: share of `expected` that it and the AROUND_BEFORE turns before it have together */
	float cover;
	/* the best z4 of it and the AROUND_NEAR turns on either side; at least 0 */
	float dense;
};
#define AROUND_BEFORE 2
#define AROUND_NEAR   5
/*
 * Call it when all slices have been scored. expected: the idf that a turn which answers is expected
 * to have about it. dense: NULL when there are no vectors. Cost: a binary search in each posting
 * list of the question.
 */
struct around around_turn(const struct corpus *c, const struct bm25_scores *at,
	const struct bm25 *b, float expected, const struct dense *dense);

/* One turn, as the signals see it. */
struct candidate {
	const struct corpus *corpus;
	const struct question *question;
	const struct bm25_best *best;
	const struct bm25_scores *at;
	const struct dense *dense;             /* NULL: there are no vectors */
	const struct card *card;               /* the turn features; NULL: not read */
	const struct passage_signals *read;    /* NULL: its text was not read again */
	struct around around;                  /* 0 until the search has looked there */
	/* 0-1: how far what may answer the question is code */
	float code;
	/* 0-1: how far no turn has the question's words, so that meaning alone tells */
	float unsaid;
	/* 0-1: how far its words cannot tell, as it is in another language than the question */
	float foreign;
};

typedef float signal_fn(const struct candidate *c);
struct signal_row {
	const char *name;
	signal_fn *value;
	unsigned needs;                        /* of rows of LAST: NEEDS_ flags */
	const char *help;
};
extern const struct signal_row signals[N_SIGNALS];

/*
 * x [N_SIGNALS]: all signals when c->card is set; else those of LISTS and GUESS, and 0 for the
 * others.
 */
void signals_of(const struct candidate *c, float x[N_SIGNALS]);
