/*
 * changed.h: a later turn that says that what an earlier one says is otherwise now: "we change our
 * mind: move the orders to the new database", "the dinner is at Sole instead". Who is told
 * the earlier one has to be told that turn, too, however unlikely a hit it is.
 */
#ifndef CONTEXT_CHANGED_H
#define CONTEXT_CHANGED_H

#include "context/context.h"
#include "search/search.h"

struct changes_want {
	struct search *search;
	struct scope who;
	/* whether a turn may not be told; NULL: none */
	bool (*leaves_out)(void *arg, const struct message *m);
	void *arg;
	struct arena *arena;
};

/*
 * Adds, while there is room, what changes the first items of the block from item `from` on, all of
 * a short turn, of others the sentence: one behind the item in time that a person said, with a word
 * for a change (schema/cues/ends.txt), or "from X to Y" of an X that stands in the item, and with
 * enough of its words to be about the same. The turns live in the arena. Ends the result of the
 * last search_run.
 *
 * Items but the first are looked at where they state something (statement/statement.h).
 *
 * Cost: for each item, two at most, a search of words, and a look at each word of its first hits.
 */
int changes_add(const struct changes_want *w, struct context *block, size_t from, struct err *err);

#endif
