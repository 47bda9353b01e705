/*
 * open_todo.h: whether a todo is surely open: the user said that it is to be done
 * (statement/statement.h) or has it in a list of tasks, not ticked, and nothing later says that it
 * was done, or that it need not be. What an assistant says it will do is none.
 */
#pragma once

#include "search/search.h"
#include "store/records.h"

/* Whether the text, of a user, says that something is to be done yet. */
bool todo_said(const char *text, size_t len);

/* The turn that says it; row 0: none. */
struct todo_turn { int64_t row, turn, time_us; const char *session, *project; };
/*
 * Whether a todo is open: closed where somebody says later that it is done or need not be;
 * doubtful where the user spoke later of its thing, and said neither that nor that it is still to
 * be done. Who tells of what is open unasked tells what is doubtful with what was said.
 */
enum todo_state { TODO_OPEN, TODO_DOUBTFUL, TODO_CLOSED };
/*
 * By later turns. *search: of the user, opened by the first todo that asks for it and then kept.
 * Cost: a search by words.
 */
int todo_later(struct store *s, struct search **search, const struct scope *who, const char *text,
	size_t len, const struct todo_turn *said, enum todo_state *state, struct err *err);

/* by: receives the newest turn that makes a todo doubtful, in the arena; NULL: none does. */
struct todo_doubt { struct arena *arena; const struct message *by; };
/*
 * What says that it is done is looked for in all that the user has: work of one project is told in
 * another, too. Whoever lists what is open asks this. doubt: NULL: not wanted. Cost: a search by
 * words, for what a user said alone.
 */
int open_todo(struct store *s, struct search **search, const struct scope *who,
	const struct fact *f, enum todo_state *state, struct todo_doubt *doubt, struct err *err);

/*
 * Whether a todo was ended: by what was stored later, or by hand. One that earlier versions ended
 * with the day by which its own words want it done is overdue, and not ended. Who asks open_todo
 * of what holds now reads such ones, too (RECORDS_ENDED).
 */
bool todo_ended(const struct fact *f);

/*
 * Whether a fact is a todo that is done, or need not be, though nothing has ended it: what lists
 * facts that hold asks this. Where nobody has said so it holds. Cost: as open_todo; of other facts
 * nothing.
 */
int todo_done(struct store *s, struct search **search, const struct scope *who,
	const struct fact *f, bool *done, struct err *err);
