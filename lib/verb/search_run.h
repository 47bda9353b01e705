/*
 * search_run.h: what search.c, search_rank.c and candidates.c share: the search and one run of it. Private to them.
 */
#ifndef VERB_SEARCH_RUN_H
#define VERB_SEARCH_RUN_H

#include "math/topk.h"
#include "store/index.h"
#include "verb/meaning.h"
#include "verb/search.h"

enum strategy { FUSED, LEXICAL, BM25, DENSE, HYBRID, RRF, MAX_OF, RECENT, LADDER, PROGRESSIVE };

struct search {
	struct store *store;
	struct index *index;
	struct bm25 bm25;
	const struct corpus *scored;       /* the corpus that bm25 was opened for */
	bool plain;                        /* bm25 was opened with the plain shape */
	struct profile profile;
	struct question question;
	struct meaning *meaning;
	struct dense dense;                /* of the question at hand, when the run has it */
	char missing[64];                  /* model that was not to be had */
	struct topk top;
	struct arena arena;
	struct search_hit *hits;
	size_t cap_hits;
	struct bm25_scores *found;         /* candidates, ascending by turn */
	size_t n_found, cap_found;
	struct card *cards;                /* [n_found] */
	float *x;                          /* of search_signals */
	int64_t *rows;
	uint8_t *kinds;
};

/* What one run is about. */
struct run {
	struct search *s;
	const struct search_query *q;
	const struct corpus *corpus;
	enum strategy strategy;
	uint32_t from, to;                 /* turns that may be hits */
	bool by_card;                      /* no word of the question is known, but a speaker or a time is: those turns are the hits */
	struct message_filter filter;
	int64_t agent, project, speaker;   /* -1: any */
	struct bm25_best best;             /* after candidates_find */
	bool asked;                        /* meaning_begin was called */
	int64_t us_waiting;                /* for the vectors */
	const struct dense *dense;         /* NULL: no vectors, or the strategy does not ask for them */
};

/* ---- candidates.c ---- */
/*
 * The candidates of the run with their cards, into found and cards; *n_all: how many there were before shortcuts. The question's terms are added already. May be called again for
 * other turns of the same question.
 */
int candidates_find(struct run *r, size_t *n_all, struct err *err);
/* The score of candidate i by the run's strategy; cards as read. */
float candidates_score(const struct run *r, size_t i);
/* All signals of candidate i. */
void candidates_signals(const struct run *r, size_t i, float x[N_SIGNALS]);
unsigned candidates_kind(const struct run *r, size_t i);

/* ---- search_unknown.c ---- */
/*
 * Terms of the question [n], by number, of which the store has none: they are scored as unknown, and what they may mean is added to the question and to its score.
 */
int search_unknown(struct run *r, const uint16_t *unknown, size_t n, struct err *err);

/* ---- search_rank.c ---- */
/* The best limit of the candidates between from and to, appended to the result. */
int search_rank(struct run *r, int64_t limit, struct search_result *out, struct err *err);
struct search_hit *search_add_hit(struct search *s, struct search_result *r, int64_t row);

#endif
