/*
 * jobs.h: when a program was last begun for a user, for those that cron runs more often than is
 * needed.
 */
#ifndef STORE_JOBS_H
#define STORE_JOBS_H

#include "store/store.h"

/*
 * In the open transaction. *due: name was not begun in the last every_us, and now it is. A
 * twentieth less counts as over, as clocks that start jobs are not exact; so does a time to come.
 */
int job_begin(struct store *s, const struct scope *who, const char *name, int64_t every_us,
	bool *due, struct err *err);

#endif
