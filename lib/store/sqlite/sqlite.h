/*
 * sqlite.h: what the files of the driver for SQLite share. Private to lib/store/sqlite.
 */
#pragma once

#include <sqlite3.h>

#include "store/driver.h"
#include "store/sql/handle.h"

/* STRICT tables came with 3.37, the functions of JSON stand in every build since 3.38. */
#define SQLITE_LEAST      3038000
#define SQLITE_LEAST_NAME "3.38"
#if SQLITE_VERSION_NUMBER < SQLITE_LEAST
#error "SQLite 3.38 or later is needed: sqlite3.h is of an older one"
#endif

#define STORE_APPLICATION_ID 0x6d656d31        /* "mem1" */
/* a wait for writers that do not know our lock: the sqlite3 shell, a backup tool */
#define DB_BUSY_MS   10000

/*
 * A page cache that fits into the processor's. What a search or a scan reads it mostly reads
 * once: the same few pages of memory serve again, where each new one costs a fault of the
 * system's, 2 us on a virtual machine, as much as reading it.
 */
#define FEW_PAGES  "PRAGMA cache_size = 100"
#define MANY_PAGES "PRAGMA cache_size = -2000"         /* SQLite's default */
/*
 * A transaction of a thousand messages fits: what does not goes into the log early, and is read
 * from there again.
 */
#define WRITE_PAGES "PRAGMA cache_size = -8000"

struct db {
	DB_HEAD;
	sqlite3 *sqlite;
	enum store_mode mode;
	int lock_fd;                           /* -1 until the first transaction */
	int hold_fd;                           /* the open FILE.embed; -1 until it is needed */
	/* how often the lock was taken: a repair holds it over several transactions */
	int lock_depth;
	bool swept;                            /* what a killed repair left was removed */
	bool is_short;                         /* the open transaction is (db_short_begin) */
	bool older;                            /* an older store that is being brought up to date */
	bool broken;                           /* nothing can be read; it is written over */
	/* read without locks: the file as it was when it was opened */
	bool alone;
	/* the file is another user's; false for root, as SQLite gives root's files to the owner */
	bool of_another;
	int n_wal_pages;                       /* pages of the log after the last commit */
	sqlite3_stmt *version;                 /* reads the store's version */
};

struct db_stmt {
	const struct db_driver *driver;
	struct db *db;
	sqlite3_stmt *q;
	char what[WHAT_BYTES];
};

/*
 * Fills err from SQLite's last error: ERR_BUSY, ERR_IO (also a full disk) ... The message begins
 * with what. Returns -1.
 */
int db_fail(struct db *d, struct err *err, const char *what);
int db_exec(struct db *d, const char *sql, struct err *err, const char *what);
/* sqlite3_mprintf that cannot fail (base/alloc.h): of NULL, SQLite runs nothing and says OK. */
char *db_text(const char *form, ...);
/* Whether a check has failed for want of memory: text is its finding, NULL where it has none. */
bool db_lacks_memory(sqlite3 *db, const char *text);
/* One number from a pragma or a statement without parameters. false, *out 0: it gives none. */
bool sqlite_number(sqlite3 *db, const char *sql, int64_t *out);
int db_number(struct db *d, const char *sql, int64_t *out, struct err *err, const char *what);

/*
 * Looks at a file before SQLite does: whether it is a file and, unless is_open, a store.
 * ERR_NOINPUT, ERR_PERM, ERR_CONFIG. *real is its path for SQLite; free it. *of_another: it belongs
 * to another user, and we are not root.
 */
int store_look(const char *path, bool is_open, bool *of_another, char **real, struct err *err);
/* The path in a form that SQLite takes for nothing else ("file:..."); free it. */
char *store_plain_name(const char *path);
/* As a URI, with all but plain letters escaped. */
void add_uri(struct buf *b, const char *path);
/* Whether a file that begins so is a store. */
#define HEADER_BYTES 100
bool header_is_store(const unsigned char h[HEADER_BYTES]);
/* ERR_CONFIG: the store's version is newer than this program. */
int store_known(int64_t version, const char *path, struct err *err);

