/*
 * sql.c: preloaded into a program, makes the n-th of the different statements of SQL that it runs
 * fail, as a disk that cannot be read or written makes it fail.
 *
 * SQL_AT     number of the statement, in the order in which each is first run; 0: none fails
 * SQL_MODE   first: whenever it begins; later: not before it has given a row
 * SQL_COUNT  a file that gets the number of statements at the end
 * SQL_NAMED  a file that gets the text of the one that failed
 *
 * ROLLBACK never fails: it is what the rest relies on.
 */
#undef _POSIX_C_SOURCE
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *known[MOST];
static int n_known;
static sqlite3 *failed;                    /* whose last statement failed */
static sqlite3_stmt *failed_stmt;          /* it */

static void *
real_of(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

static int
number_of(const char *sql)
{
	int i;

	for (i = 0; i < n_known && strcmp(known[i], sql) != 0; i++)
		;
	if (i == n_known && i < MOST)
		known[n_known++] = strdup(sql);
	return i + 1;
}

static int
fails(sqlite3 *db, const char *sql, int has_begun)
{
	const char *at = getenv("SQL_AT"), *mode = getenv("SQL_MODE"), *name;
	int later = mode != NULL && strcmp(mode, "later") == 0, no, does;
	FILE *f;

	if (sql == NULL || strcmp(sql, "ROLLBACK") == 0)
		return 0;
	pthread_mutex_lock(&lock);
	no = number_of(sql);
	does = at != NULL && atoi(at) == no && later == has_begun;
	failed = does ? db : failed == db ? NULL : failed;
	pthread_mutex_unlock(&lock);
	if (does && (name = getenv("SQL_NAMED")) != NULL && (f = fopen(name, "w")) != NULL) {
		fprintf(f, "%s\n", sql);
		fclose(f);
	}
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

__attribute__((destructor)) static void
tell(void)
{
	const char *name = getenv("SQL_COUNT");
	FILE *f;

	if (n_known == 0 || name == NULL || (f = fopen(name, "w")) == NULL)
		return;
	fprintf(f, "%d\n", n_known);
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
