/*
 * index_parts.h: a user's index in memory. Private to lib/store/index: index.c loads it and
 * declares what will be read, index_read.c reads.
 */
#ifndef STORE_INDEX_INDEX_PARTS_H
#define STORE_INDEX_INDEX_PARTS_H

#include "store/index.h"
#include "store/sql/handle.h"
#include "store/index/segments.h"

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

/* ---- index.c ---- */
/* Declares (store/db.h) the pages of the cards of turns [n], ascending. */
int index_want_cards(struct index *x, const uint32_t *turns, size_t n, struct err *err);

#endif
