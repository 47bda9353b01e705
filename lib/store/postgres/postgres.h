/*
 * postgres.h: what the files of the driver for PostgreSQL share. Private to lib/store/postgres.
 */
#pragma once

#include "base/arena.h"
#include "base/keyed.h"
#include "store/driver.h"
#include "store/postgres/dialect.h"
#include "store/postgres/libpq.h"
#include "store/sql/handle.h"

/* The value of a parameter. */
struct value {
	unsigned type;                         /* PG_INT8 ...; 0: null */
	const char *bytes;                     /* borrowed, but for numbers */
	int len;
	char number[8];                        /* big endian */
	char *own;                             /* a copy, or NULL */
};

/*
 * A statement prepared on the server for certain types of parameters; 0: a type that the server has
 * chosen.
 */
struct variant {
	unsigned types[DIALECT_PARAMETERS];
	char name[24];
	int connection; /* number of the connection on which it is prepared; 0: none */
};

/* Fetched rows; those of a declared read are kept under its key. */
struct rows {
	struct pg_result *result;
	int first, n;                          /* the rows of result that are its own */
	uint64_t key;
	bool kept, used;
	int64_t given_at;                      /* db.n_writes when it was used last */
	bool lasts;                            /* no short transaction writes what was read */
	bool shared;                           /* others use the result too: see db.shared */
};

struct db_stmt {
	const struct db_driver *driver;
	struct db *db;
	int which;
	char what[WHAT_BYTES];
	struct dialect dialect;
	struct value values[DIALECT_PARAMETERS];
	struct variant *variants;
	size_t n_variants, cap_variants;
	struct variant together;               /* dialect.together */
	struct rows *rows;                     /* it stands on row at of them, or NULL */
	int at;
};

#define SEEN_BYTES 64

/* A statement that was sent and is not answered yet. */
struct sent {
	enum sent_kind { SENT_READ, SENT_WRITE, SENT_ORDER, SENT_COMMIT } kind;
	struct rows *rows;
	size_t first, n_rows;                  /* kept reads that share the result; 0: rows alone */
	const char *what;
	size_t logged;                         /* its number in the log, from 1; 0: none */
};

/* A statement of a write transaction, to be sent again if need be: see repeat.c. */
struct logged {
	struct sent sent;                      /* as it was sent */
	const char *sql;                       /* borrowed: it lives as long as the connection */
	int n;
	unsigned *types;
	const char **values;
	int *lengths, *formats;
	bool answered;
	uint64_t answer;                       /* a hash of it */
};

/* A read that was declared and is not sent yet. */
struct wanted {
	struct db_stmt *q;
	struct value *values;                  /* of each parameter */
	uint64_t key;                          /* of all */
	uint64_t others;                       /* of what is the same in all that are sent as one */
	size_t at;                             /* in the order of declaring */
};

/* Rows of one statement that are not sent yet. */
struct batch {
	struct db_stmt *q;
	struct buf columns[DIALECT_PARAMETERS];        /* while n > 0 */
	size_t n, n_bytes;
};

enum transaction { NO_TRANSACTION, READING, WRITING, COMMITTING, WRITING_SHORT };

struct db {
	DB_HEAD;
	struct pg_conn *conn;
	int connection;                        /* its number: 1, 2 ... */
	enum store_mode mode;
	bool pooled;                           /* each transaction may get another connection */
	bool spread;                           /* over machines: see spread.c */
	enum transaction now;
	char *user;                            /* for whom it writes; NULL: for all */
	bool has_read;                         /* in the transaction */
	struct rows seen;                      /* one of SEEN: what the snapshot sees */
	/*
	 * Which transactions the last snapshot saw, "": not known; how many there were that
	 * differed from the one before; whether this one was compared.
	 */
	char last_seen[SEEN_BYTES];
	int64_t n_changes;
	bool compared;
	char own_xact[24];                     /* the number of a short transaction */
	struct err failed;                     /* the error of a write that was not waited for */
	bool lost;                             /* the connection */
	struct batch batches[4];
	struct sent *sent;
	size_t n_sent, cap_sent;
	struct wanted *wanted;
	size_t n_wanted, cap_wanted;
	struct keyed wanted_keys;
	struct rows **kept;
	size_t n_kept, cap_kept;
	struct keyed kept_keys;                /* places in kept, which may be others' by now */
	/* those of earlier snapshots come first; usable when this one was compared */
	size_t n_old, n_old_shared;
	struct pg_result **shared;             /* results that the rows of several reads share */
	size_t n_shared, cap_shared;
	int64_t changes, n_writes;
	char token[40];                        /* names the write transaction; "": it has no name */
	char state[8];                         /* SQLSTATE of the last error */
	struct logged *log;                    /* of the write transaction */
	size_t n_log, cap_log, n_log_bytes;
	struct arena log_texts;
	bool log_full;                         /* it is too long, and not kept */
	uint64_t n_begun;                      /* write transactions */
	struct db *beside; /* a connection for locks over more than a transaction, or NULL */
	int n_held, lock_depth;                /* locks that this one has; that of the store */
	uint64_t n_prepared;                   /* statements, over all connections */
};

