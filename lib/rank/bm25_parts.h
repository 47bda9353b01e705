/*
 * bm25_parts.h: what the files of bm25.h share.
 */
#ifndef RANK_BM25_PARTS_H
#define RANK_BM25_PARTS_H

#include "rank/bm25.h"

struct bm25_term {
	/* idf 0: counts for exact alone; exact_idf 0: does not count for exact */
	float idf, exact_idf;
	size_t first, n;                   /* its streams */
	/* other forms of the term before: of a turn that lacks it */
	bool form;
};

/* postings in ascending order, those before at are done */
struct bm25_stream { size_t at, end; };

/*
 * The first of the postings at ... end - 1, which are one stream's, that is of turn or of one
 * behind it.
 */
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
