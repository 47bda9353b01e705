/*
 * search_steps.h: the strategies ladder and progressive, which search step by step and stop when
 * they have enough.
 */
#pragma once

#include "search/facts_search.h"
#include "search/search.h"
#include "store/categories.h"

#define STEPS_MOST 5

struct step_hit {
	enum tier tier;
	/*
	 * of a message the probability that it answers; of a fact that of the message that it rests
	 * on, or, of others too, the calibrated similarity, without vectors the share of the
	 * question's words that it has, where that is more
	 */
	double score;
	size_t place;                      /* ladder: hits are ordered by it, ascending */
	const struct category *category;   /* in the arena; NULL: the hit is no category */
	/*
	 * when known.record is NULL the hit is a message (said), or a category, of which only
	 * known.again is used
	 */
	struct tier_hit known;
	struct search_hit said;
};

struct step_tier { const char *name; size_t n; int64_t us; };

struct steps_result {
	struct step_hit *hits;             /* [n], best first; in the arena */
	size_t n;
	/* [n_tiers] that were searched, and how many new hits each gave */
	struct step_tier tiers[STEPS_MOST];
	size_t n_tiers;
	/* "enough", "limit" or "end", when nothing was left that could find more */
	const char *stopped;
	/*
	 * what the searches of messages have in common: question, times, what they lacked; no hits
	 */
	struct search_result said;
};

struct steps_in {
	struct store *store;
	struct search *search;
	struct facts_search *tiers;
	const struct search_query *q;
	const struct record_filter *known;             /* filter for facts, notes and summaries */
	unsigned tiers_in;                             /* tiers that may be searched, as bits */
};

bool search_in_steps(const char *strategy);

/*
 * Searches. Messages and records are in the arena; said.question belongs to the search until its
 * next run. Settings: ladder_few, progressive_*.
 */
int steps_run(const struct steps_in *in, const struct scope *who, struct arena *a,
	struct steps_result *out, struct err *err);

/*
 * Writes a category as a hit: type, rank, id, user, time, origin, trust, score, bm25, tier, kind,
 * content (its name, or its keywords).
 */
void
steps_category_record(struct buf *out, const char *user, const struct step_hit *h, size_t rank);

/* Writes what was done: type, user, strategy, tiers (name, results, ms), stopped. */
void
steps_record(struct buf *out, const char *user, const char *strategy, const struct steps_result *r);
