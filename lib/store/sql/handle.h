/*
 * handle.h: what the files of the store share: the handle, its statements, numbers of users
 * and names. Private to lib/store.
 */
#ifndef STORE_SQL_HANDLE_H
#define STORE_SQL_HANDLE_H

#include "base/buf.h"
#include "index/corpus.h"
#include "index/postings.h"
#include "index/turn_features_pages.h"
#include "store/driver.h"
#include "index/prepare.h"
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

/* what a write transaction keeps in memory (writer.h) */
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
	 * something was removed for good in this transaction, and who is asked then
	 * (store_leaving)
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
 * The two bits of a turn's card that the lists have too, so that candidates are compared without
 * reading cards.
 */
static inline unsigned index_flags(const struct card *c)
{
	return (c->flags & CARD_QUESTION ? CORPUS_QUESTION : 0) |
	    (c->numbers > 0 ? CORPUS_NUMBER : 0);
}

/* The role as the lists have it, in two bits. */
static inline unsigned
index_role(enum role r)
{
	return r == ROLE_USER ? 0 : r == ROLE_ASSISTANT ? 1 : r == ROLE_TOOL ? 2 : 3;
}

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
enum label_kind {
	LABEL_SPEAKER = 1,
	LABEL_AGENT = 2,
	LABEL_PROJECT = 3,
	/* what a project was called before it was moved: its number in the low bits */
	LABEL_PROJECT_WAS = 4
};
#define PROJECT_BITS 16

/*
 * A user's number; 0: there is no such user; -1: error. With make, in a transaction, a new user
 * gets a number.
 */
int64_t user_number(struct store *s, const char *name, bool make, struct err *err);
/* The numbers of all users, in an array that the caller frees. */
int user_numbers(struct store *s, int64_t **out, size_t *n, struct err *err);

/*
 * In the open transaction: removes the user's kept answers of models, all or those that are too
 * old.
 */
