/*
 * search_run.h: the search, and one run of it in the order of its stages: it is begun
 * (search_start.c), its candidates are chosen (candidates.c) and scored (candidates_score.c), and
 * the best of them are ranked (search_rank.c). Private to lib/search.
 */
#pragma once

#include "base/buf.h"
#include "embed/service.h"
#include "math/topk.h"
#include "search/query_vector.h"
#include "search/search.h"
#include "store/index.h"

enum strategy { FUSED, LEXICAL, BM25, DENSE, HYBRID, RRF, MAX_OF, RECENT, LADDER, PROGRESSIVE };

struct asked_service {
	struct service *service;           /* NULL: was not needed so far */
	struct arena arena;                /* what the service said of the question at hand */
	const float *q;                    /* the query vector; NULL: none */
	const char *text;                  /* what q is the vector of */
	uint8_t sha256[SHA256_BYTES];      /* the model whose vectors it is to be compared with */
	/* why there is no query vector; "": the service was not asked */
	char note[300];
};

struct search {
	struct store *store;
	struct index *index;
	struct bm25 bm25;
	const struct corpus *scored;       /* the corpus that bm25 is open for */
	bool plain;                        /* bm25 is open with the plain shape */
	struct profile profile;
	struct question question;
	struct query_vector *query_vector;
	/* cosines of the question at hand, when the run has them */
	struct dense dense;
	/* name of the vectors' model when it could not be opened */
	char missing[64];
	const char *stage;                 /* the last one that was begun: text, rank or fetch */
	char words_down[256];              /* why the full text cannot be read; "": it can */
	struct asked_service service;      /* for a store whose vectors were made by a service */
	struct arena arena;
	struct search_hit *hits;
	size_t cap_hits;
	/*
	 * idf times weight of each of the question's terms; 0: a speaker or a time, which are not
	 * searched as words
	 */
	float idf[QUESTION_TERMS];
	struct passage passage;
	float *x, (*sides)[SEARCH_SIDES];  /* results of search_signals */
	int64_t *rows;
	uint8_t *kinds;
};

/*
 * The turns that are ranked: found by candidates_find, which may find others for the same question
 * later; then more and more is known of the best of them.
 */
struct candidates {
	struct bm25_scores *at;            /* [n], ascending by turn */
	size_t n, cap;
	struct bm25_best best;
	float unsaid;                      /* 0-1: how far none has the question's words */
	float expected_near;               /* idf of what p expects near a hit */
	struct card *cards;                /* [n]; read by candidates_cards */
	struct around *around;             /* [n]; 0 where it was not looked at */
	bool *is_read;                     /* [n]: the candidate's text was read again ... */
	struct passage_signals *read;      /* ... and what it tells */
	struct feedback feedback;          /* what these texts tell of each other */
	float code;                        /* 0-1: how far they are code; 0 before they are read */
	float *foreign;                    /* [n]: as the signals have it (languages.c) */
	struct topk top;                   /* the best, as they were ranked last */
};

/* One run: one question on one snapshot of the memory. */
struct run {
	struct search *s;
	struct bm25 *bm25;                 /* s's, or of one of two threads (prefilter_threads.c) */
	const struct search_query *q;
	struct scope who;                  /* the user alone */
	const struct corpus *corpus;
	enum strategy strategy;
	uint32_t from, to;                 /* turns from .. to - 1 may be hits */
	/*
	 * no word of the question is known, but a speaker or a time is: turns that have these are
	 * candidates
	 */
	bool by_card;
	bool or_words;                     /* and so are others, by names as words and by vectors */
	/*
	 * the question asks for these times and for nothing else: all that was said then, by the
	 * speakers that it names, are candidates, and its words are not searched
	 */
	struct time_range times[QUESTION_SPANS];
	size_t n_times;
	/* nothing was said then, so its words are searched after all: what has them is unlikely */
	bool times_missed;
	struct message_filter filter;
	int64_t agent, project;            /* -1: any */
	/* who may have spoken, as numbers, 0: a user without a name; NULL: anybody */
	int64_t *speakers;
	size_t n_speakers;
	bool asked;                        /* query_vector_begin was called */
	/* the question must still be given to query_vector_ask */
	bool embeds;
	int64_t us_waiting;                /* microseconds waited for the vectors */
	/* NULL: there are no vectors, or the strategy does not use them */
	const struct dense *dense;
	struct candidates found;
};

/* ---- search.c ---- */
/* As an enum strategy; -1: there is none of that name. */
int search_strategy(const char *name);

