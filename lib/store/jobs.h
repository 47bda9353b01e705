/*
 * jobs.h: when a program last started for a user, so that one that cron starts too often can stop.
 */
#ifndef STORE_JOBS_H
#define STORE_JOBS_H

#include "store/store.h"

/*
 * In the open transaction. *due: the job did not start within the last every_us; then it is noted
 * as started now. An interval that is a twentieth too short is long enough, as schedulers are not
 * exact; a last start in the future does not count.
 */
int job_begin(struct store *s, const struct scope *who, const char *name, int64_t every_us,
	bool *due, struct err *err);
/* When it started last, whatever its interval; TIME_NONE: never. Needs no transaction. */
int job_last(struct store *s, const struct scope *who, const char *name, int64_t *us,
	struct err *err);

#endif
