/*
 * bm25_parts.h: what the files of bm25.h share.
 */
#ifndef RANK_BM25_PARTS_H
#define RANK_BM25_PARTS_H

#include "rank/bm25.h"

struct bm25_term {
	float idf, exact_idf;              /* idf 0: counts for exact alone; exact_idf 0: does not count for exact */
	size_t first, n;                   /* its streams */
	bool form;                         /* other forms of the term before: of a turn that lacks it */
};

struct bm25_stream { size_t at, end; };        /* postings in ascending order, those before at are done */

/* The first of the postings at ... end - 1, which are one stream's, that is of turn or of one behind it. */
static inline size_t
posting_from(const struct bm25 *b, size_t at, size_t end, uint32_t turn)
{
	while (at < end) {
		size_t middle = at + (end - at) / 2;
		if (b->list.items[middle].doc < turn)
			at = middle + 1;
		else
			end = middle;
	}
	return at;
}

#endif