/* ---- search_start.c ---- */
/* The question is read, its words are scored, and its vectors are there; run_end also on -1. */
int run_start(struct run *r, struct search *s, const struct scope *who,
	const struct search_query *q, struct err *err);
/* Ends the snapshots, and what the run has found. */
void run_end(struct run *r);

/* ---- search_now.c ---- */
/*
 * Moves each hit that changes one before it to the place before that, unless the past is asked for;
 * where what holds now is asked for, also one that answers alike.
 */
void search_newer_first(struct search_result *r);
#define NEWER_AMONG 10                 /* hits that are looked at, at least */

/* ---- candidates.c ---- */
/*
 * Fills found with the candidates of the run; *n_all is how many there were before any were left
 * out. The question's terms must have been scored. May be called again for other turns of the same
 * question.
 */
int candidates_find(struct run *r, size_t *n_all, struct err *err);
/* The score of a candidate before its turn features are read. */
float candidates_first_score(const struct run *r, size_t i);
/* Whether the strategy ranks by signals. */
bool candidates_by_signals(const struct run *r);
/* Appends a turn of the slice at hand to found. */
void candidates_add(struct run *r, uint32_t turn);
void candidates_release(struct candidates *c);
/* ---- prefilter.c ---- */
#define PREFILTER_STEPS  1024
/*
 * The prefilter keeps the candidates that are best by a light score. count is a histogram of the
 * scores of those kept; from it follows the least score that can still be among the n best.
 */
struct prefilter {
	size_t n, n_taken, n_seen;
	unsigned least;
	/* one bit a turn, borrowed: it was a candidate, whether kept or not; NULL: not wanted */
	uint64_t *seen;
	/* factors of BM25, covered idf, z4, and the same for the session */
	struct prefilter_factors {
		float words, cover, meaning, session, dense_session;
	} of[N_SESSION_KINDS];
	const float *words;                /* borrowed: BM25 scores of the slice's turns */
	uint32_t session_no;               /* the session at hand */
	const struct prefilter_factors *f;     /* its factors */
	/* the score all its turns share; the most a turn's own cosine can add */
	float session, meaning_most;
	uint16_t *scores;                  /* [n_found] */
	size_t cap;
	uint32_t count[PREFILTER_STEPS];
};

void prefilter_open(struct prefilter *l, const struct run *r, size_t n);
/*
 * Offers a turn of the slice at hand; it is added to found when it may be among the n best so far.
 */
void prefilter_offer(struct prefilter *l, struct run *r, uint32_t turn);
/*
 * Offers those of turns from .. to - 1 of the slice at hand whose cosine is at least near, or that
 * have a match in them or beside them. For a large memory.
 */
void prefilter_pass(struct prefilter *l, struct run *r, uint32_t from, uint32_t to, float near);
/* Merges into l the histogram of rest, which has seen the turns that follow those of l. */
void prefilter_join(struct prefilter *l, const struct prefilter *rest);
/* Drops from found what is not among the n best; among equals the first ones stay. */
void prefilter_compact(struct prefilter *l, struct run *r);
void prefilter_release(struct prefilter *l);
/* ---- prefilter_threads.c ---- */
/*
 * prefilter_pass over all slices of a large memory, in two threads; the result is the same as with
 * one. The caller calls prefilter_compact afterwards.
 */
void prefilter_all(struct prefilter *l, struct run *r, float near);
/* ---- candidates_few.c ---- */
/*
 * When there are more than `most` candidates, keeps the n best by first scores; among equals the
 * first ones stay. With seen, one bit for each turn that was a candidate, turns near the question
 * in the best candidates' sessions become candidates first; NULL: they do not.
 */
int candidates_narrow(struct run *r, size_t most, size_t n, uint64_t *seen, struct err *err);
/* ---- candidates.c ---- */
/* Whether the hits must pass a filter. */
bool candidates_filtered(const struct run *r);
/* Reads the turn features of all candidates. */
int candidates_cards(struct run *r, struct err *err);
/* Computes scores [n_found] by the run's strategy, for which it reads the turn features. */
int candidates_scores(struct run *r, float *scores, struct err *err);
/* The score of candidate i, whose turn features have been read. */
float candidates_score(const struct run *r, size_t i);
/* Looks at what is around the n first of top; from then on their signals include it. */
void candidates_look_around(struct run *r, size_t n);
/* Whether the signal has a weight for a kind of session among the candidates. */
bool candidates_use(const struct run *r, enum signal signal);
/*
 * Reads the texts of the best candidates again, best first in the order of top, within a budget of
 * bytes; from then on their signals include what the texts tell. *n: how many were read. bridges:
 * candidates_bridge will be called.
 */
