/*
 * postings.h: posting lists in pages: built from words, read by term, merged. It does no I/O
 * itself: pages come and go through callbacks.
 *
 * A segment indexes a set of documents (turns), numbered 0, 1, 2 ... in the order of their rows. It
 * is written once and never changed; segments are merged into larger ones (a log-structured merge,
 * as in Lucene). Positions are not stored: what needs them (snippets, proximity) reads the
 * few best texts again. So a posting takes a byte or two.
 *
 *	segment   = document pages (all full but the last), then leaf pages and long pages in
 *	            the order in which they fill up
 *	documents = runs, then info
 *	run       = varint(row - end of the run before) varint(n) kind
 *	            n consecutive rows of one session
 *	info      = u16 little endian for each document: words (12 bits) | flags << 12 (2 bits) |
 *	            role << 14
 *	leaf      = 0, then entries; the first one's term is whole
 *	long page = 1, then a list
 *	entry     = varint(bytes shared with the term before) varint(rest) rest varint(df) where
 *	where     = varint(0) varint(bytes) list
 *	          | varint(n long pages) varint(first long page)
 *	list      = postings; each long page starts from 0 again, so it can be read by itself
 *	posting   = varint(delta << 1 | 1)
 *	            which means tf 1, in the first POSTINGS_HEAD_WORDS words
 *	          | varint(delta << 1) tf << 4 | head [varint(tf - 15)] [varint(head - 15)]
 *	            where a nibble of 15 is followed by the number
 */
#pragma once

#include "base/err.h"
#include "index/lexicon.h"

#define POSTINGS_PAGE_BYTES 4000
#define POSTINGS_HEAD_WORDS 60
#define POSTINGS_MAX_WORDS  4095           /* longer documents count as this long */
#define POSTINGS_LEAF       0              /* first byte of a leaf page */
#define POSTINGS_LONG       1              /* first byte of a page of a long list */

struct posting {
	uint32_t doc;                      /* its number within the segment */
	uint16_t tf;                       /* occurrences of the term in the document */
	/* those in its first POSTINGS_HEAD_WORDS words */
	uint16_t head;
};

struct postings_run {
	int64_t row;
	uint32_t n;
	uint8_t kind;                      /* kind of the session, enum session_kind */
};

/* What is known of a segment besides its pages; the store keeps it. */
struct postings_meta {
	uint32_t n_docs, n_runs, n_doc_pages, n_pages;
	uint64_t n_words;
};

/* The info of a document. flags and role are two bits each, whose meaning is the caller's. */
static inline uint16_t
postings_info_of(unsigned n_words, unsigned flags, unsigned role)
{
	return (uint16_t)(MIN(n_words, (unsigned)POSTINGS_MAX_WORDS) | (flags & 3) << 12 |
	    (role & 3) << 14);
}
static inline unsigned postings_words(uint16_t info) { return info & 0xfff; }
static inline unsigned postings_flags(uint16_t info) { return info >> 12 & 3; }
static inline unsigned postings_role(uint16_t info) { return info >> 14; }

/* Receives a new segment: its pages in the order 0, 1, 2 ..., and the first term of each leaf. */
struct postings_sink {
	int (*page)(void *arg, uint32_t page, const void *data, size_t len, struct err *err);
	int (*leaf)(void *arg, const char *term, size_t len, uint32_t page, struct err *err);
	void *arg;
};

/* Gives the pages of a segment. The bytes are borrowed until the next call. */
struct postings_source {
	int (*page)(void *arg, uint32_t page, const uint8_t **data, size_t *len, struct err *err);
	void *arg;
};

/* ---- making one from words ---- */
struct postings_builder;

/* of is the lexicon that numbers the terms; it is borrowed, and may grow. */
struct postings_builder *postings_builder_new(const struct lexicon *of);
void postings_builder_free(struct postings_builder *b);
/* Adds a document: rows in any order, each once; terms [n] of the lexicon, each once. */
void postings_doc(struct postings_builder *b, int64_t row, const struct tally *terms, size_t n,
	unsigned n_words, unsigned flags, unsigned role);
uint32_t postings_builder_docs(const struct postings_builder *b);
void postings_builder_clear(struct postings_builder *b);       /* removes all documents */
/*
 * The same as postings_doc, for terms that the caller keeps in place until the segment is written.
 */
void postings_doc_kept(struct postings_builder *b, int64_t row, const struct tally *terms, size_t n,
	unsigned n_words, unsigned flags, unsigned role);
