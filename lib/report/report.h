/*
 * report.h: how the searches of a span of time went, what was stored in it, and what needs doing
 * now.
 */
#pragma once

#include "report/stats.h"

/* Different paths and programs that are counted by name; further ones count as "other". */
#define REPORT_NAMES 16

struct report_name { char name[40]; size_t n; };
struct report_names { struct report_name items[REPORT_NAMES]; size_t n; };

/* What is counted from the figures that programs leave in the flags of their rows. */
enum report_count {
	REPORT_PRUNED_FACTS,
	REPORT_PRUNED_SESSIONS,
	/* model calls saved: because a statement was short and clear, or hits were near enough */
	REPORT_SHORTCUTS,
	REPORT_SPARED,
	REPORT_MISSED,                     /* complaints that something was forgotten */
	REPORT_EMBEDDED,
	REPORT_EMBED_MS,
	REPORT_PROFILE,                    /* blocks with the user's profile in them */
	N_REPORT_COUNTS
};

struct report {
	struct stats_searches all;
	size_t n_none, n_few; /* searches without a likely hit, and with fewer than 3 */
	/* searches by words alone with fewer than 2 likely hits: words were not enough */
	size_t n_wordless;
	size_t n_vectors, n_widened;
	/* searches by words alone because the model of the vectors was not there */
	size_t n_fallback;
	size_t n_distilled; /* searches that found only summaries and reflections */
	/* searches for a context block, and those whose best hits had no room in it */
	size_t n_context, n_truncated;
	/*
	 * Sums of the best similarity of each search, and of the share of its budget that each
	 * block used.
	 */
	double sim_sum, used_sum;
	size_t n_sim, n_used;
	int64_t n_of[N_REPORT_COUNTS];
	/* the searches' strategies, those who asked, and where those ended that failed; and the
	 * policies by which facts were pruned */
	struct report_names paths, programs, failed, policies;
};

/*
 * Reads the metric rows. v must be zeros before; report_release frees it. since_us TIME_NONE: all
 * rows that are kept.
 */
int report_read(struct store *s, const struct scope *who, int64_t since_us, struct report *v,
	struct err *err);
void report_release(struct report *v);

/* Hands out all lines: searches, what was stored since, model calls. */
int report_each(struct store *s, const struct scope *who, int64_t since_us, stats_fn *fn, void *arg,
	struct err *err);

/* ---- what needs doing ---- */

#define TRIGGER_SEARCHES 20                /* with fewer searches, shares mean nothing */

struct trigger {
	const char *name;
	double value, limit;                   /* due when value is above limit */
	const char *unit;                      /* as in struct stats_line */
	const char *why;                       /* the reason, as a sentence */
	const char *run;                       /* a command that helps */
};
typedef int trigger_fn(void *arg, const struct trigger *t);

/*
 * Hands out the rules that are due, the most urgent first; searches are those since since_us.
 * Limits are in the table of advice.c and in the settings slow_ms, file_mb, facts_max and
 * summarize_messages. check: whether the store is checked, quickly, for the first of them,
 * which takes some 10 ms a MB. Else the cost is that of reading what is newest in each session.
 */
int triggers_each(struct store *s, const struct scope *who, int64_t since_us, bool check,
	trigger_fn *fn, void *arg, size_t *n_due, struct err *err);
