/*
 * driver.h: the table of functions that a driver fills: those of store/db.h, and those that work on
 * a store as a whole, of which a server can do only some. Private to lib/store.
 */
#ifndef STORE_DRIVER_H
#define STORE_DRIVER_H

#include "store/db.h"
#include "store/prune.h"
#include "store/store.h"

/* The message where the database has no memory: no fault of the store. */
#define ERR_NO_MEMORY "out of memory"

/* Called for each damaged table; see damage_find (store/sql/handle.h). */
typedef int damage_fn(void *arg, const char *table, bool base, const char *why);

#define WHAT_BYTES 24                          /* of what errors of a statement begin with */

struct copy_table;                             /* store/transfer/tables.h */

struct db_driver {
	/* Sets s->db, even when it fails. */
	int (*open)(struct store *s, const char *path, struct err *err);
	void (*close)(struct store *s);
	bool is_far;                           /* see db_is_far */

	const char *(*path)(const struct db *d);
	bool (*read_only)(const struct db *d);
	struct db_stmt *(*prepare)(struct db *d, int which, const char *sql, const char *what,
		struct err *err);
	void (*bind)(struct db_stmt *q, int at, const struct db_value *v);
	void (*clear)(struct db_stmt *q);
	int (*row)(struct db_stmt *q, struct err *err);
	int (*done)(struct db_stmt *q, struct err *err);
	void (*reset)(struct db_stmt *q);
	void (*reset_all)(struct db *d);
	int64_t (*changes)(const struct db *d);
	bool (*was_taken)(const struct db *d);
	struct db_value (*column)(struct db_stmt *q, int at, enum db_type as);
	int (*begin)(struct db *d, const char *user, bool is_short, struct err *err);
	int (*commit)(struct db *d, struct err *err);
	void (*rollback)(struct db *d);
	int (*snapshot)(struct db *d, struct err *err);
	void (*snapshot_end)(struct db *d);
	bool (*has_snapshot)(const struct db *d);
	bool (*is_busy)(const struct db *d);    /* NULL: never */
	int (*version)(struct db *d, int64_t *version, struct err *err);
	int (*lock)(struct db *d, bool wait, struct err *err);
	void (*unlock)(struct db *d);
	bool (*gathers)(const struct db *d);
	int (*fetch)(struct db *d, struct err *err);
	void (*want)(struct db_stmt *q);
	void (*drop)(struct db *d);             /* NULL: nothing is kept */
	void (*count_reads)(struct db *d, bool gather, struct db_reads *n);
	int (*tables)(struct db *d, db_table_fn *fn, void *arg, struct err *err);
	int (*orphans)(struct db *d, db_orphan_fn *fn, void *arg, struct err *err);

	/* ---- of the store as a whole: see the functions of their names ---- */
	int (*hold)(struct store *s, uint64_t key, bool *taken, struct err *err);
	void (*let_go)(struct store *s, uint64_t key);
	int (*backup)(struct store *s, const char *to, struct err *err);
	int (*texts_each)(struct store *s, store_text_fn *fn, void *arg, struct err *err);

	/* ---- of a file: NULL where a server looks after all that ---- */
	void (*compare_pages)(struct db *d, bool on);
	int64_t (*missing_sums)(struct db *d);
	int (*bytes)(struct db *d, int64_t *n, struct err *err);
	void (*scanning)(struct db *d, bool on);
	int (*checkpoint)(struct store *s, struct err *err);
	int (*settle)(struct store *s, struct err *err);
	int64_t (*log_bytes)(const struct store *s);
	int (*damage_find)(struct store *s, bool quick, damage_fn *fn, void *arg, struct err *err);
	int (*rebuild)(struct store *s, repair_fn *progress, void *arg, struct err *err);

	/*
	 * Whether whoever asks sees the rows of all users. 1: of one alone; then err (ERR_PERM)
	 * says whose they are; -1: of nobody (ERR_PERM), or an error.
	 */
	int (*sees_all)(struct store *s, struct err *err);

	/* ---- for store/copy.h ---- */
	/*
	 * Opens what the copy that gets this name is made in, which is no store yet. ERR_USAGE:
	 * there is a store of this name.
	 */
	int (*copy_open)(const char *path, struct store **out, struct err *err);
	/* All rows are there: it becomes the store of this name, and is closed; also on error. */
	int (*copy_end)(struct store *s, const char *path, struct err *err);
	/* A statement that puts a row of the table, a parameter a column. */
	struct db_stmt *(*prepare_put)(struct db *d, const struct copy_table *t, struct err *err);
};

/*
 * Each driver has its own struct db and struct db_stmt; all begin with a pointer to its functions.
 */
static inline const struct db_driver *
db_driver_of(const void *connection_or_statement)
{
	return *(const struct db_driver *const *)connection_or_statement;
}

extern const struct db_driver file_driver;   /* a file */
extern const struct db_driver server_driver;  /* a database on a server */
/* The one for the store of that name. NULL: a server, and mem was built without it. */
const struct db_driver *store_driver(const char *path, struct err *err);

#endif
