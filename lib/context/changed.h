/*
 * changed.h: a later turn that says that what an earlier one says is otherwise now: "we change our
 * mind: move the orders to the new database", "the dinner is at Sole instead". Who is told
 * the earlier one has to be told that turn, too, however unlikely a hit it is.
 */
#ifndef CONTEXT_CHANGED_H
#define CONTEXT_CHANGED_H

#include "context/context.h"
#include "search/search.h"

#define CHANGES_HITS 40

/* The turns among which changes are sought, the best first; borrowed. */
struct changes_hits { const struct message *of[CHANGES_HITS]; size_t n; };

/* Adds one, while there is room. */
void changes_hit(struct changes_hits *hits, const struct message *m);

struct changes_want {
	struct search *search;             /* NULL: only the hits are looked at */
	struct scope who;
	const struct changes_hits *hits;   /* NULL: no question was searched for */
	/* whether a turn may not be told; NULL: none */
	bool (*leaves_out)(void *arg, const struct message *m);
	void *arg;
	struct arena *arena;
};

/*
 * Adds, while there is room, what changes the first items of the block from item `from` on
 * (statement/changed.h), all of a short turn, of others the sentence: of the hits behind the item
 * in time that a person said.
 *
 * Where no hit changes the first item that has a figure or is labelled as decided, or there are no
 * hits, turns are looked at that share words with it; this ends the result of the last search.
 *
 * Cost: a look at each word of the hits that users said, and at most one search_shared.
 */
int changes_add(const struct changes_want *w, struct context *block, size_t from, struct err *err);

#endif
