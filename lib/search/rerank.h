/*
 * rerank.h: hits in the order that a language model gives them; without an answer of it they stay
 * as they are.
 */
#ifndef SEARCH_RERANK_H
#define SEARCH_RERANK_H

#include "llm/llm.h"

/* What came of it, for each hit: of a call that was not asked for all is NULL and 0. */
struct reranked {
	size_t was;                        /* its rank before; 0: the order is the search's own */
	/* that ordered them, "" when it did not say; NULL: none did */
	const char *model;
	/* why none did; NULL: one did, or there was nothing to order */
	const char *note;
};

#define RERANK_TEXT_BYTES 800              /* of a text, at most */

struct rerank_text {
	const char *text, *by;             /* by: who said it, "" when nobody in particular did */
	size_t len, by_len;
	int64_t time_us;                   /* TIME_NONE: not known */
	/* 0-1: calibrated similarity, or BM25 as a share of the question's best */
	double score;
};

/*
 * order [n] is filled with the numbers 0 .. n - 1, best first; what the model did not name follows
 * as it was. The model is not asked when there are fewer than two texts, or when each has a score
 * of at least the setting rerank_enough. out->was is left 0. The strings of out are in the arena.
 * Takes as long as llm_ask does.
 */
enum rerank_did { RERANK_NOTHING, RERANK_SPARED, RERANK_DONE, RERANK_FAILED };
enum rerank_did rerank(struct llm *l, const char *question, size_t len,
	const struct rerank_text *texts, size_t n, struct arena *a, uint32_t *order,
	struct reranked *out);

/* The keys of a hit: was and model, or note. */
void reranked_write(struct buf *out, const struct reranked *r);

#endif
