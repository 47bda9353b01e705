/*
 * rerank.h: puts hits in the order that a language model gives them. If the model does not answer
 * they keep their order.
 */
#pragma once

#include "llm/llm.h"

/* What reranking did to one hit; all zero when the model was not asked. */
struct reranked {
	size_t was;                        /* rank before reranking; 0: not reranked */
	/* the model that ordered the hits, "" when its name is unknown; NULL: not reranked */
	const char *model;
	/* why not; NULL: it was reranked, or there was nothing to order */
	const char *note;
};

#define RERANK_TEXT_BYTES 800              /* at most so many bytes of a text are sent */

struct rerank_text {
	const char *text, *by;             /* by: who said it, "" when unknown */
	size_t len, by_len;
	int64_t time_us;                   /* TIME_NONE: unknown */
	/* 0-1: calibrated similarity, or BM25 divided by the question's best */
	double score;
};

/*
 * Fills order [n] with the numbers 0 .. n - 1, best first; those that the model did not name follow
 * in their old order. The model is not asked when there are fewer than two texts, or when every
 * score is at least the setting rerank_enough. out->was stays 0; the strings of out are in the
 * arena. Blocks as long as llm_ask does.
 */
enum rerank_did { RERANK_NOTHING, RERANK_SPARED, RERANK_DONE, RERANK_FAILED };
enum rerank_did rerank(struct llm *l, const char *question, size_t len,
	const struct rerank_text *texts, size_t n, struct arena *a, uint32_t *order,
	struct reranked *out);

/* Writes keys of a hit: was and model, or note. */
void reranked_write(struct buf *out, const struct reranked *r);
