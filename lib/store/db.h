/*
 * db.h: the statement driver: all that the store's logic (lib/store/sql) asks of a database. Each
 * kind of database implements these functions in a folder of its own.
 *
 * A connection is a struct db, a prepared statement a struct db_stmt. Each driver defines both for
 * itself; they begin with a pointer to the table of its functions (store/driver.h). A connection is
 * used by one thread at a time.
 */
#ifndef STORE_DB_H
#define STORE_DB_H

#include "base/base.h"
#include "base/buf.h"
#include "base/err.h"

struct db;
struct db_stmt;

void db_engine(struct buf *out);                /* its name and version */

const char *db_path(const struct db *d);        /* as it was opened: for messages */
bool db_read_only(const struct db *d);          /* nothing can be written, whoever asks */

/* ---- statements: parameters are numbered from 1, columns from 0 ---- */

/*
 * which is the statement's number in sql/stmt.h, since a driver may have a text of its own for it.
 * The statement lives as long as the connection. NULL on error.
 */
struct db_stmt *db_prepare(struct db *d, int which, const char *sql, struct err *err);
int db_parameters(const struct db_stmt *q);

void db_bind_int(struct db_stmt *q, int at, int64_t v);
void db_bind_real(struct db_stmt *q, int at, double v);
/* Borrowed until the statement has run; n_bytes -1: up to the NUL. */
void db_bind_text(struct db_stmt *q, int at, const char *text, int n_bytes);
void db_bind_blob(struct db_stmt *q, int at, const void *bytes, int n_bytes);
/* The same, with a copy of the bytes. */
void db_bind_copy(struct db_stmt *q, int at, const void *bytes, int n_bytes);
void db_bind_null(struct db_stmt *q, int at);
void db_clear(struct db_stmt *q);               /* all parameters are null */

/*
 * Goes to the next row. 1: there is one; 0: there is none, and the statement is reset; -1: an
 * error, and it is reset. An error's message begins with what.
 */
int db_row(struct db *d, struct db_stmt *q, struct err *err, const char *what);
/* Runs a statement whose rows are not wanted, and resets it. */
int db_done(struct db *d, struct db_stmt *q, struct err *err, const char *what);
/*
 * A statement that stands on a row keeps a snapshot open: reset it before anything is written. q
 * may be NULL.
 */
void db_reset(struct db_stmt *q);
void db_reset_all(struct db *d);
int64_t db_changes(const struct db *d);         /* rows that the last statement has written */
/* Whether db_row or db_done has just failed because another row has a value that must be unique. */
bool db_was_taken(const struct db *d);

/*
 * Columns of the row that a statement stands on; pointers are borrowed until it moves. The
 * database's NULL is 0, a null pointer, 0 bytes.
 */
enum db_type { DB_NULL, DB_NUMBER, DB_TEXT, DB_BLOB };
int64_t db_column_int(struct db_stmt *q, int at);
double db_column_real(struct db_stmt *q, int at);
const char *db_column_text(struct db_stmt *q, int at);
const void *db_column_blob(struct db_stmt *q, int at);
/* Bytes of the column, as the text or blob that it was last asked for. */
int db_column_bytes(struct db_stmt *q, int at);
enum db_type db_column_type(struct db_stmt *q, int at);

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
/*
 * Whether the file has room for checksums; how many of its pages have none (reads the whole file).
 */
bool db_has_sums(struct db *d);
int64_t db_missing_sums(struct db *d);
/*
 * A number that changes whenever another connection commits; inside a snapshot, the one of its
 * moment.
 */
int db_version(struct db *d, int64_t *version, struct err *err);

/*
 * Holds the writers' lock over several transactions. Its holder may take it again, and then
 * releases it as often. A holder that needs it for long says why: those who give up waiting are
 * told that "the store is being" doing, a word in lower case.
 */
int db_lock(struct db *d, bool wait, struct err *err);
void db_unlock(struct db *d);
void db_lock_note(struct db *d, const char *doing);

/*
 * ---- declared reads ----
 *
 * A database across a network answers many statements in the time of one round trip if they are
 * sent together. So a stage first declares what it is about to read: statements with their
 * parameters, none of which needs another's answer. They are sent together with the next statement
 * whose answer is not there yet. Each is then answered from memory, however often it is run, until
 * the snapshot ends.
 *
 * A database that is a local file needs none of this. Reads are declared to it only to be counted.
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
/* Fetches what was declared. */
int db_fetch(struct db *d, struct err *err);
/*
 * Declares that q will be run with the parameters that are bound now. It is not run, and may be
 * bound anew.
 */
void db_want(struct db *d, struct db_stmt *q);
/*
 * Forgets what was declared and read in this snapshot, which else is kept for the next: for reads
 * of much that is not asked again.
 */
void db_drop(struct db *d);
/*
 * From now on counts into *n the reading statements that are run and, with gather, the round trips
 * that they would take across a network.
 */
struct db_reads {
	int64_t n_statements, n_rounds;
	int64_t n_unused;                      /* declared and not run when the snapshot ended */
};
void db_count_reads(struct db *d, bool gather, struct db_reads *n);

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

#endif
