/* search.h: finds the turns that answer a question, best first. */
#pragma once

#include "rank/profile.h"
#include "search/rerank.h"
#include "store/store.h"

enum search_scope { SEARCH_AUTO, SEARCH_SESSION, SEARCH_USER };

/* A word added to a question by a rewrite; its weight is relative to the question's own words. */
struct search_word { const char *text; size_t len; float weight; };

struct search_query {
	const char *text;
	size_t len;
	/* the user's own words when text is a rewrite of them; NULL: text is the user's */
	const char *asked;
	size_t asked_len;
	const struct search_word *added;   /* [n_added] words of text that a rewrite added */
	size_t n_added;
	/*
	 * one of search_strategies; ladder and progressive (search/search_steps.h) are taken as
	 * fused here
	 */
	const char *strategy;
	int64_t limit;                     /* number of hits; at least 1 */
	enum search_scope scope;           /* what the session in the scope means */
	struct message_filter filter;      /* its order and limit are not used */
	/* drops hits below it, by p where there is one, else by score; 0: none */
	double min_score;
	/*
	 * searches neither other forms of the words nor similar words for unknown ones; strategy
	 * bm25 never does
	 */
	bool as_written;
	/* scores all sessions as if of this kind, to measure or to learn its weights */
	bool as_kind;
	enum session_kind kind;
	/* asks for what holds now, whatever its words say: of what answers alike the newer leads */
	bool current;
	bool exact;                        /* disables every shortcut that large stores take */
	bool copies;                       /* a turn that is the question itself is a hit, too */
	int64_t now_us;                    /* the moment from which "last week" is counted */
};

struct search_hit {
	int64_t row;
	float score;                       /* as the strategy computes it */
	/* BM25 of the turn alone, 0-1: 1 when it has every term as often as can count */
	float bm25;
	float coverage;                    /* share of the question's idf that the turn has */
	/*
	 * probability that it answers the question (rank/answer_probability.h); NAN with other
	 * strategies than fused and lexical
	 */
	float p;
	/* calibrated similarity of its vector; NAN: it has none, or vectors were not used */
	float sim;
	bool outside;                      /* it is not in the session that was asked for */
	float x[N_SIGNALS];                /* the signals, with fused and lexical; else 0 */
	unsigned kind;                     /* index into profile_kind_names */
	/*
	 * 0-1: how far its session, which is of no known kind, looks like people talking
	 * (index/corpus.h); the score is a chat's by this share
	 */
	float talk;
	const struct message *message;
	struct reranked again;             /* set by --llm-rerank */
};

struct search_result {
	/* [n], best first; valid until the next run */
	struct search_hit *hits;
	size_t n;
	size_t n_candidates;
	/* the question as it was read; borrowed until the next run */
	const struct question *question;
	/* too few hits of the session were likely, so the rest of the memory was searched too */
	bool widened;
	/*
	 * name of the vectors' model when it could not be used and only words were searched; NULL
	 */
	const char *missing_model;
	/* for a service: the reason; NULL: it is a local model whose file is missing */
	const char *missing_why;
	bool dense;                        /* vectors were used */
	/* why the full text was not, and vectors alone were searched; NULL: it was */
	const char *words_down;
	int64_t us_text, us_vectors /* time spent waiting for them */, us_rank, us_fetch;
};

/*
 * Whether the hit counts as found by the setting likely. With strategies that give no probability
 * these count: hits with a word of the question, hits that are near by vectors, and hits of
 * strategies that ignore the question.
 */
bool search_hit_is_likely(const struct search_hit *h);
/*
 * Whether people are shown the hit at this rank: the first few always, as an answer is often
 * thought unlikely that stands beside a likely question, others from the setting unlikely on.
 */
bool search_hit_is_shown(const struct search_hit *h, size_t rank);
size_t search_n_likely(const struct search_result *r);

struct search;

extern const char *const search_strategies[];                  /* ends with NULL */
bool search_knows(const char *strategy);
/* whether its hits have a probability */
bool search_has_p(const char *strategy);

/* s stays the caller's. Reads the setting weights. */
int search_open(struct store *s, struct search **out, struct err *err);
void search_close(struct search *s);
/* Its index, for mention.h between two questions: one that was read need not be read again. */
struct index;
struct index **search_index(struct search *s);

/*
 * ERR_USAGE: unknown strategy, or the question is too long. A question without words finds nothing.
 */
int search_run(struct search *s, const struct scope *who, const struct search_query *q,
	struct search_result *r, struct err *err);
/*
 * Leaves a row of figures of a question that ended with err, unless that says that it was none.
 * Best effort, as metrics_put.
 */
void search_failed(const struct search *s, const struct scope *who, const char *program,
	const struct err *err);

/* Whether a was said before b, as far as is known. */
bool search_is_earlier(const struct message *a, const struct message *b);

/* Writes into out a sentence for people about what r had to do without; false: nothing. */
bool search_without(const struct search_result *r, char *out, size_t size);

/*
 * For learning weights: the signals of every candidate, and what hybrid weighs: similarity, BM25
 * and whether it has an identifier of the question. x [n][N_SIGNALS], sides [n], rows [n]
 * and kinds [n] are valid until the next run.
 */
#define SEARCH_SIDES 3
struct search_features {
	size_t n;
	const float *x;
	const float (*sides)[SEARCH_SIDES];
	const int64_t *rows;
	const uint8_t *kinds; /* indexes into profile_kind_names */
};
int search_signals(struct search *s, const struct scope *who, const struct search_query *q,
	struct search_features *f, struct err *err);
