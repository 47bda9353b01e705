/*
 * rerank_hits.h: reranks the first rerank_candidates hits of a search by a language model
 * (search/rerank.h); the hits after them stay where they are.
 */
#pragma once

#include "search/facts_search.h"
#include "search/rerank.h"
#include "search/search.h"
#include "search/search_steps.h"

struct rerank_hits {
	struct llm *llm;
	struct search *search;
	struct store *store;
	const struct scope *who;
	const struct search_query *query;
	size_t shown;                      /* after reranking only this many hits are kept */
	struct arena *arena;               /* for texts and notes; must live as long as the hits */
};

/* How many hits a search has to find, so that the model has something to choose from. */
int64_t rerank_limit(int64_t shown);

/* Sets `again` of each hit. -1: the store failed. */
int rerank_said(const struct rerank_hits *x, struct search_result *r, enum rerank_did *did,
	struct err *err);
int rerank_steps(const struct rerank_hits *x, struct steps_result *r, enum rerank_did *did,
	struct err *err);
void
rerank_known(const struct rerank_hits *x, struct tier_hit *hits, size_t *n, enum rerank_did *did);
