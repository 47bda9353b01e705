/*
 * postings_page.h: the page writer, shared by building and merging. Private to
 * lib/index/postings_*.c.
 */
#pragma once

#include "index/postings.h"
#include "text/words.h"

#define POSTING_BYTES_MAX 16

struct page_writer {
	const struct postings_sink *to;
	uint32_t n_pages;
	size_t n_leaf, n_list;
	char leaf[2 * POSTINGS_PAGE_BYTES];                    /* the leaf being filled */
	/* the list, or page of a list, being packed */
	char list[POSTINGS_PAGE_BYTES + POSTING_BYTES_MAX];
	/* the last document on the list's current page, from which the next delta counts */
	uint32_t last_doc;
	/* no further document of the list may be below this */
	uint64_t next_doc;
	/* complete pages of the list so far */
	uint32_t n_long;
	char first[WORDS_TERM_BYTES], last[WORDS_TERM_BYTES];
	size_t first_len, last_len;
};

void page_writer_init(struct page_writer *w, const struct postings_sink *to);
int page_writer_docs(struct page_writer *w, const struct postings_run *runs, uint32_t n_runs,
	const uint16_t *info, uint32_t n_docs, struct err *err);
/* Appends postings p [n], ascending by document, to the current list. */
int page_writer_postings(struct page_writer *w, const struct posting *p, size_t n, struct err *err);
/*
 * The same for packed postings [p, end), a list or a page of one from a segment of n_docs
 * documents; all document numbers grow by shift. Cheaper than unpacking. Adds to *n how many there
 * are. ERR_IO when they are damaged.
 */
int page_writer_packed(struct page_writer *w, const uint8_t *p, const uint8_t *end, uint32_t shift,
	uint32_t n_docs, uint64_t *n, struct err *err);
/*
 * Ends the current list, which has df documents, and stores it under the term. Terms must come in
 * ascending byte order.
 */
int
page_writer_term(struct page_writer *w, const char *term, size_t len, size_t df, struct err *err);
int page_writer_end(struct page_writer *w, struct err *err);

/* ---- of the reader ---- */
/* Reads the counts of a posting; returns what follows them, NULL when they are damaged. */
const uint8_t *posting_counts(const uint8_t *p, const uint8_t *end, struct posting *o);
/* Copies the current term's list to w; its document numbers grow by shift. */
int
postings_copy(struct postings_cursor *c, uint32_t shift, struct page_writer *w, struct err *err);
