/*
 * jobs.c: one row a user and job.
 */
#include "store/jobs.h"

#include "store/sql/store_parts.h"

int
job_last(struct store *s, const struct scope *who, const char *name, int64_t *us, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct db_stmt *q;
	int got;

	*us = TIME_NONE;
	if (user <= 0)
		return (int)user;
	if ((q = stmt_of(s, STMT_JOB_LAST, err)) == NULL)
		return -1;
	db_bind_int(q, 1, user);
	db_bind_text(q, 2, name, -1);
	if ((got = db_row(s->db, q, err, "read job")) > 0) {
		*us = db_column_int(q, 0);
		db_reset(q);
	}
	return got < 0 ? -1 : 0;
}

int
job_begin(struct store *s, const struct scope *who, const char *name, int64_t every_us, bool *due,
	struct err *err)
{
	int64_t user = user_number(s, who->user, true, err), now = clock_now_us(), last, age;
	struct db_stmt *q;

	if (user < 0 || job_last(s, who, name, &last, err) != 0)
		return -1;
	age = last != TIME_NONE ? now - last : INT64_MAX;
	*due = age < 0 || age >= every_us - every_us / 20;
	if (!*due)
		return 0;
	if ((q = stmt_of(s, STMT_JOB_RAN, err)) == NULL)
		return -1;
	db_bind_int(q, 1, user);
	db_bind_text(q, 2, name, -1);
	db_bind_int(q, 3, now);
	return db_done(s->db, q, err, "write job");
}