/*
 * Adds document no (0, 1 ... in the order of addition) of another builder with the same lexicon,
 * which got it by postings_doc_kept. If all of its documents are added, in that order, and
 * postings_pack was called for it, its packed lists are used; the segment is the same either way.
 */
void postings_doc_of(struct postings_builder *b, int64_t row, const struct postings_builder *before,
	uint32_t no, unsigned n_words, unsigned flags, unsigned role);
/*
 * Packs the lists of all documents, which must have been added in the order of their rows. Takes as
 * long as postings_finish.
 */
void postings_pack(struct postings_builder *b);
/*
 * Writes the segment and empties the builder; the lexicon keeps its terms. kind_of gives the kind
 * of each run. Cost: linear, and a sort of the distinct terms.
 */
int postings_finish(struct postings_builder *b, uint8_t (*kind_of)(void *arg, int64_t row),
	void *kind_arg, const struct postings_sink *to, struct postings_meta *meta,
	struct err *err);

/* ---- reading ---- */
/* ERR_IO: the index is damaged, and what of it. */
int postings_damaged(struct err *err, const char *what);
/*
 * Reads runs [n_runs] and info [n_docs] into the caller's arrays. ERR_IO when they are
 * inconsistent.
 */
int postings_docs(const struct postings_meta *m, const struct postings_source *from,
	struct postings_run *runs, uint16_t *info, struct err *err);
/*
 * The same in two steps, for a caller that wants the info of each run in a place of its own: first
 * the runs, and the byte of the documents at which info starts; then the info of run k into to[k]
 * [runs[k].n].
 */
int postings_runs(const struct postings_meta *m, const struct postings_source *from,
	struct postings_run *runs, uint64_t *info_at, struct err *err);
int postings_info(const struct postings_meta *m, const struct postings_source *from,
	const struct postings_run *runs, uint64_t info_at, uint16_t *const *to, struct err *err);

struct posting_list {
	struct posting *items;             /* owned; grows as needed, reused from term to term */
	size_t n, cap;
};
void posting_list_release(struct posting_list *l);

/*
 * Appends the list of a term. leaf: the last leaf whose first term is not after it, the only one
 * that may hold it. Appends nothing when the term is not there.
 */
int postings_find(const struct postings_meta *m, const struct postings_source *from, uint32_t leaf,
	const char *term, size_t len, struct posting_list *list, struct err *err);

/* The pages besides the leaf that postings_find would read of the term: *n from *first on. */
int postings_pages(const struct postings_meta *m, const struct postings_source *from, uint32_t leaf,
	const char *term, size_t len, uint32_t *first, uint32_t *n, struct err *err);

/* Calls back with each term of a leaf and its df. */
int postings_leaf_terms(const struct postings_meta *m, const struct postings_source *from,
	uint32_t leaf, void (*fn)(void *arg, const char *term, size_t len, uint32_t df), void *arg,
	struct err *err);

/* A cursor over all terms of a segment in order. */
struct postings_cursor;
struct postings_cursor *
postings_cursor_new(const struct postings_meta *m, const struct postings_source *from);
void postings_cursor_free(struct postings_cursor *c);
/*
 * Returns 1 with the next term (borrowed until the next call) and its df, 0 at the end, -1 on
 * error.
 */
int postings_next(struct postings_cursor *c, const char **term, size_t *len, uint32_t *df,
	struct err *err);
/* the leaf that holds the current term */
uint32_t postings_page(const struct postings_cursor *c);
/* appends the current term's list */
int postings_list(struct postings_cursor *c, struct posting_list *list, struct err *err);

/* ---- merging ---- */
struct postings_part {
	struct postings_meta meta;
	struct postings_source from;
	/* may be NULL; called with from's arg when the first n pages will not be asked for again */
	int (*done)(void *arg, uint32_t n, struct err *err);
};
/* What is another in the merged segment; either function may be NULL. */
struct postings_edit {
	bool (*drop)(void *arg, int64_t row);          /* true: the document is left out */
	/* the kind of the row's session, which was `was` */
	uint8_t (*kind)(void *arg, int64_t row, uint8_t was);
	void *arg;
};
/*
 * Writes one segment with the documents of all parts, but for what edit (NULL: nothing) changes.
 * Memory: 12 bytes a document and the longest list. A row that is in two parts is ERR_IO: the index
 * is damaged.
 */
int postings_merge(struct postings_part *parts, size_t n_parts, const struct postings_edit *edit,
	const struct postings_sink *to, struct postings_meta *meta, struct err *err);
