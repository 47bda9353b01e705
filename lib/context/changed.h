/*
 * changed.h: the later turns that name what an earlier one says: who is told "parcels go with GLS"
 * has to be told "GLS broke a bow. never again. back to DHL", too, however unlikely a hit it is.
 */
#pragma once

#include "context/context.h"

#define CHANGES_HITS 2

/* The first turns that were found, and that may go into the block; borrowed. */
struct changes_hits { const struct message *of[CHANGES_HITS]; size_t n; };

/* Adds one, while there is room; a tool says nothing that is decided. */
void changes_hit(struct changes_hits *hits, const struct message *m);

struct changes_want {
	struct store *store;
	struct search *search;             /* between questions; NULL: nothing is added */
	struct scope who;
	const struct changes_hits *hits;   /* only items that are among these; NULL: all */
	/* whether a turn may not be told; NULL: none */
	bool (*leaves_out)(void *arg, const struct message *m);
	void *arg;
	struct arena *arena;
};

/*
 * Adds, while there is room, what users said later of the first items of the block from item `from`
 * on, at most two turns an item: those that share its rarest words, whether they change anything or
 * not. A long turn gives the part that has them.
 *
 * Cost: that of mentions_find for each of three items, and the words of the turns that they find.
 */
int changes_add(const struct changes_want *w, struct context *block, size_t from, struct err *err);
