/*
 * stale.h: what was made of messages and facts, and would come out otherwise if it were made today:
 * make(1) for a memory. Facts that rules extracted, summaries of sessions and of facts.
 *
 * A summary by rules is made again and compared, one by a language model is stale when what it was
 * made of has changed since or another model is configured; asking the model only to compare would
 * give other words each time. What somebody changed by hand is nobody's to make again.
 */
#pragma once

#include "summary/summarize.h"

struct stale {
	const struct fact *was;
	/* what would come out; NULL: nothing would, or only the model that made it can tell */
	const struct fact *now;
	bool by_model;                         /* a language model made it */
	const char *why;
};
/* Returns 0 to go on, another value to stop; negative for -1. Its argument lasts for the call. */
typedef int stale_fn(void *arg, const struct stale *v);

struct stale_counts {
	size_t n;                              /* that were told */
	size_t n_unknown;                      /* derived facts that do not say what made them */
};

/*
 * all: facts that today's rules made are extracted again, too, so that a difference is a fault of
 * the rules or of the store. Cost: reads the sessions of whatever is made again.
 */
int stale_each(struct store *s, const struct scope *who, bool all, stale_fn *fn, void *arg,
	struct stale_counts *counts, struct err *err);

/*
 * Makes again just what is stale, one transaction and one step each, so that each can be taken
 * back; what would not come out any more is retracted. l is asked for what a model made; NULL: that
 * stays as it is. fn is called after each commit. The store must be open for writing.
 */
int stale_repair(struct store *s, const struct scope *who, struct llm *l, stale_fn *fn, void *arg,
	struct stale_counts *counts, struct err *err);

/* Writes a record of type stale: id, user, session, of, why, content, now. */
void record_stale(struct buf *out, const char *user, const struct stale *v);
