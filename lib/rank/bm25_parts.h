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

#endif
