/*
 * handles.h: the hits of the last search on a terminal, so that "mem-show 2" there shows the second
 * one: a file a terminal in $XDG_STATE_HOME/mem/hits, with ids and no words.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"

/* Adds a line for the hit of that rank to a list that is empty at first. */
void handles_add(struct buf *list, size_t rank, const char *id);

/*
 * Keeps the list in the place of the one before, which goes in any case. What cannot be kept is
 * not: no search fails for it. Nothing is kept where there is no terminal.
 */
void handles_keep(const struct buf *list, const char *user);

/*
 * The id of the hit that a number names, in the arena; NULL: it is no number, there was no search
 * on this terminal today, it was of another store or user, or it had no such hit.
 */
const char *handles_find(const char *number, const char *user, struct arena *a);
