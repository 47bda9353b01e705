/* bm25_parts.h: shared by bm25.c and bm25_terms.c. */
#pragma once

#include "rank/bm25.h"

struct bm25_term {
	/* idf 0: counts only in `exact`; exact_idf 0: does not count in `exact` */
	float idf, exact_idf;
	size_t first, n;                   /* its streams are first .. first + n - 1 */
	/* holds other forms of the preceding term, of turns that lack the term itself */
	bool form;
};

/* Postings in ascending order; those before `at` have been scored. */
struct bm25_stream { size_t at, end; };

/*
 * Returns the first of the postings at .. end - 1, which belong to one stream, whose turn is at
 * least `turn`.
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
