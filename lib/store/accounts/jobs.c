/*
 * jobs.c: one row a user and job.
 */
#include "store/store.h"

#include "store/sql/handle.h"

int
job_last(struct store *s, const struct scope *who, const char *name, int64_t *us, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err), last;
	int got;

	*us = TIME_NONE;
	if (user <= 0)
		return (int)user;
	if ((got = stmt_number(s, STMT_JOB_LAST, ARGS(user, name), &last, err)) > 0)
		*us = last;
	return got < 0 ? -1 : 0;
}

int
job_begin(struct store *s, const struct scope *who, const char *name, int64_t every_us, bool *due,
	struct err *err)
{
	int64_t user = user_number(s, who->user, true, err), now = clock_now_us(), last, age;

	if (user < 0 || job_last(s, who, name, &last, err) != 0)
		return -1;
	age = last != TIME_NONE ? now - last : INT64_MAX;
	*due = age < 0 || age >= every_us - every_us / 20;
	if (!*due)
		return 0;
	return stmt_run(s, STMT_JOB_RAN, ARGS(user, name, now), err);
}
