/*
 * search_steps.h: searches that go step by step and stop when they have enough: the strategies
 * ladder and progressive.
 */
#ifndef SEARCH_SEARCH_STEPS_H
#define SEARCH_SEARCH_STEPS_H

#include "search/facts_search.h"
#include "search/search.h"
#include "store/categories.h"

#define STEPS_MOST 5

struct step_hit {
	enum tier tier;
	/*
	 * progressive: calibrated similarity; without vectors BM25: of a message as a share of the
	 * best of its step, else of the question's words. ladder: the same of a summary; of a
	 * message the probability that it answers.
	 */
	double score;
	size_t place;                      /* ladder: where it stands among all, ascending */
	const struct category *category;   /* in the arena; NULL: it is none */
	/* record NULL: it is a message, or a category, of which again alone counts */
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
	/* "enough", "limit" or "end": nothing was left to search */
	const char *stopped;
	/* of the searches among messages: question, times, what they lacked; without hits */
	struct search_result said;
};

struct steps_in {
	struct store *store;
	struct search *search;
	struct facts_search *tiers;
	const struct search_query *q;
	const struct record_filter *known;             /* for what is no message */
	unsigned tiers_in;                             /* that may be searched, as bits */
};

bool search_in_steps(const char *strategy);

/*
 * Messages and records are in the arena; said.question is the search's until its next run.
 * Settings: ladder_few, progressive_*.
 */
int steps_run(const struct steps_in *in, const struct scope *who, struct arena *a,
	struct steps_result *out, struct err *err);

/*
 * A category as a hit: type, rank, id, user, time, origin, trust, score, bm25, tier, kind, content
 * (its name, or its keywords).
 */
void
steps_category_record(struct buf *out, const char *user, const struct step_hit *h, size_t rank);

/* What was done: type, user, strategy, tiers (name, results, ms), stopped. */
void
steps_record(struct buf *out, const char *user, const char *strategy, const struct steps_result *r);

#endif
