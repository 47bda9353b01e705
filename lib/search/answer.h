/*
 * answer.h: a question answered from a memory: messages (search.h), what is known beside them
 * (tier.h), step by step where the strategy says so (search_steps.h), and in the order of a
 * language model where that is wanted. What mem-search does.
 */
#ifndef SEARCH_ANSWER_H
#define SEARCH_ANSWER_H

#include "followup/rewrite.h"
#include "search/search_steps.h"

struct answer_want {
	struct scope who;
	/*
	 * of each question; its text, asked and added are not used. limit: hits that are looked for
	 */
	struct search_query query;
	struct record_filter known;        /* of what is no message */
	unsigned in;                       /* tiers, as bits of enum tier */
	size_t shown;                      /* hits; of more that are found a model chooses these */
	bool by_model;                     /* a language model orders them */
	/* that records were found, and a row of figures, are written when the hits are out */
	bool touch;
	const char *program;               /* in ledger and figures */
	int64_t us_open;                   /* how long opening the store took */
};

/* What is handed out: hits in their order, and what there is to be told. */
struct answer_fn {
	/*
	 * asked: the question as it was read; q: what it was made of, NULL: it is as it was asked.
	 * -1 with err
	 */
	int (*said)(void *arg, const struct search_hit *h, const struct question *asked,
	    size_t rank, const struct rewritten *q, struct err *err);
	void (*known)(void *arg, enum tier in, const struct tier_hit *h, size_t rank);
	void (*category)(void *arg, const struct step_hit *h, size_t rank);
	/* after the hits: what was searched, and why no more */
	void (*steps)(void *arg, const struct steps_result *r);
	/* once: vectors are not to be had */
	void (*without)(void *arg, const char *why);
	void (*reranked)(void *arg, const struct reranked *r, enum rerank_did did);
	/* what was handed out must leave; not 0: nobody reads any more */
	int (*out)(void *arg);
	void *arg;
};

struct answer;

/* s, want and fn are borrowed. */
int answer_open(struct store *s, const struct answer_want *want, const struct answer_fn *fn,
	struct answer **out, struct err *err);
void answer_close(struct answer *a);

/* q: want's query with a text. 1: nobody reads any more. */
int answer_question(struct answer *a, const struct search_query *q, const struct rewritten *made_of,
	struct err *err);

/* Hits so far that are likely enough to count as found. */
size_t answer_n_likely(const struct answer *a);

#endif
