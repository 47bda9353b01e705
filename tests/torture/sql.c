/*
 * sql.c: preloaded into a program, makes one of the statements of SQL that it runs fail, as a disk
 * that cannot be read or written makes it fail.
 *
 * SQL_FAILS  the number of the way by which the program comes to it (ways.h): whenever it begins
 *            there, or, where the way is one of a later row, not before it has given one
 * SQL_WAYS   a file to which the ways to all statements are added at the end
 * SQL_MARK   a file that is made when the statement fails
 *
 * ROLLBACK never fails: it is what the rest relies on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include "ways.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3 *failed;                    /* whose last statement failed */
static sqlite3_stmt *failed_stmt;          /* it */

static void *
real_of(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

static int
fails(sqlite3 *db, const char *sql, int has_begun)
{
	const char *which = getenv("SQL_FAILS"), *mark;
	int does;
	FILE *f;

	if (sql == NULL || strcmp(sql, "ROLLBACK") == 0)
		return 0;
	pthread_mutex_lock(&lock);
	does = way_here(has_begun ? "later" : "first", sql) ==
	    (which == NULL ? 0 : strtoull(which, NULL, 16));
	failed = does ? db : failed == db ? NULL : failed;
	pthread_mutex_unlock(&lock);
	if (does && (mark = getenv("SQL_MARK")) != NULL && (f = fopen(mark, "w")) != NULL)
		fclose(f);
	return does;
}

int
sqlite3_step(sqlite3_stmt *q)
{
	int (*real)(sqlite3_stmt *) = (int (*)(sqlite3_stmt *))real_of("sqlite3_step");

	if (!fails(sqlite3_db_handle(q), sqlite3_sql(q), sqlite3_stmt_busy(q)))
		return real(q);
	sqlite3_reset(q);
	failed_stmt = q;
	return SQLITE_IOERR;
}

/* Both give the error of the step before. */
static int
end(const char *name, sqlite3_stmt *q)
{
	int did = ((int (*)(sqlite3_stmt *))real_of(name))(q);

	if (q == NULL || q != failed_stmt)
		return did;
	failed_stmt = NULL;
	return SQLITE_IOERR;
}

int
sqlite3_reset(sqlite3_stmt *q)
{
	return end("sqlite3_reset", q);
}

int
sqlite3_finalize(sqlite3_stmt *q)
{
	return end("sqlite3_finalize", q);
}

typedef int row_fn(void *, int, char **, char **);

int
sqlite3_exec(sqlite3 *db, const char *sql, row_fn *fn, void *arg, char **why)
{
	int (*real)(sqlite3 *, const char *, row_fn *, void *, char **) =
	    (int (*)(sqlite3 *, const char *, row_fn *, void *, char **))real_of("sqlite3_exec");

	return fails(db, sql, 0) ? SQLITE_IOERR : real(db, sql, fn, arg, why);
}

int
sqlite3_errcode(sqlite3 *db)
{
	int (*real)(sqlite3 *) = (int (*)(sqlite3 *))real_of("sqlite3_errcode");

	return db == failed ? SQLITE_IOERR : real(db);
}

int
sqlite3_extended_errcode(sqlite3 *db)
{
	int (*real)(sqlite3 *) = (int (*)(sqlite3 *))real_of("sqlite3_extended_errcode");

	return db == failed ? SQLITE_IOERR : real(db);
}

const char *
sqlite3_errmsg(sqlite3 *db)
{
	const char *(*real)(sqlite3 *) = (const char *(*)(sqlite3 *))real_of("sqlite3_errmsg");

	return db == failed ? "disk I/O error" : real(db);
}

__attribute__((constructor)) static void
start(void)
{
	way_start();
}

__attribute__((destructor)) static void
tell(void)
{
	const char *name = getenv("SQL_WAYS");
	FILE *f;

	if (name == NULL || (f = fopen(name, "a")) == NULL)
		return;
	way_tell(f);
	fclose(f);
}

/* Programs that only read leave so. */
void
_exit(int status)
{
	void (*real)(int) = (void (*)(int))real_of("_exit");

	tell();
	real(status);
	for (;;)
		;
}
