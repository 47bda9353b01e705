/*
 * driver.h: the table of functions that a driver fills: those of store/db.h, and those that work on
 * a store as a whole, of which a server can do only some. Private to lib/store.
 */
#pragma once

#include "store/db.h"
#include "store/prune.h"
#include "store/store.h"

/* The message where the database has no memory: no fault of the store. */
#define ERR_NO_MEMORY "out of memory"

/* Called for each damaged table; see damage_find (store/sql/handle.h). */
typedef int damage_fn(void *arg, const char *table, bool base, const char *why);

#define WHAT_BYTES 24                          /* of what errors of a statement begin with */

struct copy_columns;                           /* store/transfer/tables.h */

/* What a driver of a file does beside: a server looks after all that itself. */
struct db_file {
	/* A statement stands on a row. */
	bool (*is_busy)(const struct db *d);
	/* Pages that are read from now on are compared with their sums, or no more. */
	void (*compare_pages)(struct db *d, bool on);
	/* How many pages have no sum; -1: the file has no room for them. */
	int64_t (*missing_sums)(struct db *d);
	/* Its size, which bounds what damaged rows may claim; and, unless NULL, its log's. */
	int (*bytes)(struct db *d, int64_t *n, int64_t *n_log, struct err *err);
	/* What follows reads much once: memory for pages is not worth while. */
	void (*scanning)(struct db *d, bool on);
	/* Moves the log into the file as far as readers allow; settles: nothing of it is left. */
	int (*checkpoint)(struct db *d, bool settles, struct err *err);
	/* Looks at pages and tables: see damage_find (store/sql/handle.h). */
	int (*damage_find)(struct store *s, bool quick, damage_fn *fn, void *arg, struct err *err);
	/* Makes a damaged file anew of what is whole: see rebuild (store/sql/handle.h). */
	int (*rebuild)(struct store *s, repair_fn *progress, void *arg, struct err *err);
};

/* Declared reads: see store/db.h. */
struct db_ahead {
	/* Whether reads are to be declared now. */
	bool (*gathers)(const struct db *d);
	/* The statement will be run with the parameters that it has now. */
	void (*want)(struct db_stmt *q);
	/* Fetches all that was declared. */
	int (*fetch)(struct db *d, struct err *err);
	/* Forgets what was declared and read. */
	void (*drop)(struct db *d);
};

/* For store/copy.h. */
struct db_copying {
	/*
	 * Opens what the copy that gets this name is made in, which is no store yet. ERR_USAGE:
	 * there is a store of this name.
	 */
	int (*open)(const char *path, struct store **out, struct err *err);
	/* All rows are there: it becomes the store of this name, and is closed; also on error. */
	int (*end)(struct store *s, const char *path, struct err *err);
	/* What puts a row: the table's name and its columns come between, the parameters behind. */
	const char *put, *values;
	/* Many rows of these columns will be put by q; NULL: that makes no difference. */
	void (*many)(struct db_stmt *q, const struct copy_columns *c);
};

/* What every driver does; the functions of store/db.h have the whole contract. */
struct db_driver {
	/* Connects, and sets s->db, even when it fails. */
	int (*open)(struct store *s, const char *path, struct err *err);
	/* Ends the connection and frees it with its statements. */
	void (*close)(struct store *s);

	/* ---- statements ---- */
	/* A statement of the connection, which lives as long; NULL with err. */
	struct db_stmt *(*prepare)(struct db *d, int which, const char *sql, const char *what,
		struct err *err);
	/* Sets the first n parameters, and nulls the rest; bytes are borrowed until it has run. */
	void (*bind)(struct db_stmt *q, const struct db_value *v, size_t n);
	/* Goes to the next row: 1, none: 0 and reset, an error: -1 and reset. */
	int (*row)(struct db_stmt *q, struct err *err);
	/* Runs it without its rows, and resets it: 0, -1. */
	int (*done)(struct db_stmt *q, struct err *err);
	/* Ends what it stands on; its parameters stay. */
	void (*reset)(struct db_stmt *q);
	/* A column of the row that it stands on, as that type. */
	struct db_value (*column)(struct db_stmt *q, int at, enum db_type as);
	/* How many rows the last write has written. */
	int64_t (*changes)(const struct db *d);

	/* ---- transactions ---- */
	/* Begins one for the user's rows, NULL: all; short: bookkeeping, beside a reader too. */
	int (*begin)(struct db *d, const char *user, bool is_short, struct err *err);
	/* Makes it durable; after -1 rollback follows. */
	int (*commit)(struct db *d, struct err *err);
	/* Takes it back, however far it came. */
	void (*rollback)(struct db *d);
	/* What is read from here on is of one moment. */
	int (*snapshot)(struct db *d, struct err *err);
	/* That moment is over. */
	void (*snapshot_end)(struct db *d);
	/* Whether there is one, in a transaction too. */
	bool (*has_snapshot)(const struct db *d);
	/* A number that another's commit changes. */
	int (*version)(struct db *d, int64_t *version, struct err *err);
	/* Takes the writers' lock for several transactions, waiting for it or not. */
	int (*lock)(struct db *d, bool wait, struct err *err);
	/* Gives it back once. */
	void (*unlock)(struct db *d);

	/* ---- the whole ---- */
	/* Calls fn for each table with its size. */
	int (*tables)(struct db *d, db_table_fn *fn, void *arg, struct err *err);
	/* Calls fn for each row that refers to none. */
	int (*orphans)(struct db *d, db_orphan_fn *fn, void *arg, struct err *err);
	/* Takes a key that one process has at a time, without waiting. */
	int (*hold)(struct store *s, uint64_t key, bool *taken, struct err *err);
	/* Frees it. */
	void (*let_go)(struct store *s, uint64_t key);
	/* Writes a whole copy to a file. */
	int (*backup)(struct store *s, const char *to, struct err *err);
	/* Calls fn for every text in every table. */
	int (*texts_each)(struct store *s, store_text_fn *fn, void *arg, struct err *err);
	/*
	 * Whether whoever asks sees the rows of all users. 1: of one alone; then err (ERR_PERM)
	 * says whose they are; -1: of nobody (ERR_PERM), or an error. NULL: everybody does.
	 */
	int (*sees_all)(struct store *s, struct err *err);

	const struct db_ahead *ahead;          /* NULL: not far, see db_is_far */
	const struct db_copying *copying;
	const struct db_file *file;            /* NULL: a server */
};

/*
 * Each driver has its own struct db and struct db_stmt; all begin with a pointer to its functions,
 * and a struct db with what is asked of it without a call.
 */
#define DB_HEAD \
	const struct db_driver *driver; \
	char *path;                    /* as it was opened: for messages */ \
	struct db_stmt **stmts;        /* all that were prepared */ \
	size_t n_stmts, cap_stmts; \
	bool read_only;                /* nothing can be written, whoever asks */ \
	bool was_taken                 /* see db_was_taken */
struct db_head { DB_HEAD; };

static inline const struct db_driver *
db_driver_of(const void *connection_or_statement)
{
	return *(const struct db_driver *const *)connection_or_statement;
}

extern const struct db_driver file_driver;   /* a file */
extern const struct db_driver server_driver;  /* a database on a server */
/* The one for the store of that name. NULL: a server, and mem was built without it. */
const struct db_driver *store_driver(const char *path, struct err *err);