int candidates_read(struct run *r, bool bridges, size_t *n, struct err *err);
/*
 * For the n candidates that were read: what the best of them says beyond the question, by their
 * scores so far.
 */
void candidates_bridge(struct run *r, size_t n, const float *scores);
/* Computes all signals of candidate i. */
void candidates_signals(const struct run *r, size_t i, float x[N_SIGNALS]);
unsigned candidates_kind(const struct run *r, size_t i);
/*
 * Which weights turns are scored by, an index into profile_kind_names: those of their session's
 * kind where the question is about a person, else the same for all.
 */
unsigned candidates_profile_of(const struct run *r, unsigned session_kind);
unsigned candidates_profile(const struct run *r, size_t i);
/* What hybrid weighs of a candidate (search.h). */
void candidates_sides(const struct run *r, const struct bm25_scores *at,
	float sides[SEARCH_SIDES]);

/* ---- languages.c ---- */
/*
 * Finds those of the best candidates, by scores [found.n] and by meaning, that are in another
 * language than the question, and scores them again. *any: whether there are any.
 */
int candidates_foreign(struct run *r, float *scores, bool *any, struct err *err);

/* ---- copies.c ---- */
/* Removes from found what is the question itself, stored when it was asked, and its copies. */
int copies_drop(struct run *r, struct err *err);

/* ---- search_service.c ---- */
/*
 * When the vectors were made by a service, asks it for the query vector, for at most embed_timeout.
 * Called before any snapshot is open. `read` reads the question in a snapshot of its own and sets
 * text to what is to be embedded.
 */
int search_ask_service(struct run *r, const struct scope *who,
	int (*read)(struct run *r, struct buf *text, struct err *err), struct err *err);
/*
 * Whether the vectors were made by a service. If so, *q is the query vector, or NULL with the
 * reason in missing and service.note.
 */
bool search_of_service(struct search *s, const struct vectors_info *v, const float **q);

/* ---- search_terms.c ---- */
/*
 * Scores the question's terms for every turn and stores their idf. For words that the store does
 * not know, similar known ones are scored. renewed: the corpus is another one than in the run
 * before.
 */
int search_terms(struct run *r, bool renewed, struct err *err);

/* ---- inflections.c ---- */
/*
 * Adds to the question, when it is not in English, the forms of its words that the memory has.
 * Cost: a page or two of the vocabulary a word and segment, .1 ms.
 */
int search_inflections(struct run *r, struct err *err);

/* ---- search_rank.c ---- */
/* Appends the `limit` best candidates between from and to to the result. */
int search_rank(struct run *r, int64_t limit, struct search_result *out, struct err *err);
/*
 * Reads the texts of the best candidates again, as search_rank does; all turn features have been
 * read.
 */
int search_read(struct run *r, struct err *err);
/*
 * The part of the idf that should be found near a hit, of the sum of all: in a prompt, words beside
 * the question are expected there by a part of their weight only, since they may have nothing to do
 * with the answer.
 */
float search_expected_near(const struct search *s, float sum);
struct search_hit *search_add_hit(struct search *s, struct search_result *r, int64_t row);
/* Fills r->found.top with the k best candidates by scores [found.n]. */
void search_best(struct run *r, const float *scores, size_t k);
#define READ_LIST 60               /* candidates whose text may be read again */

/* ---- search_order.c: each changes scores [found.n] ---- */
/*
 * Adds to the scores of the best what their places in time are worth: by when they were said where
 * all of them have a time, since an older history may have been stored later; else by their order
 * in the memory.
 */
void order_newer_up(struct run *r, float *scores);
/* Whether candidate i was said by whom the last is asked for. */
bool order_is_theirs(const struct run *r, size_t i);
/*
 * Puts the last that was said by who is asked for first: of all that they said, or of what is as
 * much about the matter, by words or meaning, as the best of it, if that is about it at all.
 */
void order_last_first(struct run *r, float *scores);
/* Fills top with the n best, and what says nothing behind all others. */
int order_silent_last(struct run *r, size_t n, float *scores, struct err *err);
/*
 * Where the best asks what the question asks, its reply is as likely to answer: of 520 questions
 * about twenty public histories 39 found a turn first that asks; it answered ten of them, and the
 * turn behind it eleven. So among people the reply comes next. An assistant replies at length to
 * whatever it is asked, and its place stays (else nDCG@10 of BEAM is .013 lower). top has the n
 * best; returns the reply's number among the candidates; found.n: none.
 */
size_t order_reply_next(struct run *r, size_t n, float *scores);
