/*
 * jobs.c: one row a user and job.
 */
#include "store/jobs.h"

#include "store/sql/store_parts.h"

int
job_begin(struct store *s, const struct scope *who, const char *name, int64_t every_us, bool *due,
	struct err *err)
{
	int64_t user = user_number(s, who->user, true, err), now = clock_now_us(), age;
	struct db_stmt *q;
	int got;

	if (user < 0 || (q = stmt_of(s, STMT_JOB_LAST, err)) == NULL)
		return -1;
	db_bind_int(q, 1, user);
	db_bind_text(q, 2, name, -1);
	if ((got = db_row(s->db, q, err, "read job")) < 0)
		return -1;
	age = got > 0 ? now - db_column_int(q, 0) : INT64_MAX;
	if (got > 0)
		db_reset(q);
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
