/*
 * segments.h: what is stored of an index: segments of inverted lists, and pages of cards. Private
 * to lib/store.
 */
#pragma once

#include "index/corpus.h"
#include "index/postings.h"
#include "index/turn_features_pages.h"
#include "store/index.h"
#include "store/sql/handle.h"

/*
 * The two bits of a turn's card that the lists have too, so that candidates are compared without
 * reading cards.
 */
static inline unsigned index_flags(const struct card *c)
{
	return (c->flags & CARD_QUESTION ? CORPUS_QUESTION : 0) |
	    (c->numbers > 0 ? CORPUS_NUMBER : 0);
}

static inline enum corpus_role
index_role(enum role r)
{
	return r == ROLE_USER ? CORPUS_USER
	    : r == ROLE_ASSISTANT ? CORPUS_ASSISTANT
	    : r == ROLE_TOOL ? CORPUS_TOOL : CORPUS_OTHER;
}

/* ---- cards.c ---- */
/* Reads a page of cards, which lasts until the next one is read. out->n is 0 if there is none. */
int cards_page(struct store *s, int64_t id, struct cards *out, struct err *err);
void cards_done(struct store *s);              /* that page is not needed any more */
/* Reads many pages of a user, fastest in order of ids. */
struct cards_walk {
	struct store *store;
	int64_t hi;                            /* user_hi */
	struct db_stmt *rows;                    /* NULL: it stands on no row */
	/* the id of the row that it stands on, and the id asked for last */
	int64_t id, asked;
};
int cards_next(struct cards_walk *w, int64_t id, struct cards *out, struct err *err);
void cards_end(struct cards_walk *w);
/* n: 1 to CARDS_A_PAGE */
int cards_put(struct store *s, int64_t id, const struct card *c, size_t n, struct err *err);
/* Packs the pages of a store from before version 10, which have 32 bytes a card. */
int cards_pack_all(struct store *s, struct err *err);

/* ---- fulltext.c ---- */
int fulltext_add(struct store *s, int64_t user, struct postings_builder *b,
	uint8_t (*kind_of)(void *, int64_t), void *kind_arg, struct err *err);
/*
 * Writes the segments of the user's index anew of which the edit changes something. Both of its
 * functions are there.
 */
int fulltext_edit(struct store *s, int64_t user, const struct postings_edit *edit,
	struct err *err);

/* One segment, whose pages can be read. */
struct segment {
	struct postings_meta meta;
	int64_t user, no, first;
	struct store *store;
	uint32_t n_gone;                       /* pages that a merge deleted, from the first on */
};
/* The user's segments, in an array [*n] that the caller frees. */
int segments_of(struct store *s, int64_t user, struct segment **out, size_t *n, struct err *err);
struct postings_source segment_source(struct segment *g);
/*
 * Finds the leaf that may hold a term. 1: *page; 0: the term comes before all of the segment's; -1.
 */
int segment_leaf(struct segment *g, const char *term, size_t len, uint32_t *page, struct err *err);
/*
 * Calls fn for the pages of leaves that may hold terms with the prefix [len]; len 0: of all. -1
 * stops.
 */
int segment_leaves(struct segment *g, const char *prefix, size_t len,
	int (*fn)(void *arg, uint32_t page, struct err *err), void *arg, struct err *err);
/*
 * Calls fn for all terms of the leaves that may hold terms with the prefix; len 0: of all leaves.
 */
int segment_terms(struct segment *g, const char *prefix, size_t len,
	void (*fn)(void *arg, const char *term, size_t len, uint32_t df), void *arg,
	struct err *err);
/* Declares what segment_leaf will read for the term. */
int segment_want(struct segment *g, const char *term, size_t len, struct err *err);
/* Declares what segment_leaves will read for the prefix. */
int segment_want_terms(struct segment *g, const char *prefix, size_t len, struct err *err);
/* Declares n pages from first on. */
int segment_want_pages(struct segment *g, uint32_t first, uint32_t n, struct err *err);
/* Appends the posting list of a term, or nothing if the segment does not have it. */
int segment_find(struct segment *g, const char *term, size_t len, struct posting_list *list,
	struct err *err);

/* ---- index.c: a user's index in memory ---- */
/* documents doc .. doc+n-1 of a segment are turns turn .. */
struct mapped { uint32_t doc, n, turn; };

struct index {
	struct store *store;
	struct corpus corpus;
	int64_t user;
	/* db_version and our own commits that it was made at; -1: it is not made */
	int64_t version, commits;
	char *name;                            /* of the user */
	struct segment *segments;
	size_t n_segments;
	struct mapped **maps;                  /* [n_segments] ascending by doc, n 0 at the end */
	uint64_t stamp;
	int taken_as;                      /* a kind of session + 1; 0: each is its own */
	bool open;
};

/* Declares (store/db.h) the pages of the cards of turns [n], ascending. */
int index_want_cards(struct index *x, const uint32_t *turns, size_t n, struct err *err);
