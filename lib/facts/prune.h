/*
 * prune.h: limits kept: facts by one of three policies, sessions and metrics by age (SPEC 4.8).
 */
#ifndef FACTS_PRUNE_H
#define FACTS_PRUNE_H

#include "store/prune.h"

enum prune_policy { PRUNE_FIFO, PRUNE_LEAST_RELEVANT, PRUNE_LRU };
extern const char *const prune_policies[];         /* by enum prune_policy; NULL at the end */
int prune_policy_parse(const char *s);             /* -1 when it is none */

/* ---- the decision, without a store ---- */
struct prune_item {
	int64_t row, used_us;
	double relevance;                          /* to what was said last; any scale */
	bool guarded;
};
/*
 * Which of items [n], given by row, go so that max are left: order [n] their places, the first to
 * go in front. Returns how many. Guarded ones count and never go, so more than max may be left.
 * fifo: by row; lru: by use; least-relevant: by relevance; what is equal by row.
 */
size_t prune_plan(const struct prune_item *items, size_t n, enum prune_policy policy, size_t max,
	uint32_t *order);

/* Importance as it is after so long without use: half every 90 days. */
double prune_decayed(double importance, int64_t unused_us);

/* ---- carried out ---- */
struct prune_options {
	enum prune_policy policy;
	int64_t max;                               /* facts that are left */
	int64_t batch;                             /* facts in a transaction, at most */
	/* relevance counts by importance, which decays */
	bool decay;
	/* sessions whose newest message is older go; TIME_NONE: none */
	int64_t sessions_before_us;
	int64_t metrics_before_us;                 /* TIME_NONE: none */
	bool force;                                /* else nothing is changed */
};

struct prune_fn {
	void (*fact)(void *arg, const char *id);           /* it went, or would */
	/* the same, of what was made of a session */
	void (*made)(void *arg, const char *id);
	void (*session)(void *arg, const char *name, int64_t n_messages, int64_t updated_us);
	void *arg;
};

/* facts there were; the metrics only when they went */
struct prune_counts { int64_t n_facts, n_guarded, n_removed, n_sessions, n_made, n_metrics; };

/*
 * s is open for writing where force is set. Each batch is told after its commit. The bytes of what
 * went have left the file after store_settle.
 */
int prune(struct store *s, const struct scope *who, const struct prune_options *o,
	const struct prune_fn *fn, struct prune_counts *counts, struct err *err);

#endif
