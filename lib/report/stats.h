/* stats.h: figures of a user's memory and of the searches in it. */
#pragma once

#include "store/store.h"

/*
 * The figures of the searches of a span of time. Times are of each stage, in the order of struct
 * metric.
 */
enum stats_stage {
	STAGE_OPEN,
	STAGE_TEXT,
	STAGE_VECTORS,
	STAGE_RANK,
	STAGE_FETCH,
	STAGE_ALL,
	N_STAGES
};

struct stats_searches {
	size_t n;
	size_t n_with_hits;
	int64_t n_hits;
	/* [n] each, owned; sorted only by stats_percentile */
	uint32_t *us[N_STAGES];
	size_t cap[N_STAGES];
};

/* One figure. A value that is unknown is NAN. Where unit is "time", the value is time_us. */
struct stats_line {
	const char *name;
	double value;
	int64_t time_us;
	const char *unit;                  /* count, bytes, share, ms, time */
};
typedef int stats_fn(void *arg, const struct stats_line *l);
/* Appends its value for people. */
void stats_value(struct buf *out, const struct stats_line *l);

/*
 * Writes a metric row of a program that does not search, such as
 * "pruned_facts=3,pruned_sessions=1"; report.h sums these up. Errors are ignored. Not to be called
 * in a transaction. Writes nothing when the setting touch is no.
 */
void stats_job(struct store *s, const struct scope *who, const char *program, const char *figures);

void stats_add(struct stats_searches *v, const struct metric *m);
void stats_searches_release(struct stats_searches *v);

/*
 * The p-th percentile (0 < p <= 100) by nearest rank: the smallest value that at least p % of the
 * values do not exceed. Sorts us; n must be above 0.
 */
uint32_t stats_percentile(uint32_t *us, size_t n, double p);

/*
 * Hands out the figures of v: number of searches, share with hits, mean hits, and p50, p95 and p99
 * of each stage that took any time.
 */
int stats_searches_each(struct stats_searches *v, stats_fn *fn, void *arg);

/*
 * Hands out all figures: of the store, then of the searches since since_us (TIME_NONE: all that are
 * kept).
 */
int stats_each(struct store *s, const struct scope *who, int64_t since_us, stats_fn *fn, void *arg,
	struct err *err);
