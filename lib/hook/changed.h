/*
 * changed.h: a value that a later turn says was changed: "from 100 to 120", "120 instead of 100".
 * A block that tells the old value has to tell that turn, too, however unlikely a hit it is.
 */
#ifndef HOOK_CHANGED_H
#define HOOK_CHANGED_H

#include "context/context.h"

#define CHANGES_MOST 8

/*
 * Whether the turn tells a number, and does not itself say that it was changed; text: the first
 * number with the words around it, by which its change is looked for.
 */
bool changes_may(const struct message *m, const char **text, size_t *len);

/* Turns that were found and say that a number was changed. */
struct changes { const struct message *turn[CHANGES_MOST]; size_t n; };

/* Keeps a copy of the turn in the arena where it says so and there is room. */
void changes_note(struct changes *c, const struct message *m, struct arena *a);

/*
 * Adds to the block, while there is room, those that change a number of an earlier turn in it about
 * the same: one that has the old number and two more of the later turn's words.
 */
void changes_add(const struct changes *c, struct context *block);

#endif
