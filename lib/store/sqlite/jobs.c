/*
 * jobs.c: one row a user and job.
 */
#include "store/jobs.h"

#include "store/sqlite/db.h"

int
job_begin(struct store *s, const struct scope *who, const char *name, int64_t every_us, bool *due, struct err *err)
{
	int64_t user = user_number(s, who->user, true, err), now = clock_now_us(), age;
	sqlite3_stmt *q;
	int got;

	if (user < 0 || (q = db_stmt(s, STMT_JOB_LAST, err)) == NULL)
		return -1;
	sqlite3_bind_int64(q, 1, user);
	sqlite3_bind_text(q, 2, name, -1, SQLITE_STATIC);
	if ((got = db_row(s, q, err, "read job")) < 0)
		return -1;
	age = got > 0 ? now - sqlite3_column_int64(q, 0) : INT64_MAX;
	if (got > 0)
		sqlite3_reset(q);
	*due = age < 0 || age >= every_us - every_us / 20;
	if (!*due)
		return 0;
	if ((q = db_stmt(s, STMT_JOB_RAN, err)) == NULL)
		return -1;
	sqlite3_bind_int64(q, 1, user);
	sqlite3_bind_text(q, 2, name, -1, SQLITE_STATIC);
	sqlite3_bind_int64(q, 3, now);
	return db_done(s, q, err, "write job");
}
