/*
 * search.h: a question in, the turns that answer it out, best first.
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "rank/profile.h"
#include "search/rerank.h"
#include "store/store.h"

enum search_scope { SEARCH_AUTO, SEARCH_SESSION, SEARCH_USER };

/* A word that was added to a question, and what it counts beside the question's own. */
struct search_word { const char *text; size_t len; float weight; };

struct search_query {
	const char *text;
	size_t len;
	/* the words of the one who asked, when text was made of them; NULL: text is */
	const char *asked;
	size_t asked_len;
	const struct search_word *added;   /* [n_added], of text */
	size_t n_added;
	/*
	 * a name of search_strategies; ladder and progressive (search/search_steps.h) are fused
	 * here
	 */
	const char *strategy;
	int64_t limit;                     /* hits; at least 1 */
	enum search_scope scope;           /* what the scope's session means */
	struct message_filter filter;      /* its order and limit are not used */
	/* hits below it are left out, by p where there is one, else by score; 0: none */
	double min_score;
	/*
	 * neither other forms of its words, nor words like those that the store does not know; bm25
	 * takes none, either
	 */
	bool as_written;
	/* all sessions are scored as of this kind, to measure or to learn its weights */
	bool as_kind;
	enum session_kind kind;
	bool exact;                        /* every shortcut of large stores off */
	int64_t now_us;                    /* what "last week" is counted from */
};

struct search_hit {
	int64_t row;
	float score;                       /* of the strategy */
	/* of the turn, 0-1: 1 when it has every term as often as can count */
	float bm25;
	float coverage;                    /* share of the question's idf */
	/*
	 * probability that it answers the question (rank/answer_probability.h); NAN with other
	 * strategies than fused and lexical
	 */
	float p;
	/* calibrated similarity of its vector; NAN: none, or not asked for */
	float sim;
	bool outside;                      /* not in the session that was asked for */
	float x[N_SIGNALS];                /* of fused and lexical: the signals; else 0 */
	unsigned kind;                     /* of profile_kind_names */
	/*
	 * 0-1: its session is of no known kind, and people talk there (index/corpus.h): so much of
	 * the score is a chat's
	 */
	float talk;
	/* 0-1: whether its session's turns have to do with each other (rank/dense.h) */
	float related;
	const struct message *message;
	struct reranked again;             /* by --llm-rerank, if it was asked for */
};

struct search_result {
	/* [n], best first; owned by the search until the next run */
	struct search_hit *hits;
	size_t n;
	size_t n_candidates;
	const struct question *question;   /* as it was read; borrowed until the next run */
	/* the session had too few that are likely: the rest of the memory was asked */
	bool widened;
	/* the vectors' model that is not to be had: found by words alone; NULL */
	const char *missing_model;
	/* of a service: why; NULL: it is a model of ours, and its file is not there */
	const char *missing_why;
	bool dense;                        /* vectors were asked */
	int64_t us_text, us_vectors /* waiting for them */, us_rank, us_fetch;
};

/*
 * Whether the setting likely counts it as found. Of a strategy that knows no probability, a hit
 * that has a word of the question counts, one that vectors call near, and one that is there without
 * being asked for.
 */
bool search_hit_is_likely(const struct search_hit *h);
size_t search_n_likely(const struct search_result *r);

struct search;

extern const char *const search_strategies[];                  /* NULL at the end */
bool search_knows(const char *strategy);
bool search_has_p(const char *strategy);                       /* its hits have a probability */

/* The store stays the caller's. Reads the setting weights. */
int search_open(struct store *s, struct search **out, struct err *err);
void search_close(struct search *s);

/*
 * ERR_USAGE: unknown strategy, or the question is over the cap. A question without words finds
 * nothing.
 */
int search_run(struct search *s, const struct scope *who, const struct search_query *q,
	struct search_result *r, struct err *err);

/* What r went without, as a sentence for a person, into out; false: nothing. */
bool search_without(const struct search_result *r, char *out, size_t size);

/*
 * For learning weights: the signals of every turn that could be a hit. x [n][N_SIGNALS], rows [n]
 * and kinds [n] are the search's until the next run.
 */
struct search_features {
	size_t n;
	const float *x;
	const int64_t *rows;
	const uint8_t *kinds; /* of profile_kind_names */
};
int search_signals(struct search *s, const struct scope *who, const struct search_query *q,
	struct search_features *f, struct err *err);

#endif
