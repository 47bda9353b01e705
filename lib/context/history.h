/*
 * history.h: a conversation so far, as a context block: its last turns and a summary of the older
 * ones.
 */
#pragma once

#include "context/context.h"
#include "search/search.h"

enum history_kind {
	/*
	 * A summary of the older turns, and the last HISTORY_TURNS turns, or as many as the block's
	 * max_turns.
	 */
	HISTORY_SUMMARY,
	/*
	 * system messages and important turns, the last turns that fit, and a summary of the others
	 */
	HISTORY_HYBRID
};
#define HISTORY_TURNS 20

/*
 * Fills c with the session of who, or the newest session when it names none. The stored summary is
 * used where it covers the turns left out (mem-summarize); otherwise one is made by rules. No model
 * is asked. Texts in the block are allocated in a.
 */
int history_fill(struct store *s, const struct scope *who, const struct message_filter *f,
	enum history_kind kind, struct context *c, struct arena *a, struct err *err);

/*
 * Adds only a summary of the whole session of who, the stored one where it covers the session, with
 * at most what is left of the budget.
 */
int history_summary(struct store *s, const struct scope *who, const struct message_filter *f,
	struct context *c, struct arena *a, struct err *err);

/*
 * What weighs most in what a user said, 0 to 1, and the clause of m that says so; 0: nothing that
 * lasts. From HISTORY_IMPORTANT on a block by HISTORY_HYBRID keeps the turn, and the first such
 * clause is taken.
 */
#define HISTORY_IMPORTANT 0.7
struct importance { double weight; size_t start, len; };
struct importance message_importance(const struct message *m);
