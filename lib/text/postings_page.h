/*
 * postings_page.h: the page writer that building and merging share. Private to lib/text/postings_*.c.
 */
#ifndef TEXT_POSTINGS_PAGE_H
#define TEXT_POSTINGS_PAGE_H

#include "text/postings.h"
#include "text/words.h"

#define POSTING_BYTES_MAX 16

struct page_writer {
	const struct postings_sink *to;
	uint32_t n_pages;
	size_t n_leaf, n_list;
	char leaf[2 * POSTINGS_PAGE_BYTES];                    /* being filled */
	char list[POSTINGS_PAGE_BYTES + POSTING_BYTES_MAX];    /* being packed */
	char first[WORDS_TERM_BYTES], last[WORDS_TERM_BYTES];
	size_t first_len, last_len;
};

void page_writer_init(struct page_writer *w, const struct postings_sink *to);
int page_writer_docs(struct page_writer *w, const struct postings_run *runs, uint32_t n_runs, const uint16_t *info, uint32_t n_docs,
		     struct err *err);
/* Terms in ascending order of their bytes; p [n] ascending by document. */
int page_writer_term(struct page_writer *w, const char *term, size_t len, const struct posting *p, size_t n, struct err *err);
int page_writer_end(struct page_writer *w, struct err *err);

#endif