/* ---- open.c ---- */
/* Makes a new connection in place of one that was lost. ERR_UNAVAILABLE, ERR_PERM, ERR_CONFIG. */
int pg_connect(struct db *d, struct err *err);
/*
 * Whether it is a copy of a server, to be read: such a one does not say (SEEN) which transactions
 * it does not see.
 */
bool pg_is_standby(const struct db *d);
/* Behind a pooler, queues the settings of a connection for the transaction that has begun. */
void pg_order_settings(struct db *d);
int postgres_open(struct store *s, const char *path, struct err *err);
void postgres_close(struct store *s);

/* ---- driver.c ---- */
/* On a store that is spread, fills the parameter that is the user's number. */
void pg_set_user(struct db_stmt *q);

/* ---- wire.c ---- */
/* A number of n bytes. */
uint64_t pg_get(const char *p, int n);
void pg_put(char *to, int n, uint64_t v);
/* Of a value of v->len bytes; NULL for null. Borrowed. */
const char *pg_bytes(const struct value *v);
/* Makes an array of elements of this type; pg_array_end says how many were added. */
void pg_array_begin(struct buf *out, unsigned element);
void pg_array_add(struct buf *out, const struct value *v);
void pg_array_end(struct buf *out, size_t n);
/* The type of an array of such elements. */
unsigned pg_array_of(unsigned element);

/* ---- pipeline.c ---- */
#define WRITES_MOST 1000 /* statements that are sent before an answer is waited for */

/* Queues a statement with parameters in text form; what it returns is valid until the next. */
struct sent *pg_order(struct db *d, const char *what, const char *sql, int n,
	const char *const *values);
/* Queues a statement with parameters in binary form; does not send the batch first. */
struct sent *pg_send(struct db *d, const char *what, const char *sql, int n, const unsigned *types,
	const char *const *values, const int *lengths, const int *formats);
/* Queues again what was sent as s. */
void pg_send_again(struct db *d, const struct sent *s, const char *sql, int n,
	const unsigned *types, const char *const *values, const int *lengths, const int *formats);
/* Sends all that is queued and waits for the answers: a round. pg_round repeats what it may. */
int pg_sync(struct db *d, struct err *err);
/* Runs a statement with parameters in text form, after all that is queued, and returns its rows. */
struct pg_result *pg_ask(struct db *d, const char *what, const char *sql, int n,
	const char *const *values, struct err *err);
/* Fills q->rows, from what was declared and fetched or from the server. */
int pg_fetch(struct db *d, struct db_stmt *q, struct err *err, const char *what);
/* Queues a write. */
int pg_write(struct db *d, struct db_stmt *q, struct err *err, const char *what);
int pg_fetch_wanted(struct db *d, struct err *err);
/* Fills err from an answer that is an error, or from the connection. */
int pg_fail(struct db *d, const struct pg_result *r, const char *what, struct err *err);

/* ---- kept.c ---- */
void pg_want(struct db_stmt *q);
void pg_wanted_clear(struct db *d);
/* The hash of a statement and these parameters. */
uint64_t pg_key_of(const struct db_stmt *q, const struct value *values);
/* Adds a place for the rows of a read that is being sent, the last of d->kept. */
void pg_keep_rows(struct db *d, const struct db_stmt *q, uint64_t key);
/*
 * The rows that were fetched for the key, or NULL. In a write transaction they are given until the
 * next write after they were given first.
 */
struct rows *pg_take_kept(struct db *d, uint64_t key);
/* Resets the statements that stand on kept rows. */
void pg_reset_kept(struct db *d);
/* Forgets what was declared and what was fetched of it. */
void pg_forget(struct db *d);
/* Forgets what was declared and fetched in this snapshot, and keeps what earlier ones fetched. */
void pg_drop(struct db *d);
/*
 * At the end of a snapshot: keeps what was fetched for the next one, which can use it when it turns
 * out to see the same.
 */
