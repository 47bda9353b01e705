/*
 * signals.h: the list that the default strategy sums: each signal a small pure function of one turn and the question, by name, with a weight for
 * each kind of session (profile.h). A new signal is a row here and its weights.
 */
#ifndef RANK_SIGNALS_H
#define RANK_SIGNALS_H

#include "index/turn_features.h"
#include "rank/bm25.h"
#include "rank/dense.h"
#include "rank/passage.h"
#include "rank/question.h"

enum signal {
	/* from the lists: known of every turn */
	SIGNAL_TURN, SIGNAL_WINDOW, SIGNAL_SESSION, SIGNAL_SESSION_USER, SIGNAL_COVERAGE, SIGNAL_COVERAGE_2, SIGNAL_ALL, SIGNAL_CODE, SIGNAL_PREVIOUS, SIGNAL_NEXT,
	SIGNAL_HEAD, SIGNAL_HEAD_PREVIOUS, SIGNAL_HEAD_NEXT, SIGNAL_USER, SIGNAL_REPLY, SIGNAL_QUESTION, SIGNAL_NUMBERS, SIGNAL_NAMED,
	SIGNAL_DENSE, SIGNAL_DENSE_WINDOW, SIGNAL_DENSE_SESSION, SIGNAL_DENSE_USER,       /* from the vectors: of every turn that has one */
	N_LIST_SIGNALS,
	/* from the cards: of the candidates */
	SIGNAL_SPEAKER = N_LIST_SIGNALS, SIGNAL_DATE, SIGNAL_LENGTH, SIGNAL_LENGTH_2, SIGNAL_FIRST, SIGNAL_SECOND,
	SIGNAL_WHEN, SIGNAL_WHO, SIGNAL_STRONG, SIGNAL_STANDING, SIGNAL_CAPITALS,
	N_CARD_SIGNALS,
	SIGNAL_CLOSE = N_CARD_SIGNALS, SIGNAL_PASSAGE, SIGNAL_PART, SIGNAL_BRIDGE,       /* from the text: of the best of these */
	SIGNAL_DENSE_CODE,                     /* from the vectors, when the best texts are known */
	SIGNAL_SPREAD,                         /* from the hits that are better */
	N_SIGNALS
};

/* The question's best turn by each score: what the others are divided by; never 0. */
struct bm25_best { float turn, window, head, session, session_user, cover, exact; };
void bm25_best(const struct bm25 *b, struct bm25_best *best);          /* after all slices */

/* One turn, as the signals see it. */
struct candidate {
	const struct corpus *corpus;
	const struct question *question;
	const struct bm25_best *best;
	const struct bm25_scores *at;
	const struct dense *dense;             /* NULL: no vectors */
	const struct card *card;               /* NULL: not read */
	const struct reading_signals *read;    /* NULL: its text was not read again */
	float code;                            /* 0-1: whether what may answer the question is code */
	unsigned n_near;                       /* better hits that stand near it in its session */
};

struct signal_row {
	const char *name;                      /* in settings, --explain and mem-eval --grid */
	float (*value)(const struct candidate *c);
	const char *help;
};
extern const struct signal_row signals[N_SIGNALS];

/* Of the signals from the cards what is known without the card: hardly a turn has more, or less (NULL: 0). */
struct signal_limits { float (*most)(const struct candidate *c), (*least)(const struct candidate *c); };
extern const struct signal_limits signal_limits[N_SIGNALS];

/* x [N_SIGNALS]: all of them when c->card is there; else the first N_LIST_SIGNALS, length as its words suggest, and 0. */
void signals_of(const struct candidate *c, float x[N_SIGNALS]);

#endif
