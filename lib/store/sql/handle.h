/*
 * handle.h: what the files of the store share: the handle, its statements, numbers of users
 * and names. Private to lib/store.
 */
#pragma once

#include "base/buf.h"
#include "index/corpus.h"
#include "store/driver.h"
#include "store/sql/args.h"
#include "store/sql/stmt.h"
#include "store/store.h"

#define STORE_VERSION        15

#define TURN_BITS    20
#define SESSION_BITS 24
#define USER_SHIFT   (TURN_BITS + SESSION_BITS)
#define TURNS_MAX    (1ll << TURN_BITS)
#define USERS_MAX    ((1ll << (63 - USER_SHIFT)) - 1)
/* messages that are read at a time, or rebuilt in one transaction */
#define REBUILD_BATCH 2000
/* fewer when they have so much text */
#define BATCH_TEXT_BYTES (8u << 20)
/* about how many distinct terms messages have that are indexed together */
#define BATCH_TERMS      131072

enum label_kind {
	LABEL_SPEAKER = 1,
	LABEL_AGENT = 2,
	LABEL_PROJECT = 3,
	/* what a project was called before it was moved: its number in the low bits */
	LABEL_PROJECT_WAS = 4
};
#define LABEL_KINDS 5              /* one more than the last */

/* what a write transaction keeps in memory (write/writer_parts.h) */
struct writer;
struct work_page;

struct store {
	struct db *db;                         /* the connection */
	enum store_mode mode;
	bool writing;                          /* between store_begin and store_commit */
	char *writes_for;                      /* the only user who is written then; NULL: all */
	int64_t n_commits; /* our own commits, of which db_version does not tell */
	struct put_options put;
	/*
	 * something was removed for good in this transaction, and who is asked then (store_leaving)
	 */
	bool buried;
	store_leaving_fn *leaving;
	void *leaving_arg;
	int64_t from_peer; /* the store from which what is put comes (sync.h); 0: made here */
	struct db_stmt *stmts[N_STMTS];
	struct writer *writer;                 /* NULL outside a transaction */
	int64_t logged_step;                   /* the step logged last in this transaction, or 0 */
	/* the change that this transaction has logged for accesses, and its user; or 0 */
	int64_t logged_access, logged_access_user;
	/* kept so that a database across a network is not asked again; see names.c and chunks.c */
	char *user;
	int64_t user_no;
	struct chunks_kept *chunks;
	struct work_page *work; /* the page of the lists of work that is being filled, or NULL */
	/*
	 * by kind: the user whose new name was the last one of this transaction, and the number of
	 * the next
	 */
	struct { int64_t user, no; } next_label[LABEL_KINDS];
};

/* The kind of a session with so many turns of an assistant, and so many speakers. */
static inline uint8_t
session_kind(int64_t assistants, int64_t speakers)
{
	return assistants > 0 ? SESSION_ASSISTANT : speakers > 1 ? SESSION_CHAT : SESSION_UNKNOWN;
}

/* ---- handle.c ---- */
/*
 * A statement with its parameters, which args.h makes: ARGS(...), or NO_ARGS. Those behind its
 * last are not used, so several statements can share theirs. NULL on error, which db_row and
 * db_done then return.
 */
struct db_stmt *stmt_start(struct store *s, enum stmt which, const struct db_value *args, size_t n,
	struct err *err);
/* Runs one that gives no rows. */
int stmt_run(struct store *s, enum stmt which, const struct db_value *args, size_t n,
	struct err *err);
/* Runs one statement after the other with the same parameters. */
int stmts_run(struct store *s, const enum stmt *which, size_t n_which, const struct db_value *args,
	size_t n, struct err *err);
/* The first columns of the first row, all numbers: 1; no row: 0, and they are 0; -1. */
int stmt_numbers(struct store *s, enum stmt which, const struct db_value *args, size_t n,
	int64_t *out, size_t n_out, struct err *err);
/* One of them; out may be NULL. */
int stmt_number(struct store *s, enum stmt which, const struct db_value *args, size_t n,
	int64_t *out, struct err *err);
/* Whether there is a row. */
int stmt_has(struct store *s, enum stmt which, const struct db_value *args, size_t n, bool *has,
	struct err *err);
/* One text, copied to the arena; no row: 0, and *out stays. */
int stmt_text(struct store *s, enum stmt which, const struct db_value *args, size_t n,
	struct arena *a, const char **out, struct err *err);
/* Appends the first column of each row. */
struct numbers { int64_t *at; size_t n, cap; };
int stmt_each_number(struct store *s, enum stmt which, const struct db_value *args, size_t n,
	struct numbers *out, struct err *err);
/*
 * Declares (store/db.h) that the statement will be run with these parameters; costs nothing where
 * no reads are to be declared.
 */
int stmt_want(struct store *s, enum stmt which, const struct db_value *args, size_t n,
	struct err *err);
/* The same where it will be run before anything is written (db_gathers_next). */
int stmt_want_next(struct store *s, enum stmt which, const struct db_value *args, size_t n,
	struct err *err);