void pg_keep(struct db *d);
/*
 * A short transaction of our own was committed. If no other was meanwhile, the next snapshot sees
 * what the last has seen, and this: then only what short transactions write is forgotten.
 */
void pg_keep_own(struct db *d);
/*
 * After the first round of a snapshot: finds out whether it sees what the last has seen, and a
 * store that this program still knows (ERR_CONFIG).
 */
int pg_compare(struct db *d, struct err *err);
void rows_free(struct rows *r);

/* ---- batch.c ---- */
/*
 * Keeps the row that q would put in a batch; pg_batch_send queues all batches. The other functions
 * that queue something, except pg_send, call it first.
 */
int pg_batch_add(struct db *d, struct db_stmt *q, struct err *err);
int pg_batch_send(struct db *d, struct err *err);
void pg_batch_drop(struct db *d);

/* ---- repeat.c ---- */
/* As pg_sync; in a write transaction what failed because of the connection is repeated. */
int pg_round(struct db *d, struct err *err);
/* Whether what has failed may be repeated; does it once. */
bool pg_may_repeat(const struct db *d);
int pg_repeat(struct db *d, struct err *err);
/* Keeps what is sent as s, in a write transaction. */
void pg_log(struct db *d, struct sent *s, const char *sql, int n, const unsigned *types,
	const char *const *values, const int *lengths, const int *formats);
void pg_log_clear(struct db *d);
/* Before a round: notes for whom its answers are. */
void pg_log_sent(struct db *d);
/* Notes the answer. 1: it is known already; -1: it is another now. */
int pg_log_answer(struct db *d, const struct sent *s, struct pg_result *r, struct err *err);

/* ---- transaction.c ---- */
/*
 * The keys of advisory locks, made different for each store in a database. What users share besides
 * the store's rows, the budget, has a lock of its own, so that it waits for no writer.
 */
#define STORE_LOCK "1835363633, 'meta'::regclass::oid::int"
#define SHORT_LOCK "1835363634, 'meta'::regclass::oid::int"
#define USER_QUEUE "hashtextextended($1, 'meta'::regclass::oid::bigint)"
#define HOLD_LOCK  "$1::bigint # ('meta'::regclass::oid::bigint << 32)"

/* Which transactions of others a snapshot sees, and the version of the store. */
#define SEEN \
	"SELECT pg_current_snapshot()::text, (SELECT value FROM meta WHERE name = 'version')"

/* Until when a server that is away, or fails again and again, is waited for: as for a lock. */
int64_t pg_until(void);
/* Whether something that has failed n times is tried again: a few times, and until then. */
bool pg_tries(int n, int64_t until);
/* Makes a lost connection again. */
int pg_connect_again(struct db *d, struct err *err);
/* Queues the beginning of a transaction that writes or locks. */
void pg_order_begin(struct db *d, bool durable);
/* Ends the transaction that is open on the server, if any. */
void pg_end(struct db *d);
/* Begins the write transaction anew: d->user and the locks are as before. */
int pg_begin_again(struct db *d, struct err *err);
int postgres_begin(struct db *d, const char *user, bool is_short, struct err *err);
int postgres_commit(struct db *d, struct err *err);
void postgres_rollback(struct db *d);
int postgres_snapshot(struct db *d, struct err *err);
void postgres_snapshot_end(struct db *d);
bool postgres_has_snapshot(const struct db *d);
/* Begins the snapshot, on a new connection if it was lost. */
int pg_snapshot_again(struct db *d, struct err *err);

/* ---- lock.c ---- */
/* Whether the lock over several transactions is still there. */
int pg_lock_check(struct db *d, struct err *err);
int postgres_lock(struct db *d, bool wait, struct err *err);
void postgres_unlock(struct db *d);
int postgres_hold(struct store *s, uint64_t key, bool *taken, struct err *err);
void postgres_let_go(struct store *s, uint64_t key);

/* ---- copy_rows.c ---- */
int postgres_sees_all(struct store *s, struct err *err);
int postgres_copy_open(const char *path, struct store **out, struct err *err);
int postgres_copy_end(struct store *s, const char *path, struct err *err);
void postgres_copy_many(struct db_stmt *q, const struct copy_columns *c);

/* ---- whole.c ---- */
int postgres_tables(struct db *d, db_table_fn *fn, void *arg, struct err *err);
int postgres_orphans(struct db *d, db_orphan_fn *fn, void *arg, struct err *err);
int postgres_backup(struct store *s, const char *to, struct err *err);
int postgres_texts_each(struct store *s, store_text_fn *fn, void *arg, struct err *err);
