/*
 * history.h: a conversation so far, as a context block: its last turns and what the older ones came
 * to (SPEC 4.4).
 */
#ifndef CONTEXT_HISTORY_H
#define CONTEXT_HISTORY_H

#include "context/context.h"
#include "search/search.h"

enum history_kind {
	/* a summary of the older turns, and the last HISTORY_TURNS, or the block's max_turns */
	HISTORY_SUMMARY,
	/*
	 * system messages and important turns, the last turns that fit, and a summary of the others
	 */
	HISTORY_HYBRID
};
#define HISTORY_TURNS 20

/*
 * Of the session of who, else of the newest one. The summary is the stored one where that covers
 * what is left out (mem-summarize), else made here by rules; no model is asked. What is in the
 * block is in the arena.
 */
int history_fill(struct store *s, const struct scope *who, const struct message_filter *f,
	enum history_kind kind, struct context *c, struct arena *a, struct err *err);

#endif
