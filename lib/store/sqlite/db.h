/*
 * db.h: what the files of lib/store/sqlite share: the handle, its statements, numbers of users and names. Private to this folder.
 */
#ifndef STORE_SQLITE_DB_H
#define STORE_SQLITE_DB_H

#include <sqlite3.h>

#include "base/buf.h"
#include "index/corpus.h"
#include "index/postings.h"
#include "index/turn_features_pages.h"
#include "store/prepare.h"
#include "store/sqlite/stmt.h"
#include "store/store.h"

/* STRICT tables came with 3.37, the functions of JSON stand in every build since 3.38. */
#define SQLITE_LEAST      3038000
#define SQLITE_LEAST_NAME "3.38"
#if SQLITE_VERSION_NUMBER < SQLITE_LEAST
#error "SQLite 3.38 or later is needed: sqlite3.h is of an older one"
#endif

#define STORE_APPLICATION_ID 0x6d656d31        /* "mem1" */
#define STORE_VERSION        10

#define TURN_BITS    20
#define SESSION_BITS 24
#define USER_SHIFT   (TURN_BITS + SESSION_BITS)
#define TURNS_MAX    (1ll << TURN_BITS)
#define USERS_MAX    ((1ll << (63 - USER_SHIFT)) - 1)
#define DB_BUSY_MS   10000                     /* a wait for writers that do not know our lock: the sqlite3 shell, a backup tool */
#define REBUILD_BATCH 2000                     /* messages read, or rebuilt in one transaction, at a time */

/*
 * A page cache that fits into the processor's. What a search or a scan reads it mostly reads once: the same few pages of memory serve again, where each new one costs a fault of the
 * system's, 2 us on a virtual machine, as much as reading it.
 */
#define FEW_PAGES  "PRAGMA cache_size = 100"
#define MANY_PAGES "PRAGMA cache_size = -2000"         /* SQLite's default */
/* A transaction of a thousand messages fits: what does not goes into the log early, and is read from there again. */
#define WRITE_PAGES "PRAGMA cache_size = -8000"

struct writer;                                 /* of a transaction: caches and the batch being indexed (write.c) */

struct store {
	sqlite3 *db;
	char *path;
	enum store_mode mode;
	int lock_fd;                           /* -1 until the first transaction */
	int lock_depth;                        /* taken so many times: a repair holds it over its transactions */
	bool swept;                            /* nothing is left of a repair that was killed */
	bool writing;                          /* between begin and commit */
	bool read_only;                        /* the file or its directory cannot be written */
	bool alone;                            /* read without locks, as it was when it was opened */
	bool of_another;                       /* user; false for root, whose files SQLite gives the owner */
	int n_wal_pages;                       /* after the last commit */
	int64_t n_commits;                     /* of our own: PRAGMA data_version tells only of others' */
	bool no_chunks;
	bool unbury;                           /* what was pruned may come back */
	unsigned chunk_tokens;
	sqlite3_stmt *stmts[N_STMTS];
	struct writer *writer;                 /* NULL outside a transaction */
};

/*
 * Looks at a file before SQLite does: is it a file, and one of ours (not when is_open)? ERR_NOINPUT, ERR_PERM, ERR_CONFIG. *real is its path as
 * SQLite wants it; free it. *of_another: it belongs to another user, and we are not root.
 */
int store_look(const char *path, bool is_open, bool *of_another, char **real, struct err *err);
/* path, and never a name that SQLite takes for something else ("file:..."); free it. */
char *store_plain_name(const char *path);
int store_known(int64_t version, const char *path, struct err *err);      /* ERR_CONFIG: newer than this program */

/* Fills err from the database's own error: ERR_BUSY, ERR_IO (also a full disk) ... "what" leads. Returns -1. */
int db_fail(struct store *s, struct err *err, const char *what);

/* The statement, reset and without bindings; NULL with err. */
sqlite3_stmt *db_stmt(struct store *s, enum stmt which, struct err *err);
/* The same with up to four numbers bound, as many as it has. */
sqlite3_stmt *db_bound(struct store *s, enum stmt which, int64_t a, int64_t b, int64_t c, int64_t d, struct err *err);
/* The row with the user's next number, which the statement (user) counts up and gives. ERR_DATA when there is none left. */
int db_next_row(struct store *s, enum stmt which, int64_t user, int64_t *row, struct err *err);
/*
 * Resets every statement. One that stands on a row holds its snapshot after the transaction: the log could not be emptied, and the next
 * BEGIN IMMEDIATE would be refused as soon as another process had written (SQLITE_BUSY_SNAPSHOT, which no time-out waits for).
 */
void db_reset_all(struct store *s);
/* Steps a statement that returns no row, and resets it. */
int db_done(struct store *s, sqlite3_stmt *q, struct err *err, const char *what);
/* 1: a row, 0: none, -1. */
int db_row(struct store *s, sqlite3_stmt *q, struct err *err, const char *what);
/*
 * Pages of a walk begin after the last row of the page before: in a damaged tree that row can lie before them, and the walk would never end.
 * Fills err with ERR_IO unless last lies after before.
 */
