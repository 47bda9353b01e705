/*
 * fact_items.h: facts and summaries that answer a question, as items of a context block: in front
 * of what was said, each kind in its share of the budget.
 */
#ifndef CONTEXT_FACT_ITEMS_H
#define CONTEXT_FACT_ITEMS_H

#include "context/context.h"
#include "search/facts_search.h"

struct fact_items;

/* s and the scope's texts are borrowed. */
struct fact_items *fact_items_new(struct store *s, const struct scope *who);
void fact_items_free(struct fact_items *k);

/*
 * Facts that the user protects and that hold, the most important first, in a tenth of the budget:
 * they are there whatever is asked. To be called first. f: those that pass it.
 */
int fact_items_pinned(struct fact_items *k, const struct message_filter *f, struct context *c,
	struct err *err);

/*
 * Keeps those that answer text well enough; of two questions that find the same one it is kept
 * once. f: those that pass it.
 */
int fact_items_ask(struct fact_items *k, const char *text, size_t len,
	const struct message_filter *f, struct err *err);

/*
 * One that somebody else has found, unless it was retracted or does not pass f; r lives as long as
 * k. A fact that has ended says so, as it was asked for all the same. score: 0-1.
 */
void fact_items_add(struct fact_items *k, const struct fact *r, double score,
	const struct message_filter *f);

/*
 * Puts them into the block, better ones first: those that were added in 30 in a hundred of the
 * budget, or nearly all of it when nothing else is to come (alone); facts and summaries in 15 in a
 * hundred each. They are no turns. What is in lives as long as k.
 */
void fact_items_fill(const struct fact_items *k, struct context *c, bool alone);

#endif
