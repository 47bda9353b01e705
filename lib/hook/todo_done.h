/*
 * todo_done.h: whether a fact is a todo that a later turn says was done, or need not be
 * (hook/open_todo.h): it holds no more, though nothing has ended it. One of which nobody knows
 * holds.
 */
#ifndef HOOK_TODO_DONE_H
#define HOOK_TODO_DONE_H

#include "search/search.h"
#include "store/records.h"

/* *search: as for open_todo. Cost: of a todo a search by words, of others nothing. */
int todo_done(struct store *s, struct search **search, const struct scope *who,
	const struct fact *f, bool *done, struct err *err);

#endif
