/*
 * sql.c: preloaded into a program, makes one of the statements of SQL that it runs fail, as a disk
 * that cannot be read or written makes it fail.
 *
 * SQL_FAILS  the text of the statement
 * SQL_MODE   first: whenever it begins; later: not before it has given a row
 * SQL_LIST   a file to which the texts of the statements are added at the end, a line each
 * SQL_MARK   a file that is made when the statement fails
 *
 * Line breaks in a text are blanks here. ROLLBACK never fails: it is what the rest relies on.
 */
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

static void
note(const char *sql)
{
	int i;

	for (i = 0; i < n_known && strcmp(known[i], sql) != 0; i++)
		;
	if (i == n_known && i < MOST)
		known[n_known++] = strdup(sql);
}

static int
is_text(const char *sql, const char *line)
{
	while (*sql != '\0' && (*sql == '\n' ? ' ' : *sql) == *line)
		sql++, line++;
	return *sql == '\0' && *line == '\0';
}

static int
fails(sqlite3 *db, const char *sql, int has_begun)
{
	const char *which = getenv("SQL_FAILS"), *mode = getenv("SQL_MODE"), *mark;
	int later = mode != NULL && strcmp(mode, "later") == 0, does;
	FILE *f;

	if (sql == NULL || strcmp(sql, "ROLLBACK") == 0)
		return 0;
	pthread_mutex_lock(&lock);
	note(sql);
	does = which != NULL && later == has_begun && is_text(sql, which);
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

__attribute__((destructor)) static void
tell(void)
{
	const char *name = getenv("SQL_LIST");
	FILE *f;

	if (n_known == 0 || name == NULL || (f = fopen(name, "a")) == NULL)
		return;
	for (int i = 0; i < n_known; i++) {
		for (const char *p = known[i]; *p != '\0'; p++)
			putc(*p == '\n' ? ' ' : *p, f);
		putc('\n', f);
	}
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
