/*
 * changed.h: whether a later text says that what an earlier one says is otherwise now: "we change
 * our mind: move the orders to the new database", "the dinner is at Sole instead". Nothing is ended
 * by that: who reads both sees which is the newer one.
 *
 * A sentence of the later one must be about the same as one of the earlier, and say in so many
 * words that it is otherwise (schema/cues/ends.txt), or go "from X to Y", or move to a figure or a
 * name that the earlier one does not have.
 */
#ifndef STATEMENT_CHANGED_H
#define STATEMENT_CHANGED_H

#include "base/base.h"

struct changed_text { const char *text; size_t len; };

/*
 * Which of the earlier texts [n] the later one changes, and by which sentence: *start, *size, bytes
 * of it. n: none. Cost: a look at each word of the later one, and of the others where it speaks of
 * a change.
 */
size_t changed_which(const struct changed_text *earlier, size_t n, const char *text, size_t len,
	size_t *start, size_t *size);

/* The same, only by what makes a conflict of two facts: it drops a decision, or changed_named. */
size_t changed_surely(const struct changed_text *earlier, size_t n, const char *text, size_t len);

/*
 * Whether the later one says so of the earlier and names what was: "no longer", "instead of Redis",
 * "from Redis to Postgres". That both hold is hardly so.
 */
bool changed_named(const struct changed_text *earlier, const char *text, size_t len);

#endif
