/*
 * postings_page.h: the page writer that building and merging share. Private to
 * lib/text/postings_*.c.
 */
#ifndef INDEX_POSTINGS_PAGE_H
#define INDEX_POSTINGS_PAGE_H

#include "index/postings.h"
#include "text/words.h"

#define POSTING_BYTES_MAX 16

struct page_writer {
	const struct postings_sink *to;
	uint32_t n_pages;
	size_t n_leaf, n_list;
	char leaf[2 * POSTINGS_PAGE_BYTES];                    /* being filled */
	char list[POSTINGS_PAGE_BYTES + POSTING_BYTES_MAX];    /* being packed */
	/* of the page of the list: the next number counts from here */
	uint32_t last_doc;
	/* of the list: no document to come is before it */
	uint64_t next_doc;
	uint32_t n_long;                                       /* pages of the list so far */
	char first[WORDS_TERM_BYTES], last[WORDS_TERM_BYTES];
	size_t first_len, last_len;
};

void page_writer_init(struct page_writer *w, const struct postings_sink *to);
int page_writer_docs(struct page_writer *w, const struct postings_run *runs, uint32_t n_runs,
	const uint16_t *info, uint32_t n_docs, struct err *err);
/* More postings of the list at hand: p [n] ascending by document. */
int page_writer_postings(struct page_writer *w, const struct posting *p, size_t n, struct err *err);
/*
 * The same of [p, end), a list or a page of one as it stands in a segment of n_docs documents, all
 * numbers higher by shift: cheaper than unpacking it. Adds to *n how many there are. ERR_IO when it
 * is damaged.
 */
int page_writer_packed(struct page_writer *w, const uint8_t *p, const uint8_t *end, uint32_t shift,
	uint32_t n_docs, uint64_t *n, struct err *err);
/*
 * Ends the list at hand, of df documents: it is the term's. Terms in ascending order of their
 * bytes.
 */
int
page_writer_term(struct page_writer *w, const char *term, size_t len, size_t df, struct err *err);
int page_writer_end(struct page_writer *w, struct err *err);

/* ---- of the reader ---- */
int postings_damaged(struct err *err, const char *what);
/* The counts of a posting; returns what is after them, NULL when they are damaged. */
const uint8_t *posting_counts(const uint8_t *p, const uint8_t *end, struct posting *o);
/* The current term's list into w, its documents' numbers higher by shift. */
int
postings_copy(struct postings_cursor *c, uint32_t shift, struct page_writer *w, struct err *err);

#endif
