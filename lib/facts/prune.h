/*
 * prune.h: keeps the store within its limits: the number of facts by one of three policies,
 * sessions and metrics by age.
 */
#pragma once

#include "store/prune.h"

enum prune_policy { PRUNE_FIFO, PRUNE_LEAST_RELEVANT, PRUNE_LRU };
extern const char *const prune_policies[];         /* by enum prune_policy; NULL at the end */
int prune_policy_parse(const char *s);             /* -1: no such policy */

/* ---- the decision: no store needed ---- */
struct prune_item {
	int64_t row, used_us;
	double relevance;                          /* to what was said last, on any scale */
	bool guarded;
	enum prunable_worth worth;
};
/*
 * Chooses which of items [n], given by ascending row, are removed so that max are left. order [n]
 * receives their places, the first to go in front; returns how many. Protected (guarded) items
 * count towards max but are never chosen, so more than max may be left. fifo chooses by row, lru by
 * time of use, least-relevant by relevance; ties go by row.
 */
size_t prune_plan(const struct prune_item *items, size_t n, enum prune_policy policy, size_t max,
	uint32_t *order);

/* Importance after unused_us without use: it halves every 90 days. */
double prune_decayed(double importance, int64_t unused_us);

/* ---- carrying it out ---- */
struct prune_options {
	enum prune_policy policy;
	int64_t max;                               /* facts that may stay */
	int64_t batch;                             /* facts in a transaction, at most */
	/* multiplies relevance by the importance, which decays */
	bool decay;
	/* removes sessions whose newest message is older; TIME_NONE: none */
	int64_t sessions_before_us;
	int64_t metrics_before_us;                 /* TIME_NONE: none */
	bool force; /* without it, nothing is changed and the callbacks report what would go */
};

struct prune_fn {
	void (*fact)(void *arg, const char *id);           /* a fact that went, or would go */
	/* a record made of a session that went, or would go */
	void (*made)(void *arg, const char *id);
	void (*session)(void *arg, const char *name, int64_t n_messages, int64_t updated_us);
	void *arg;
};

/* n_facts: before the removal; n_metrics: 0 unless force is set */
struct prune_counts { int64_t n_facts, n_guarded, n_removed, n_sessions, n_made, n_metrics; };

/*
 * With force, s must be open for writing. Each batch is reported after its commit. The bytes of
 * what was removed leave the file only at the next store_settle.
 */
int prune(struct store *s, const struct scope *who, const struct prune_options *o,
	const struct prune_fn *fn, struct prune_counts *counts, struct err *err);

/* Removes facts beyond the setting facts_max, by the other settings; *n: how many. */
int prune_to_limit(struct store *s, const struct scope *who, int64_t *n, struct err *err);