/* Begins a short transaction (store/db.h) for the user: his number; 0 or -1: it was not begun. */
int64_t short_begin_user(struct store *s, const struct scope *who, struct err *err);
/* The user's next row, by the statement that counts its number up. ERR_DATA: none is left. */
int db_next_row(struct store *s, enum stmt which, int64_t user, int64_t *row, struct err *err);
/*
 * Called by walks whose pages begin after the last row of the page before. In a damaged tree a page
 * may go back, and the walk would never end: so this is ERR_IO unless last lies after before.
 */
int db_goes_on(struct store *s, int64_t before, int64_t last, struct err *err);
/*
 * The first and last row of a user, and of a session. Computed without signs, as the numbers in a
 * damaged store may be any.
 */
static inline int64_t user_lo(int64_t user) { return (int64_t)((uint64_t)user << USER_SHIFT); }
static inline int64_t
user_hi(int64_t user)
{
	return (int64_t)((((uint64_t)user + 1) << USER_SHIFT) - 1);
}
static inline int64_t
session_lo(int64_t session)
{
	return (int64_t)((uint64_t)session << TURN_BITS);
}
static inline int64_t
session_hi(int64_t session)
{
	return (int64_t)(((uint64_t)session << TURN_BITS) + TURNS_MAX - 1);
}

/* ---- names.c ---- */
#define PROJECT_BITS 16

/*
 * A user's number; 0: there is no such user; -1: error. With make, in a transaction, a new user
 * gets a number.
 */
int64_t user_number(struct store *s, const char *name, bool make, struct err *err);

/*
 * The number of a name of the user; 0 for "" and, without make, for a name that is not known; -1:
 * error. A directory that is gone is the project that projects_move made of it.
 */
int64_t label_number(struct store *s, int64_t user, enum label_kind kind, const char *text,
	bool make, struct err *err);
/* The number of exactly that name, 0: none has it. */
int64_t label_exactly(struct store *s, int64_t user, enum label_kind kind, const char *text,
	struct err *err);
/* Gives the name with that number, or a new one, another text. */
int label_rename(struct store *s, int64_t user, enum label_kind kind, int64_t no, const char *text,
	struct err *err);
int label_put(struct store *s, int64_t user, enum label_kind kind, int64_t no, const char *text,
	struct err *err);
/* Declares (store/db.h) that the names of these numbers will be read; 0: none. */
int labels_want(struct store *s, int64_t user, int64_t speaker, int64_t agent, int64_t project,
	struct err *err);
/* The name with that number, in the arena; "" for 0; NULL on error. */
const char *label_text(struct store *s, int64_t user, enum label_kind kind, int64_t no,
	struct arena *a, struct err *err);

/*
 * A scope as numbers, for reading. agent and project: -1: not asked for; -2: asked for and unknown,
 * so nothing can match.
 */
struct scope_numbers {
	int64_t user;                          /* 0: there is no such user, so nothing can match */
	int64_t agent, project;
};
int
scope_numbers(struct store *s, const struct scope *who, struct scope_numbers *n, struct err *err);

struct session_parts { int64_t id[256]; size_t n; };

/* The parts of a user's session, in order; none if there is no such session. */
int session_parts(struct store *s, int64_t user, const char *name, struct session_parts *out,
	struct err *err);

/* ---- db.c ---- */
/*
 * Looks at every page and, if something is wrong, at every table. quick: compares no indexes unless
 * something else is wrong. fn is called for each damaged table (NULL: for pages that belong to no
 * table); base: it cannot be made again from others; -1 stops.
 */
int damage_find(struct store *s, bool quick, damage_fn *fn, void *arg, struct err *err);
/*
 * Under the lock: if pages or indexes are damaged, or have no room for checksums, replaces them by
 * those of a new store, made of all that is whole in it, with derived data made anew: 1. 0: there
 * is no need.
 */
int rebuild(struct store *s, repair_fn *progress, void *arg, struct err *err);

/* ---- handle.c ---- */
/* At the beginning of a transaction. ERR_CONFIG: a newer mem has changed the tables meanwhile. */
int store_still_known(int64_t version, const char *path, struct err *err);
/* Writes the versions of all that the index depends on: tokenizer, features and the like. */
int store_features(char *out, size_t size);

/* A value of the store by name; "" when there is none. */
int store_meta_get(struct store *s, const char *name, char *out, size_t size, struct err *err);
int store_meta_put(struct store *s, const char *name, const char *value, struct err *err);

/* ---- what a check tells: whole/check.c ---- */
struct check {
	struct store *store;
	check_fn *fn;
	void *arg;
	struct err *err;
	unsigned n_damaged;
};
/* Tells a finding; what is formatted is its message. -1: nobody wants to hear more. */
int PRINTF_LIKE(4, 5)
check_tell(struct check *c, int level, const char *what, const char *fmt, ...);

/* ---- whole/repair.c ---- */
/* Makes derived data anew in place; others see the old data until all of it is made. */
int rebuild_derived(struct store *s, repair_fn *progress, void *arg, struct err *err);
