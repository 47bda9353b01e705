/*
 * open_todo.h: whether a todo is surely open: the user said that it is to be done
 * (schema/cues/todo.txt), and nothing later says that it was done, or that it need not be. What an
 * assistant says it will do is none.
 */
#ifndef HOOK_OPEN_TODO_H
#define HOOK_OPEN_TODO_H

#include "search/search.h"
#include "store/records.h"

/*
 * *search: of the scope, opened by the first todo that asks for it and then kept. Cost: a search by
 * words, for what a user said alone.
 */
int open_todo(struct store *s, struct search **search, const struct scope *who,
	const struct fact *f, bool *open, struct err *err);

#endif
