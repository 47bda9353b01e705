/*
 * report.h: how the searches of a span went, what came into the memory in it, and what needs doing
 * now (SPEC 4.10).
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "report/stats.h"

/* different paths and programs that are told apart; the rest is "other" */
#define REPORT_NAMES 16

struct report_name { char name[40]; size_t n; };

struct report {
	struct stats_searches all;
	size_t n_none, n_few;                  /* without a likely hit; with fewer than 3 */
	/* fewer than 2, and no vectors were asked: words were not enough */
	size_t n_wordless;
	size_t n_vectors, n_widened;
	/* the vectors' model was not to be had: by words alone */
	size_t n_fallback;
	size_t n_distilled;                    /* only summaries and reflections were found */
	/* for a context block; those in which the best hits had no room */
	size_t n_context, n_truncated;
	/* of the best similarity of a search; of the share of a block's budget that was used */
	double sim_sum, used_sum;
	size_t n_sim, n_used;
	int64_t n_pruned_facts, n_pruned_sessions;
	/* models that were not asked: a short statement is clear, hits are near enough */
	int64_t n_shortcuts, n_spared;
	struct report_name paths[REPORT_NAMES], programs[REPORT_NAMES];
	size_t n_paths, n_programs;
};

/* v begins as zeros; report_release frees it. since_us TIME_NONE: all that are kept. */
int report_read(struct store *s, const struct scope *who, int64_t since_us, struct report *v,
	struct err *err);
void report_release(struct report *v);

/* All lines: the searches, what was stored since, calls of models. */
int report_each(struct store *s, const struct scope *who, int64_t since_us, stats_fn *fn, void *arg,
	struct err *err);

/* ---- what needs doing ---- */

#define TRIGGER_SEARCHES 20                /* shares of fewer say nothing */

struct trigger {
	const char *name;
	double value, limit;                   /* value is over it */
	const char *unit;                      /* as of struct stats_line */
	const char *why;                       /* in words */
	const char *run;                       /* command that helps */
};
typedef int trigger_fn(void *arg, const struct trigger *t);

/*
 * Those that are due, what is most urgent first; searches are those since since_us. The thresholds
 * are SPEC's, and the settings slow_ms, facts_max and summarize_messages. Cost: a quick check of
 * the file and a pass over the messages.
 */
int triggers_each(struct store *s, const struct scope *who, int64_t since_us, trigger_fn *fn,
	void *arg, size_t *n_due, struct err *err);

#endif
