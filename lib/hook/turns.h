/*
 * turns.h: turns that a block needs beside those that were found: the reply to a question, what the
 * user said to a reply, the last turns of a session.
 */
#pragma once

#include "context/context.h"

struct turns {
	struct store *store;
	struct scope who;          /* user and agent */
	struct context *block;
	struct arena *arena;       /* what is added lives there */
	/* whether a turn may not be told */
	bool (*leaves_out)(void *arg, const struct message *m);
	void *arg;
};

/*
 * Adds, while there is room, to each turn that is in the block what it says little without: to a
 * question and to what a user reported the reply; to a question with its reply, and to a reply that
 * asks, what the user says next, unless that is another question. Beginnings of them.
 */
int turns_add_replies(const struct turns *t, struct err *err);

/*
 * Adds the last exchanges of a session, the newest first while there is room: what the user said,
 * and the last words of the assistant after it.
 */
int turns_add_last(const struct turns *t, const char *session, struct err *err);
