/*
 * db.h: the statement driver: all that the rooms of lib/store ask of a database. Each
 * kind of database implements these functions in a folder of its own.
 *
 * A connection is a struct db, a prepared statement a struct db_stmt. Each driver defines both for
 * itself; they begin with a pointer to the table of its functions (store/driver.h). A connection is
 * used by one thread at a time.
 */
#pragma once

#include "base/base.h"
#include "base/buf.h"
#include "base/err.h"

struct db;
struct db_stmt;
struct store;

void db_engine(struct buf *out);                /* its name and version */

bool db_read_only(const struct db *d);          /* nothing can be written, whoever asks */

/* ---- statements: parameters are numbered from 1, columns from 0 ---- */

/* A value of a parameter or a column. The database's NULL is 0, a null pointer, 0 bytes. */
enum db_type { DB_NULL, DB_NUMBER, DB_REAL, DB_TEXT, DB_BLOB };
struct db_value {
	enum db_type type;
	int n;                                 /* bytes of a text or blob; -1: up to its NUL */
	union {
		int64_t number;
		double real;
		/* borrowed until the statement has run; of a column until it moves on */
		const void *bytes;
	};
};

/* what: how the messages of errors begin. The statement lives as long as the connection. */
struct db_stmt *db_prepare(struct db *d, int which, const char *sql, const char *what,
	struct err *err);
/* The first n parameters; those behind them are null. */
void db_bind(struct db_stmt *q, const struct db_value *v, size_t n);

/*
 * Goes to the next row. 1: there is one; 0: there is none, and the statement is reset; -1: an
 * error, and it is reset. A statement that is NULL, as it could not be started, is -1 too.
 */
int db_row(struct db_stmt *q, struct err *err);
/* Runs a statement whose rows are not wanted, and resets it. */
int db_done(struct db_stmt *q, struct err *err);
/*
 * A statement that stands on a row keeps a snapshot open: reset it before anything is written. q
 * may be NULL.
 */
void db_reset(struct db_stmt *q);
void db_reset_all(struct db *d);
/* 1: whoever asks sees the rows of one user alone, and err says whose; 0: of all; -1. */
int db_sees_all(struct store *s, struct err *err);
int64_t db_changes(const struct db *d);         /* rows that the last statement has written */
/* Whether db_row or db_done has just failed because another row has a value that must be unique. */
bool db_was_taken(const struct db *d);

/* A column of the row that a statement stands on, as that type; DB_NULL: only what type it has. */
struct db_value db_column(struct db_stmt *q, int at, enum db_type as);

static inline int64_t
db_column_int(struct db_stmt *q, int at)
{
	return db_column(q, at, DB_NUMBER).number;
}

static inline double
db_column_real(struct db_stmt *q, int at)
{
	return db_column(q, at, DB_REAL).real;
}

static inline const char *
db_column_text(struct db_stmt *q, int at)
{
	return db_column(q, at, DB_TEXT).bytes;
}

static inline const void *
db_column_blob(struct db_stmt *q, int at)
{
	return db_column(q, at, DB_BLOB).bytes;
}

static inline enum db_type
db_column_type(struct db_stmt *q, int at)
{
	return db_column(q, at, DB_NULL).type;
}

static inline int
db_column_bytes(struct db_stmt *q, int at)
{
	return db_column(q, at, DB_BLOB).n;
}

/* ---- transactions ---- */

/*
 * Waits for the lock of those who write the user's rows, or anybody's where user is NULL, and holds
 * it until the transaction ends. ERR_BUSY: the wait took longer than the setting "wait". A file has
 * one lock for all users.
 */
int db_begin(struct db *d, const char *user, struct err *err);
/* 0: all is durable. After -1 the caller still calls db_rollback. */
int db_commit(struct db *d, struct err *err);
void db_rollback(struct db *d);
/*
 * A short transaction for a few rows of the store's bookkeeping. It works on a connection that is
 * open for reading too. For rows of a user, who exists (metrics, accesses): ERR_BUSY at once while
 * another process writes his. For those that users share (the budget), user is NULL: it waits.
 * ERR_PERM: nothing can be written.
 */
int db_short_begin(struct db *d, const char *user, struct err *err);
/* Commits when rc is 0, else rolls back. Returns 0 when it has committed, else -1. */
int db_short_end(struct db *d, int rc, struct err *err);

/* All that is read until db_snapshot_end is of one moment. */
int db_snapshot(struct db *d, struct err *err);
void db_snapshot_end(struct db *d);
bool db_has_snapshot(const struct db *d);       /* also inside a transaction */
bool db_is_busy(const struct db *d);            /* a statement stands on a row */

/*
 * on: each page that is read from now on is compared with its checksum, and one that differs reads
 * as damaged. To be called before a snapshot reads its first page, as pages in memory are not read
 * again.
 */
void db_compare_pages(struct db *d, bool on);
/* How many pages of the file have no checksum (reads all of it); -1: it has no room for them. */
int64_t db_missing_sums(struct db *d);
/*
 * A number that changes whenever another connection commits; inside a snapshot, the one of its
 * moment.
 */
int db_version(struct db *d, int64_t *version, struct err *err);

/*
 * Holds the writers' lock over several transactions. Its holder may take it again, and then
 * releases it as often.
 */
int db_lock(struct db *d, bool wait, struct err *err);
void db_unlock(struct db *d);

/*
 * ---- declared reads ----
 *
 * A database across a network answers many statements in the time of one round trip if they are
 * sent together. So a stage first declares what it is about to read: statements with their
 * parameters, none of which needs another's answer. They are sent together with the next statement
 * whose answer is not there yet. Each is then answered from memory, however often it is run, until
 * the snapshot ends.
 *
 * A database that is a local file needs none of this.
 */
bool db_gathers(const struct db *d);            /* whether reads are to be declared */
/*
 * Whether each answer costs a round trip through a network. Then reads may be declared in a write
 * transaction too, if nothing is written to their rows before they are run. There a statement that
 * is run again after a write asks the database again.
 */
bool db_is_far(const struct db *d);
/* Whether reads are to be declared that follow at once: before anything is written. */
bool db_gathers_next(const struct db *d);
/* Fetches what was declared, of a database that is far. */
int db_fetch(struct db *d, struct err *err);
/*
 * Declares that q will be run with the parameters that are bound now. It is not run, and may be
 * bound anew. -1: it is NULL.
 */
int db_want(struct db_stmt *q);
/*
 * Forgets what was declared and read in this snapshot, which else is kept for the next: for reads
 * of much that is not asked again.
 */
void db_drop(struct db *d);

/* ---- of the database as a whole ---- */

/* An upper bound of the bytes in it. */
int db_bytes(struct db *d, int64_t *n, struct err *err);
typedef void db_table_fn(void *arg, const char *table, int64_t n_bytes);
int db_tables(struct db *d, db_table_fn *fn, void *arg, struct err *err);     /* reads all of it */
/*
 * Calls fn for each row whose foreign key names no row; fn returns 0 to go on. ERR_IO: the database
 * cannot be read.
 */
typedef int db_orphan_fn(void *arg, const char *table);
int db_orphans(struct db *d, db_orphan_fn *fn, void *arg, struct err *err);
/* on: what follows reads much, and each page once, so no memory is spent on keeping pages. */
void db_scanning(struct db *d, bool on);
