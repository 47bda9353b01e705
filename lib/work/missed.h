/*
 * missed.h: what the memory would have saved: errors that came again in a project, and were cured
 * again in the same way. One's history is gone through in the order of time, and only what was
 * stored of earlier times is asked.
 */
#pragma once

#include "work/work.h"

struct missed {
	const struct work *before;         /* the error, and what cured it then */
	const struct work *again;          /* the same, cured again */
	double minutes;                    /* from the error until it was cured again */
};
/* Returns 0 to go on, -1 with err. What it is given lasts for the call. */
typedef int missed_fn(void *arg, const struct missed *m, struct err *err);

/*
 * Calls fn for each error of a session once, in their order; *n_sessions: how many sessions have
 * results of tools. Cost: all of these are read, and for each error of a command the lists of work.
 */
int missed_each(struct store *s, const struct scope *who, missed_fn *fn, void *arg,
	int64_t *n_sessions, struct err *err);
