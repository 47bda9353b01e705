/*
 * search_run.h: what search.c, search_terms.c, search_rank.c, search_service.c and the
 * candidates*.c share: the search and one run of it. Private to them.
 */
#ifndef SEARCH_SEARCH_RUN_H
#define SEARCH_SEARCH_RUN_H

#include "base/buf.h"
#include "embed/service.h"
#include "math/topk.h"
#include "search/query_vector.h"
#include "search/search.h"
#include "store/index.h"

enum strategy { FUSED, LEXICAL, BM25, DENSE, HYBRID, RRF, MAX_OF, RECENT, LADDER, PROGRESSIVE };

struct asked_service {
	struct service *service;           /* NULL: never needed */
	struct arena arena;                /* of the question at hand */
	const float *q;                    /* its vector; NULL: none */
	uint8_t sha256[SHA256_BYTES];      /* of the vectors that it is to be compared with */
	char note[300];                    /* why there is none; "": it was not asked */
};

struct search {
	struct store *store;
	struct index *index;
	struct bm25 bm25;
	const struct corpus *scored;       /* the corpus that bm25 was opened for */
	bool plain;                        /* bm25 was opened with the plain shape */
	struct profile profile;
	struct question question;
	struct query_vector *meaning;
	struct dense dense;                /* of the question at hand, when the run has it */
	char missing[64];                  /* model that was not to be had */
	struct asked_service service;      /* vectors of the store are a service's */
	struct topk top;
	struct arena arena;
	struct search_hit *hits;
	size_t cap_hits;
	struct bm25_scores *found;         /* candidates, ascending by turn */
	size_t n_found, cap_found;
	struct card *cards;                /* [n_found], of those that have been read */
	/* of the question's terms, with their weights; 0: left to fields */
	float idf[QUESTION_TERMS];
	struct passage reading;
	struct feedback company;            /* of the texts that are read again */
	/* [n_found] of the candidates whose text was read again; */
	struct passage_signals *read;
	bool *is_read;                     /* [n_found] these */
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
	/* no word of the question is known, but a speaker or a time is: those turns are the hits */
	bool by_card;
	struct message_filter filter;
	int64_t agent, project, speaker;   /* -1: any */
	struct bm25_best best;             /* after candidates_find */
	bool asked;                        /* query_vector_begin was called */
	bool embeds;                       /* and wants the question's text */
	int64_t us_waiting;                /* for the vectors */
	/* NULL: no vectors, or the strategy does not ask for them */
	const struct dense *dense;
	/* 0-1: whether the best candidates are code; 0 until their texts have been read */
	float code;
};

/* ---- candidates.c ---- */
/*
 * The candidates of the run, into found; *n_all: how many there were before shortcuts. The
 * question's terms are added already. May be called again for other turns of the same question.
 */
int candidates_find(struct run *r, size_t *n_all, struct err *err);
/* The score of a candidate before its card is read. */
float candidates_first_score(const struct run *r, size_t i);
/* Whether the strategy goes by signals. */
bool candidates_by_signals(const struct run *r);
/* A turn of the slice at hand, behind the others. */
void candidates_add(struct search *s, uint32_t turn);
/* ---- candidates_light.c ---- */
#define LIGHT_STEPS  1024
/*
 * The best so far by a light score: a histogram of those taken, and the least score that can still
 * be among the n best.
 */
struct light {
	size_t n, n_taken, n_seen;
	unsigned least;
	/* borrowed: a bit a turn: it was a candidate, be it taken or not; NULL: nobody asks */
	uint64_t *seen;
	/* of BM25, of the idf that is covered, of z4 scores */
	struct light_factors {
		float words, cover, meaning, session, dense_session;
	} of[N_SESSION_KINDS];
	const float *words;                /* borrowed: of a slice, what the turns have of BM25 */
	uint32_t session_no;               /* the session at hand, */
	const struct light_factors *f;     /* its factors, */
	float session, meaning_most;       /* what all its turns have, and what a vector may add */
	uint16_t *scores;                  /* [n_found] */
	size_t cap;
	uint32_t count[LIGHT_STEPS];
};

