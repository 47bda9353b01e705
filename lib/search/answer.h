/*
 * answer.h: answers a question from a memory: messages (search.h), facts, notes and summaries
 * (facts_search.h), step by step where the strategy says so (search_steps.h), and on request in an
 * order that a language model gives. This is what mem-search does.
 */
#pragma once

#include "followup/rewrite.h"
#include "search/search_steps.h"

struct answer_want {
	struct scope who;
	/*
	 * used for every question, but for text, asked and added; limit: how many hits are looked
	 * for
	 */
	struct search_query query;
	struct record_filter known;        /* filter for facts, notes and summaries */
	unsigned in;                       /* tiers to search, as bits of enum tier */
	/* hits that are handed out; a model chooses them when more are found */
	size_t shown;
	bool by_model;                     /* a language model orders the hits */
	/* note which records were found, and write a row of metrics, after the hits are out */
	bool touch;
	const char *program;               /* its name in ledger and metrics */
	int64_t us_open;                   /* microseconds that opening the store took */
};

/* Callbacks that get the hits in their order, and notices; NULL but said and known: not wanted. */
struct answer_fn {
	/*
	 * A message. asked: the question as it was read; q: what it was rewritten from, NULL: it
	 * was not rewritten. Returns -1 with err.
	 */
	int (*said)(void *arg, const struct search_hit *h, const struct question *asked,
	    size_t rank, const struct rewritten *q, struct err *err);
	void (*known)(void *arg, enum tier in, const struct tier_hit *h, size_t rank);
	void (*category)(void *arg, const struct step_hit *h, size_t rank);
	/* after the hits: what was searched, and why no more */
	void (*steps)(void *arg, const struct steps_result *r);
	/* called once: vectors cannot be used */
	void (*without)(void *arg, const char *why);
	void (*reranked)(void *arg, const struct reranked *r, enum rerank_did did);
	/* must write out what was handed out so far; not 0: nobody reads any more */
	int (*out)(void *arg);
	void *arg;
};

struct answer;

/* s, want and fn are borrowed. */
int answer_open(struct store *s, const struct answer_want *want, const struct answer_fn *fn,
	struct answer **out, struct err *err);
void answer_close(struct answer *a);

/* q: want's query with a text. Returns 1 when nobody reads any more. */
int answer_question(struct answer *a, const struct search_query *q, const struct rewritten *made_of,
	struct err *err);

/* How many hits of all questions so far are likely enough to count as found. */
size_t answer_n_likely(const struct answer *a);
