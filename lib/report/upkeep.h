/*
 * upkeep.h: what a store needs now of what costs little: by the rules of report.h, and by the time
 * since it was done last.
 */
#pragma once

#include "report/report.h"

struct upkeep_step {
	const char *name;          /* "vectors", "summaries" ... */
	const char *why;
	const char *run;           /* the command, its words separated by blanks */
	/* for a rule the figure that is over its limit; NULL: it is a matter of time */
	double value, limit;
	const char *unit;
	/* why it is left to a person; NULL: it is done */
	const char *not_done;
};
typedef int upkeep_fn(void *arg, const struct upkeep_step *step);

/*
 * Hands out what is due, in the order in which it is done; the texts last as long as the process.
 * s NULL: there is no store yet. model: the name of the one that makes vectors; "": one whose name
 * is not known; NULL: there is none.
 */
int upkeep_plan(struct store *s, const struct scope *who, const char *model, upkeep_fn *fn,
	void *arg, struct err *err);
/* Notes that a step was done now. */
int upkeep_done(struct store *s, const struct scope *who, const char *name, struct err *err);
/* Hands out when each was done last, as "upkeep.vectors". */
int upkeep_times(struct store *s, const struct scope *who, stats_fn *fn, void *arg,
	struct err *err);
