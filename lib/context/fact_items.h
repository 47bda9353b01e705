/*
 * fact_items.h: facts and summaries that answer a question, as items of a context block: they stand
 * before the turns, each kind within its share of the budget.
 */
#pragma once

#include "context/context.h"
#include "search/facts_search.h"
#include "search/search.h"
#include "store/handed.h"

struct fact_items;

/* s and the texts of who are borrowed. */
/* bank: of facts, borrowed; NULL: any */
struct fact_items *fact_items_new(struct store *s, const struct scope *who, const char *bank);
void fact_items_free(struct fact_items *k);

/*
 * Adds the facts that the user protects, that hold and that pass f, the most important first,
 * within a tenth of the budget, whatever is asked. To be called first.
 */
int fact_items_pinned(struct fact_items *k, const struct message_filter *f, struct context *c,
	struct err *err);

/*
 * Keeps the facts and summaries that pass f and answer text well enough, or only those that are
 * likely to; one that several questions find is kept once.
 */
int fact_items_ask(struct fact_items *k, const char *text, size_t len, bool likely,
	const struct message_filter *f, struct err *err);

/*
 * Keeps what was stored on purpose and likely answers the question that was searched last
 * (search/stored.h), but what leaves_out (context_builder.h) refuses.
 */
int fact_items_stored(struct fact_items *k, const struct scope *who, struct search *search,
	const struct search_query *q, const struct search_result *r,
	bool (*leaves_out)(void *arg, const struct message *m, float p), void *arg,
	struct err *err);

/*
 * Keeps a record that the caller found, unless it was retracted or does not pass f; r must live as
 * long as k. A fact that has ended is kept, as it was asked for, and says when it ended. score: 0
 * to 1.
 */
void fact_items_add(struct fact_items *k, const struct fact *r, double score,
	const struct search_query *q);

/*
 * Adds to the block what was kept, the best first: records given by fact_items_add within 30
 * percent of the budget, or nearly all of it when nothing else follows (alone); facts and summaries
 * within 15 percent each. They do not count as turns. Of a summary's lines, unless it is alone,
 * those have their place that share words with what was asked, where some do. Texts live as long as
 * k.
 */
void fact_items_fill(struct fact_items *k, struct context *c, bool alone);

/* After that: appends what became of each. */
void fact_items_handed(const struct fact_items *k, const struct context *c,
	struct handed_list *to);