int db_goes_on(struct store *s, int64_t before, int64_t last, struct err *err);
int db_exec(struct store *s, const char *sql, struct err *err, const char *what);
/* ERR_CONFIG where the words and cards of the store were made by other rules than this program's (but for a repair). */
int db_check_features(struct store *s, struct err *err);

/* What the lists keep of a turn's card, so that candidates can be compared without reading it: two bits. */
static inline unsigned index_flags(const struct card *c)
{
	return (c->flags & CARD_QUESTION ? CORPUS_QUESTION : 0) | (c->numbers > 0 ? CORPUS_NUMBER : 0);
}

/* What the lists keep of a role: two bits. */
static inline unsigned index_role(enum role r) { return r == ROLE_USER ? 0 : r == ROLE_ASSISTANT ? 1 : r == ROLE_TOOL ? 2 : 3; }

/* Rows of a user, of a session. Without signs: in a damaged store their numbers are any. */
static inline int64_t user_lo(int64_t user) { return (int64_t)((uint64_t)user << USER_SHIFT); }
static inline int64_t user_hi(int64_t user) { return (int64_t)((((uint64_t)user + 1) << USER_SHIFT) - 1); }
static inline int64_t session_lo(int64_t session) { return (int64_t)((uint64_t)session << TURN_BITS); }
static inline int64_t session_hi(int64_t session) { return (int64_t)(((uint64_t)session << TURN_BITS) + TURNS_MAX - 1); }

/* ---- names.c ---- */
enum label_kind { LABEL_SPEAKER = 1, LABEL_AGENT = 2, LABEL_PROJECT = 3 };

/* Number of a user; 0 when there is none. With make (inside a transaction) it is made. -1 on error. */
int64_t user_number(struct store *s, const char *name, bool make, struct err *err);
/* Numbers of all users, in an array for the caller to free. */
int user_numbers(struct store *s, int64_t **out, size_t *n, struct err *err);

/* In the open transaction: the kept answers of models go, all of the user's or those that are too old. */
int answers_drop_all(struct store *s, int64_t user, struct err *err);
int answers_drop_old(struct store *s, int64_t user, struct err *err);
/* Number of a name of the user; 0 for "" and, without make, for one not known. -1 on error. */
int64_t label_number(struct store *s, int64_t user, enum label_kind kind, const char *text, bool make, struct err *err);
/* The text of a number, in the arena; "" for 0. NULL on error. */
const char *label_text(struct store *s, int64_t user, enum label_kind kind, int64_t no, struct arena *a, struct err *err);

/* Binds for reading: agent and project as numbers. -1: not asked for; -2: asked for and unknown, so nothing can match. */
struct scope_numbers {
	int64_t user;                          /* 0: no such user: nothing can match */
	int64_t agent, project;
};
int scope_numbers(struct store *s, const struct scope *who, struct scope_numbers *n, struct err *err);

/* ---- write.c ---- */
int writer_open(struct store *s, struct err *err);
int writer_flush(struct store *s, struct err *err);            /* cards, sessions and the batch's full text into the database */
void writer_close(struct store *s);
/* As user_number and label_number with make; remembered for the transaction. */
int64_t writer_user(struct store *s, const char *name, struct err *err);
/* Whether the user has tombstones: looked up once a transaction, as those who have none are not to wait for it with each message. */
int writer_tombstones(struct store *s, int64_t user, bool *any, struct err *err);
int64_t writer_label(struct store *s, int64_t user, enum label_kind kind, const char *text, struct err *err);
/* Cards and full text of one message that has just been stored, of a session the writer knows. */
struct session_state {
	int64_t id;                            /* user << 24 | number */
	int64_t part;                          /* a session of over 2^20 turns has several */
	int64_t turns, assistants, speaker, speakers;
	int64_t created, updated;
	int64_t agent, project;                /* of all its turns; 0: none, or they differ */
	bool dirty;
};
/* The part of the session that takes the next turn; made when there is none. */
struct session_state *writer_session(struct store *s, int64_t user, const char *name, struct err *err);
struct session_state *writer_session_by_id(struct store *s, int64_t id, struct err *err);
void bind_label(sqlite3_stmt *q, int at, int64_t no);         /* NULL for 0 */
/* Counts a turn for what decides the session's kind. */
void session_saw(struct session_state *v, enum role role, int64_t speaker);
/* What is prepared of m, or is now: it lives until the next message. sha256 of its content, or NULL. */
const struct prepared *writer_prepare(struct store *s, const struct message *m, const uint8_t sha256[SHA256_BYTES]);
int writer_index(struct store *s, const struct message *m, const struct prepared *p, int64_t speaker, int64_t agent, int64_t project, struct err *err);