void light_open(struct light *l, const struct run *r, size_t n);
/* A turn of the slice at hand, which is added when it may be among the n best so far. */
void light_take(struct light *l, struct run *r, uint32_t turn);
/*
 * Those turns from ... to - 1 of the slice at hand that are no farther from the question than near,
 * or have words or a turn beside them that has; of a large memory.
 */
void light_pass(struct light *l, struct run *r, uint32_t from, uint32_t to, float near);
/* rest, which has seen turns behind those of l, is added to it: what both have taken counts. */
void light_join(struct light *l, const struct light *rest);
/* Those that are not among the n best go; of equals the first stay. */
void light_compact(struct light *l, struct run *r);
void light_release(struct light *l);
/* ---- candidates_halves.c ---- */
/*
 * light_pass over all slices of a large memory, in two threads, but that shows nowhere.
 * light_compact is left to the caller.
 */
void light_all(struct light *l, struct run *r, float near);
/* ---- candidates_few.c ---- */
/*
 * Of more candidates than most the n best by first scores, of equals the first. seen, not NULL: a
 * bit a turn, those that were candidates; then turns near the question in the sessions of the best
 * become candidates first.
 */
int candidates_narrow(struct run *r, size_t most, size_t n, uint64_t *seen, struct err *err);
/* ---- candidates.c ---- */
/* Whether the hits must pass a filter. */
bool candidates_filtered(const struct run *r);
/* Reads the cards of all of them. */
int candidates_cards(struct run *r, struct err *err);
/*
 * Their scores by the run's strategy, scores [n_found]; NaN where it is not among the limit best.
 * Of those that have a score the cards are read.
 */
int candidates_scores(struct run *r, size_t limit, float *scores, struct err *err);
/*
 * The score of candidate i, with its card as read; n_near: of the better hits so many stand near
 * it.
 */
float candidates_score(const struct run *r, size_t i, unsigned n_near);
/* Whether a kind of session that is among them has a weight for the signal. */
bool candidates_use(const struct run *r, enum signal signal);
/*
 * Reads the texts of the best candidates again, best first as top has them, until it is enough;
 * from then on their signals have what the text tells. *n: how many. bridges: candidates_bridge
 * will be called.
 */
int candidates_read(struct run *r, bool bridges, size_t *n, struct err *err);
/* What the first hit says beyond the question, for those n; scores as they are by now. */
void candidates_bridge(struct run *r, size_t n, const float *scores);
/* All signals of candidate i. */
void candidates_signals(const struct run *r, size_t i, unsigned n_near, float x[N_SIGNALS]);
unsigned candidates_kind(const struct run *r, size_t i);
/* What the signal weighs in the score of candidate i. */
float candidates_weight(const struct run *r, size_t i, enum signal signal);

/* ---- search_service.c ---- */
/*
 * When the vectors are a service's: the question's, before any snapshot is open, in embed_timeout
 * at most. read: reads the question, in a snapshot; text is what is to be embedded.
 */
int search_ask_service(struct run *r, const struct scope *who,
	int (*read)(struct run *r, struct buf *text, struct err *err), struct err *err);
/*
 * Whether the vectors are a service's; then *q is the question's vector, or NULL, and why is in
 * missing and service.note.
 */
bool search_of_service(struct search *s, const struct vectors_info *v, const float **q);

/* ---- search_terms.c ---- */
/*
 * Scores the terms of the question for every turn, and counts them in idf; what words that the
 * store does not know may mean is added to both. renewed: the corpus is not the one of the run
 * before.
 */
int search_terms(struct run *r, bool renewed, struct err *err);

/* ---- search_rank.c ---- */
/* The best limit of the candidates between from and to, appended to the result. */
int search_rank(struct run *r, int64_t limit, struct search_result *out, struct err *err);
/* Reads the texts of the best candidates again, as search_rank does; their cards have been read. */
int search_read(struct run *r, struct err *err);
struct search_hit *search_add_hit(struct search *s, struct search_result *r, int64_t row);

#endif