/* The directory that a file lies in; free it. */
char *path_directory(const char *path);
/* Makes the directory of a file, and those above it. */
int make_directories(const char *path, struct err *err);

/* ---- lock.c: the functions of store/db.h ---- */
int sqlite_lock(struct db *d, bool wait, struct err *err);
void sqlite_unlock(struct db *d);
/*
 * Those who give up waiting for the lock are told that "the store is being" doing, a word in lower
 * case.
 */
void sqlite_lock_note(struct db *d, const char *doing);
/* ---- transaction.c: the functions of store/db.h ---- */
int sqlite_begin(struct db *d, const char *user, bool is_short, struct err *err);
int sqlite_commit(struct db *d, struct err *err);
void sqlite_rollback(struct db *d);
int sqlite_snapshot(struct db *d, struct err *err);
void sqlite_snapshot_end(struct db *d);
bool sqlite_has_snapshot(const struct db *d);
void sqlite_compare_pages(struct db *d, bool on);
int64_t sqlite_missing_sums(struct db *d);
/* ---- and of the store as a whole ---- */
int sqlite_open(struct store *s, const char *path, struct err *err);
void sqlite_close(struct store *s);
int sqlite_checkpoint(struct db *d, bool settles, struct err *err);
/* The size of the file whose name is that of the store with this ending; -1: there is none. */
int64_t bytes_beside(const struct db *d, const char *end);
int sqlite_backup(struct store *s, const char *to, struct err *err);
int sqlite_texts_each(struct store *s, store_text_fn *fn, void *arg, struct err *err);
int sqlite_damage_find(struct store *s, bool quick, damage_fn *fn, void *arg, struct err *err);
/* hold.c */
int sqlite_hold(struct store *s, uint64_t key, bool *taken, struct err *err);
void sqlite_let_go(struct store *s, uint64_t key);
int sqlite_rebuild(struct store *s, repair_fn *progress, void *arg, struct err *err);

/* ---- copy_file.c: the functions of store/driver.h for copies ---- */
int sqlite_copy_open(const char *path, struct store **out, struct err *err);
int sqlite_copy_end(struct store *s, const char *path, struct err *err);

/* ---- backup.c ---- */
/*
 * A file that gets its name when it is whole: until then it is h->temp, and h->guard beside it says
 * that somebody is at work on it. half_end removes both, and all whose names begin so; half_begin
 * those of processes that were killed.
 */
struct half { char *guard, *temp; int fd; };
int half_begin(const char *path, struct half *h, struct err *err);
void half_end(struct half *h);                 /* also when half_begin has failed */
/* Gives the file the name of a store, which must not exist, durably. ERR_USAGE: it exists. */
int copy_put(const char *temp, const char *to, struct err *err);

/* ---- rebuild.c ---- */
/*
 * Makes a store at path, which is missing or empty, of all that is whole in s. ERR_IO: base data is
 * damaged. *out is open; close it.
 */
int rebuild_into(struct store *s, const char *path, repair_fn *progress, void *arg,
	struct store **out, struct err *err);
/* Writes the pages of the database from over those of s, in one transaction of s. */
int rebuild_write_over(struct store *s, sqlite3 *from, struct err *err);
/* Removes the file and those that SQLite makes beside it. */
void rebuild_remove(const char *path);
/* Under the lock: removes what a killed repair has left. */
void rebuild_sweep(struct db *d);

/* ---- reindex.c ---- */
/*
 * Copies the pages of s to path, which must not exist, and makes the damaged indexes of tables [n]
 * anew there. Does not check whether the copy is whole then.
 */
int reindex_into(struct store *s, const char *path, const char *const *tables, size_t n,
	struct err *err);

/* ---- backup.c ---- */
/*
 * Copies all pages of s, of its open snapshot or as they are now, to path, which must not exist.
 * *out is open, also on failure; NULL: out of memory.
 */
int pages_copy(struct store *s, const char *path, sqlite3 **out, struct err *err);
/* The same, without a log, so that its readers neither need nor leave a file beside it. */
int copy_pages(struct store *s, const char *path, struct err *err);
/* Removes what killed backups have left in the directory of path. */
void backup_sweep(const char *path);