/* ---- cards.c ---- */
/* A page of cards by its id, of none n is 0; it lasts until the next one. */
int cards_page(struct store *s, int64_t id, struct cards *out, struct err *err);
/* The same of many pages of a user, best in order of ids. */
struct cards_walk {
	struct store *store;
	int64_t hi;                            /* user_hi */
	sqlite3_stmt *rows;                    /* NULL: it stands nowhere */
	int64_t id, asked;                     /* of the row that it stands on, and what was asked for last */
};
int cards_next(struct cards_walk *w, int64_t id, struct cards *out, struct err *err);
void cards_end(struct cards_walk *w);
int cards_put(struct store *s, int64_t id, const struct card *c, size_t n, struct err *err);   /* n: 1 to CARDS_A_PAGE */
/* Pages of stores before version 10, which have 32 bytes a card, as they are made now. */
int cards_pack_all(struct store *s, struct err *err);

/* ---- messages.c ---- */
/* Puts the chunks [n] of a stored message and notes how many. */
int message_chunk(struct store *s, int64_t row, const struct chunk *chunks, size_t n, struct err *err);

/* ---- categories.c ---- */
/* Messages of rows lo to hi, which are going, leave their categories; these lose their names. */
int members_forget(struct store *s, int64_t lo, int64_t hi, struct err *err);

/* ---- fulltext.c ---- */
int fulltext_add(struct store *s, int64_t user, struct postings_builder *b, uint8_t (*kind_of)(void *, int64_t), void *kind_arg,
		 struct err *err);
int fulltext_clear(struct store *s, struct err *err);          /* all users, for a rebuild */
/* The user's index is written anew without the rows for which drop says so. */
int fulltext_drop(struct store *s, int64_t user, bool (*drop)(void *arg, int64_t row), void *arg, struct err *err);

/* One segment, opened for reading its pages. */
struct segment {
	struct postings_meta meta;
	int64_t user, no, first;
	struct store *store;
	uint32_t n_gone;                       /* pages that a merge deleted, from the first on */
};
/* The user's segments, in an array for the caller to free; *n of them. */
int segments_of(struct store *s, int64_t user, struct segment **out, size_t *n, struct err *err);
struct postings_source segment_source(struct segment *g);
/* The leaf that may hold a term into *page; 0 when the segment has none so early, 1, or -1. */
int segment_leaf(struct segment *g, const char *term, size_t len, uint32_t *page, struct err *err);
/* All terms of the leaves that may hold those that start with the byte first; 0: of all leaves. */
int segment_terms(struct segment *g, unsigned char first, void (*fn)(void *arg, const char *term, size_t len, uint32_t df), void *arg,
		  struct err *err);
/* Appends the list of a term; nothing when the segment does not have it. */
int segment_find(struct segment *g, const char *term, size_t len, struct posting_list *list, struct err *err);

/* ---- rebuild.c ---- */
/* A table that is not in order; NULL: pages that belong to none. base: it cannot be made again. Negative stops. */
typedef int damage_fn(void *arg, const char *table, bool base, const char *why);
/* Looks at every page, and, when something is wrong, at every table. quick: without comparing indexes, unless something else is wrong. */
int damage_find(struct store *s, bool quick, damage_fn *fn, void *arg, struct err *err);
bool rebuild_wanted(struct store *s);                          /* there are damaged pages or indexes */
/* A whole store at path, which is missing or empty, of what is whole in this one. ERR_IO when base data is not. *out is open: close it. */
int rebuild_into(struct store *s, const char *path, repair_fn *progress, void *arg, struct store **out, struct err *err);
int rebuild_over(struct store *s, repair_fn *progress, void *arg, struct err *err);      /* the same, over the store itself; under the lock */
void rebuild_remove(const char *path);                         /* the file and what stands beside it */
/* Removes what a killed repair has left; under the lock. */
void rebuild_sweep(struct store *s);

/* ---- reindex.c ---- */
/* The pages of s to path, which must not be there, with those indexes of tables [n] made anew that are damaged. Whether all is whole then is not looked at. */
int reindex_into(struct store *s, const char *path, const char *const *tables, size_t n, struct err *err);

/* ---- repair.c ---- */
/* In place: others see what was there until all of it is made. */
int rebuild_derived(struct store *s, repair_fn *progress, void *arg, struct err *err);

/* ---- backup.c ---- */
/*
 * All pages of s, of the snapshot that is open or of now, to path, which must not be there. *out is
 * open, also on failure; NULL: out of memory.
 */
int pages_copy(struct store *s, const char *path, sqlite3 **out, struct err *err);
/* Removes what backups into the directory of path have left that were killed. */
void backup_sweep(const char *path);

/* ---- transaction.c ---- */
/*
 * A few rows of the store's own books, also on a handle that is open for reading, which is one again afterwards. wait false: not for the lock, nor for anything else: ERR_BUSY at once.
 * ERR_PERM where the file cannot be written.
 */
int db_short_begin(struct store *s, bool wait, struct err *err);
int db_short_end(struct store *s, int rc, struct err *err);    /* commits when rc is 0, else rolls back; -1 when either was needed or failed */

/* ---- open.c ---- */
int store_features(char *out, size_t size);                    /* versions of what the index is made by */

/* ---- db.c ---- */
int store_meta_get(struct store *s, const char *name, char *out, size_t size, struct err *err);   /* "" when there is none */
int store_meta_put(struct store *s, const char *name, const char *value, struct err *err);

#endif