int answers_drop_all(struct store *s, int64_t user, struct err *err);
int answers_drop_old(struct store *s, int64_t user, struct err *err);
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
/* Declares (store/db.h) that label_number will be asked for this name. */
int label_want(struct store *s, int64_t user, enum label_kind kind, const char *text,
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

/* ---- chunks.c ---- */
/* Stores the chunks of a message, of which a single one of prose needs no row. */
int chunks_put(struct store *s, int64_t row, const struct chunk *chunks, size_t n, struct err *err);
/* Cuts a text and stores its chunks one by one, as a large text may have a million; *n of them. */
int chunks_cut(struct store *s, int64_t row, const char *text, size_t len, size_t *n,
	struct err *err);
/* The same for a message that is stored: its row says then how many chunks there are. */
int message_chunk(struct store *s, int64_t row, const char *text, size_t len, size_t *n,
	struct err *err);
/* Reads the chunks of messages [n_rows] (NULL: none) and keeps them for chunks_of. */
int chunks_keep(struct store *s, const struct scope_numbers *n, const struct message **m,
	size_t n_rows, struct err *err);
void chunks_forget(struct store *s);

/* ---- write.c ---- */
int writer_open(struct store *s, struct err *err);
/* Writes cards, sessions and the full text of the batch into the database. */
int writer_flush(struct store *s, struct err *err);
void writer_close(struct store *s);
/* As user_number with make, remembered for the transaction; writer_label as label_number. */
int64_t writer_user(struct store *s, const char *name, struct err *err);
/*
 * Whether the user has tombstones, looked up once in a transaction: most users have none, and need
 * no look-up for each message.
 */
int writer_tombstones(struct store *s, int64_t user, bool *any, struct err *err);
/* A tombstone was put: writer_tombstones says so from now on. */
void writer_buried(struct store *s, int64_t user);
int64_t writer_label(struct store *s, int64_t user, enum label_kind kind, const char *text,
	struct err *err);
/* Declares that the name's number will be asked for, unless the transaction knows it. */
int writer_expect_label(struct store *s, int64_t user, enum label_kind kind, const char *text,
	struct err *err);
/* The number that the user's next new name gets in this transaction; 0: not known yet. */
int64_t *writer_next_label(struct store *s, int64_t user, enum label_kind kind);
/* A session as a write transaction knows it, or the part of it that takes the next turn. */
struct session_state {
	int64_t id;                            /* user << 24 | number */
	int64_t part;                          /* a session of over 2^20 turns has several */
	int64_t turns, assistants, speaker, speakers;
	int64_t created, updated;
	int64_t agent, project;                /* those of all its turns; 0: none, or they differ */
	bool dirty;
	bool told; /* what is known of it has changed, which is to be logged */
	int64_t logged_turns;                  /* turns from here on are not logged yet */
	bool is_new;                           /* made in this transaction */
};
/* The part of the session that takes the next turn; made when there is none. */
struct session_state *
writer_session(struct store *s, int64_t user, const char *name, struct err *err);
/*
 * Looks for the sessions that the transaction does not know yet, all at once. It makes none, but
 * knows afterwards which are there and which are not.
 */
int writer_expect(struct store *s, int64_t user, const char *const *names, size_t n,
	struct err *err);
/* The session, if the transaction knows it, or NULL. */
const struct session_state *writer_known(struct store *s, int64_t user, const char *name);
/* Notes the key of a message; true if this transaction may have noted it before. */
bool writer_noted(struct store *s, uint64_t key);
struct session_state *writer_session_by_id(struct store *s, int64_t id, struct err *err);
/* Counts a turn for what decides the session's kind. */
void session_saw(struct session_state *v, enum role role, int64_t speaker);
/*
 * m->prepared, or what is prepared now, which lives until the next message. sha256 is of its
 * content, or NULL.
 */
const struct prepared *
writer_prepare(struct store *s, const struct message *m, const uint8_t sha256[SHA256_BYTES]);
/* Adds the card and the words of a message that was just put, of a session that is known. */
int writer_index(struct store *s, const struct message *m, const struct prepared *p,
	int64_t speaker, int64_t agent, int64_t project, struct err *err);

/* ---- cards.c ---- */
/* Reads a page of cards, which lasts until the next one is read. out->n is 0 if there is none. */
int cards_page(struct store *s, int64_t id, struct cards *out, struct err *err);
void cards_done(struct store *s);              /* that page is not needed any more */
/* Reads many pages of a user, fastest in order of ids. */
struct cards_walk {
	struct store *store;
	int64_t hi;                            /* user_hi */
	struct db_stmt *rows;                    /* NULL: it stands on no row */
	/* the id of the row that it stands on, and the id asked for last */
	int64_t id, asked;
};
int cards_next(struct cards_walk *w, int64_t id, struct cards *out, struct err *err);
void cards_end(struct cards_walk *w);
/* n: 1 to CARDS_A_PAGE */
int cards_put(struct store *s, int64_t id, const struct card *c, size_t n, struct err *err);
/* Packs the pages of a store from before version 10, which have 32 bytes a card. */
int cards_pack_all(struct store *s, struct err *err);

/* ---- work.c ---- */
/* In the open transaction: adds a message that has its row to the lists of work. */
int work_add(struct store *s, const struct message *m, struct err *err);
int work_flush(struct store *s, struct err *err);
void work_close(struct store *s);
/* Fills empty lists from all messages. */
int work_fill(struct store *s, struct err *err);
/* Removes rows lo to hi, of one session, from the lists. */
int work_remove(struct store *s, int64_t lo, int64_t hi, struct err *err);
/*
 * Adds up hashes of all entries of the lists; and of the entries that a row of STMT_ALL_MESSAGES
 * should have. The two sums are equal when the lists are right.
 */
int work_sum_lists(struct store *s, uint64_t *sum, struct err *err);
void work_sum_message(struct db_stmt *q, struct arena *a, uint64_t *sum);

/* ---- handed.c ---- */
struct handed;
/* Appends the bytes of a column "handed"; none if there are no items. */
void handed_pack(const struct handed *h, size_t n, struct buf *out);
/*
 * In the open transaction: removes the messages and records for which goes returns true from the
 * answers that are kept.
 */
typedef bool handed_goes_fn(void *arg, bool is_record, int64_t row);
int handed_remove(struct store *s, int64_t user, handed_goes_fn *goes, void *arg, struct err *err);

/* ---- message_alias.c ---- */
/* Which turn a message was where it was said: its row tells, unless that was noted. */
int message_turn(struct store *s, const struct message *m, int64_t *turn, struct err *err);
/* Notes which turn the message at row was where it was said, if its row does not tell. */
int message_note_turn(struct store *s, int64_t row, int64_t turn, struct err *err);
/*
 * m was found here, and given is how another store has it: of their two ids the smaller one becomes
 * the turn's here too, with the turn and the time of storing that belong to it. m->differs: the
 * two say different things, or the id is another message's.
 */
int message_agree(struct store *s, const struct scope *who, struct message *m,
	const struct message *given, struct err *err);
/* m was found here. m->differs: something else is here than what is given. */
int message_compare(struct store *s, const struct scope *who, struct message *m,
	const struct message *given, struct err *err);

/* ---- categories.c ---- */
struct category;
/* In the open transaction: adds a category with this id; c->row is filled. */
int category_add(struct store *s, int64_t user, const uint8_t ulid[ID_BYTES], struct category *c,
	struct err *err);
/*
 * Takes messages of rows lo to hi, which are being removed, out of their categories, and removes
 * the names of these.
 */
int members_forget(struct store *s, int64_t lo, int64_t hi, struct err *err);

/* ---- fulltext.c ---- */
int fulltext_add(struct store *s, int64_t user, struct postings_builder *b,
	uint8_t (*kind_of)(void *, int64_t), void *kind_arg, struct err *err);
/* The same for one large text; flags, role and kind as in postings_text_finish. */
int fulltext_add_text(struct store *s, int64_t row, struct postings_text *t, unsigned flags,
	unsigned role, uint8_t kind, struct err *err);
int fulltext_clear(struct store *s, struct err *err);          /* of all users, for a rebuild */
/*
 * Writes the segments of the user's index anew of which the edit changes something. Both of its
 * functions are there.
 */
int fulltext_edit(struct store *s, int64_t user, const struct postings_edit *edit,
	struct err *err);

/* One segment, whose pages can be read. */
struct segment {
	struct postings_meta meta;
	int64_t user, no, first;
	struct store *store;
	uint32_t n_gone;                       /* pages that a merge deleted, from the first on */
};
/* The user's segments, in an array [*n] that the caller frees. */
int segments_of(struct store *s, int64_t user, struct segment **out, size_t *n, struct err *err);
struct postings_source segment_source(struct segment *g);
/*
 * Finds the leaf that may hold a term. 1: *page; 0: the term comes before all of the segment's; -1.
 */
int segment_leaf(struct segment *g, const char *term, size_t len, uint32_t *page, struct err *err);
/*
 * Calls fn for the pages of leaves that may hold terms with the prefix [len]; len 0: of all. -1
 * stops.
 */
int segment_leaves(struct segment *g, const char *prefix, size_t len,
	int (*fn)(void *arg, uint32_t page, struct err *err), void *arg, struct err *err);
/*
 * Calls fn for all terms of the leaves that may hold terms with the prefix; len 0: of all leaves.
 */
int segment_terms(struct segment *g, const char *prefix, size_t len,
	void (*fn)(void *arg, const char *term, size_t len, uint32_t df), void *arg,
	struct err *err);
/* Declares what segment_leaf will read for the term. */
int segment_want(struct segment *g, const char *term, size_t len, struct err *err);
/* Declares what segment_leaves will read for the prefix. */
int segment_want_terms(struct segment *g, const char *prefix, size_t len, struct err *err);
/* Declares n pages from first on. */
int segment_want_pages(struct segment *g, uint32_t first, uint32_t n, struct err *err);
/* Appends the posting list of a term, or nothing if the segment does not have it. */
int segment_find(struct segment *g, const char *term, size_t len, struct posting_list *list,
	struct err *err);

/* ---- rebuild.c ---- */
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

/* ---- check.c ---- */
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

/* ---- repair.c ---- */
/* Makes derived data anew in place; others see the old data until all of it is made. */
int rebuild_derived(struct store *s, repair_fn *progress, void *arg, struct err *err);

/* At the beginning of a transaction. ERR_CONFIG: a newer mem has changed the tables meanwhile. */
int store_still_known(int64_t version, const char *path, struct err *err);
/* Writes the versions of all that the index depends on: tokenizer, features and the like. */
int store_features(char *out, size_t size);

/* A value of the store by name; "" when there is none. */
int store_meta_get(struct store *s, const char *name, char *out, size_t size, struct err *err);
int store_meta_put(struct store *s, const char *name, const char *value, struct err *err);

#endif
