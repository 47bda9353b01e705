/*
 * db.h: the driver: all that the store's logic (lib/store/sql) asks of a database. A database is
 * the functions below, in a folder of their own beside it.
 *
 * A connection is a struct db, a prepared statement a struct db_stmt; what is in them is the
 * driver's, but for a pointer to the table of its functions, with which both begin. A connection is
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
 * which: its number in the table of statements (sql/stmt.h), by which a driver knows its own text
 * of it. The statement lives as long as the connection. NULL on error.
 */
struct db_stmt *db_prepare(struct db *d, int which, const char *sql, struct err *err);
int db_parameters(const struct db_stmt *q);

void db_bind_int(struct db_stmt *q, int at, int64_t v);
void db_bind_real(struct db_stmt *q, int at, double v);
/* Borrowed until the statement has run; n_bytes -1: up to the NUL. */
void db_bind_text(struct db_stmt *q, int at, const char *text, int n_bytes);
void db_bind_blob(struct db_stmt *q, int at, const void *bytes, int n_bytes);
/* A blob, copied. */
void db_bind_copy(struct db_stmt *q, int at, const void *bytes, int n_bytes);
void db_bind_null(struct db_stmt *q, int at);
void db_clear(struct db_stmt *q);               /* all parameters are null */

/*
 * 1: it stands on a row; 0: there is none (left), and it is reset; -1: reset. what: leads errors.
 */
int db_row(struct db *d, struct db_stmt *q, struct err *err, const char *what);
/* Runs a statement of which no row is wanted, and resets it. */
int db_done(struct db *d, struct db_stmt *q, struct err *err, const char *what);
/* One that stands on a row holds its snapshot: it is reset before others write. NULL: none. */
void db_reset(struct db_stmt *q);
void db_reset_all(struct db *d);
int64_t db_changes(const struct db *d);         /* rows that the last statement has written */
/*
 * Was it refused because a value that only one row may have is another's? Called after db_row's
 * -1.
 */
bool db_was_taken(const struct db *d);

/* Of the row that it stands on; pointers are borrowed until it moves. NULL is 0, NULL, 0 bytes. */
enum db_type { DB_NULL, DB_NUMBER, DB_TEXT, DB_BLOB };
int64_t db_column_int(struct db_stmt *q, int at);
double db_column_real(struct db_stmt *q, int at);
const char *db_column_text(struct db_stmt *q, int at);
const void *db_column_blob(struct db_stmt *q, int at);
/* Of what was asked for last, as text or blob. */
int db_column_bytes(struct db_stmt *q, int at);
enum db_type db_column_type(struct db_stmt *q, int at);

/* ---- transactions ---- */

/* Waits for the lock of writers, and holds it to the end. ERR_BUSY after the setting "wait". */
int db_begin(struct db *d, struct err *err);
/* Durable at 0; at -1 db_rollback is still to be called. */
int db_commit(struct db *d, struct err *err);
void db_rollback(struct db *d);
/*
 * A few rows of the store's own books, also on a connection that is open for reading, which is
 * one again afterwards. wait false: for nothing, ERR_BUSY at once. ERR_PERM where nothing can be
 * written.
 */
int db_short_begin(struct db *d, bool wait, struct err *err);
/* Commits when rc is 0, else rolls back; -1 when either was needed or failed. */
int db_short_end(struct db *d, int rc, struct err *err);

/* What is read from here to the end is of one moment. */
int db_snapshot(struct db *d, struct err *err);
void db_snapshot_end(struct db *d);
bool db_has_snapshot(const struct db *d);       /* or a transaction */

/*
 * With on, each page that is read from here on is compared with its checksum, and one that differs
 * reads as damaged. Before the first page of a snapshot is read, as pages stay in memory.
 */
void db_compare_pages(struct db *d, bool on);
/*
 * Whether the file has room for checksums; and how many of its pages have none, which reads it all.
 */
bool db_has_sums(struct db *d);
int64_t db_missing_sums(struct db *d);
/*
 * Another number when another connection has committed since; inside a snapshot that of its
 * moment.
 */
int db_version(struct db *d, int64_t *version, struct err *err);

/*
 * The lock that writers queue for, over more than a transaction. Taken again by its holder it is
 * counted. A holder that takes long says why, to those who give up waiting: the store is being
 * ..., a word of lower-case letters.
 */
int db_lock(struct db *d, bool wait, struct err *err);
void db_unlock(struct db *d);
void db_lock_note(struct db *d, const char *doing);

/*
 * ---- declared reads ----
 *
 * A database that is far away answers many questions in the time of one, if it hears of them
 * together. So a stage that is about to read says first what: statements with their parameters,
 * none of which needs the answer of another. They are fetched together with the next statement
 * that is run and is not fetched yet, and each is answered from memory then, as often as it is
 * run, until the snapshot ends.
 *
 * A database that is a file on this machine has no use for that: nothing is declared to it, but
 * for counting.
 */
bool db_gathers(const struct db *d);            /* is anything to be declared? */
/*
 * Whether an answer costs a way through a network. Then reads may also be declared in a transaction
 * that writes, by who knows that nothing is written to their rows before they are run: there an
 * answer is given once, and what is run again is asked again.
 */
bool db_is_far(const struct db *d);
/* Fetches what was declared. */
int db_fetch(struct db *d, struct err *err);
/* q, bound, will be run with these parameters. It is not run, and may be bound anew. */
void db_want(struct db *d, struct db_stmt *q);
/*
 * From now on it counts into *n the reading statements that are run, and, where it is told to
 * gather, the rounds that they would be.
 */
struct db_reads {
	int64_t n_statements, n_rounds;
	int64_t n_unused;                      /* declared and not run when the snapshot ended */
};
void db_count_reads(struct db *d, bool gather, struct db_reads *n);

/* ---- of the database as a whole ---- */

/* No more than so many bytes are in it. */
int db_bytes(struct db *d, int64_t *n, struct err *err);
typedef void db_table_fn(void *arg, const char *table, int64_t n_bytes);
int db_tables(struct db *d, db_table_fn *fn, void *arg, struct err *err);     /* reads all of it */
/* Each row whose foreign key is of nothing; fn returns 0 to go on. ERR_IO: it cannot be read. */
typedef int db_orphan_fn(void *arg, const char *table);
int db_orphans(struct db *d, db_orphan_fn *fn, void *arg, struct err *err);
/* Between the two much is read, and all of it once. */
void db_scanning(struct db *d, bool on);

#endif
