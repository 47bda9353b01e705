/*
 * given.h: what searches and blocks handed out, by what it is.
 */
#ifndef REPORT_GIVEN_H
#define REPORT_GIVEN_H

#include "report/stats.h"

/*
 * Hands out how many of the items that were given since since_us (TIME_NONE: all that are kept) are
 * turns of conversations, sections of documents, facts, notes and summaries, and how many of the
 * turns have code in them. What is no longer stored is not counted. fn as that of stats_each.
 */
int given_each(struct store *s, const struct scope *who, int64_t since_us, stats_fn *fn, void *arg,
	struct err *err);

#endif
