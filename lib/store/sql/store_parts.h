/*
 * store_parts.h: what the files of the store share: the handle, its statements, numbers of users
 * and names. Private to lib/store.
 */
#ifndef STORE_SQL_STORE_PARTS_H
#define STORE_SQL_STORE_PARTS_H

#include "base/buf.h"
#include "index/corpus.h"
#include "index/postings.h"
#include "index/turn_features_pages.h"
#include "store/driver.h"
#include "index/prepare.h"
#include "store/sql/stmt.h"
#include "store/store.h"

#define STORE_VERSION        15

#define TURN_BITS    20
#define SESSION_BITS 24
#define USER_SHIFT   (TURN_BITS + SESSION_BITS)
#define TURNS_MAX    (1ll << TURN_BITS)
#define USERS_MAX    ((1ll << (63 - USER_SHIFT)) - 1)
/* messages read, or rebuilt in one transaction, at a time */
#define REBUILD_BATCH 2000
/* but no more when there is so much text */
#define BATCH_TEXT_BYTES (8u << 20)
/* distinct terms of messages that are indexed together, about */
#define BATCH_TERMS      131072

/* of a transaction: caches and the batch being indexed (write.c) */
struct writer;
struct work_page;

struct store {
	struct db *db;                         /* the connection */
	enum store_mode mode;
	bool writing;                          /* between begin and commit */
	int64_t n_commits;                     /* of our own: db_version tells only of others' */
	struct put_options put;
	int64_t from_peer;                     /* whom what is put comes from; 0: made here */
	struct db_stmt *stmts[N_STMTS];
	struct writer *writer;                 /* NULL outside a transaction */
	int64_t logged_step;                   /* the step noted last in this transaction, or 0 */
	/* the number of its note of accesses, and whose it is, or 0 */
	int64_t logged_access, logged_access_user;
	/* what a database far away need not be asked again; see names.c and chunks.c */
	char *user;
	int64_t user_no;
	struct chunks_kept *chunks;
	struct work_page *work;                /* of the lists of work, being filled, or NULL */
};

/* ---- handle.c ---- */
/* The statement, reset and without bindings; NULL with err. */
struct db_stmt *stmt_of(struct store *s, enum stmt which, struct err *err);
/* The same with up to four numbers bound, as many as it has. */
struct db_stmt *stmt_bound(struct store *s, enum stmt which, int64_t a, int64_t b, int64_t c,
	int64_t d, struct err *err);
/*
 * Declares (store/db.h) that it will be run with these numbers; free where nothing is to be
 * declared.
 */
int stmt_want(struct store *s, enum stmt which, int64_t a, int64_t b, int64_t c, int64_t d,
	struct err *err);
/*
 * The row with the user's next number, which the statement (user) counts up and gives. ERR_DATA
 * when there is none left.
 */
int db_next_row(struct store *s, enum stmt which, int64_t user, int64_t *row, struct err *err);
/*
 * Pages of a walk begin after the last row of the page before: in a damaged tree that row can lie
 * before them, and the walk would never end. Fills err with ERR_IO unless last lies after before.
 */
int db_goes_on(struct store *s, int64_t before, int64_t last, struct err *err);
/*
 * What the lists keep of a turn's card, so that candidates can be compared without reading it: two
 * bits.
 */
static inline unsigned index_flags(const struct card *c)
{
	return (c->flags & CARD_QUESTION ? CORPUS_QUESTION : 0) |
	    (c->numbers > 0 ? CORPUS_NUMBER : 0);
}

/* What the lists keep of a role: two bits. */
static inline unsigned
index_role(enum role r)
{
	return r == ROLE_USER ? 0 : r == ROLE_ASSISTANT ? 1 : r == ROLE_TOOL ? 2 : 3;
}

/* Rows of a user, of a session. Without signs: in a damaged store their numbers are any. */
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
enum label_kind { LABEL_SPEAKER = 1, LABEL_AGENT = 2, LABEL_PROJECT = 3 };

/*
 * Number of a user; 0 when there is none. With make (inside a transaction) it is made. -1 on error.
 */
int64_t user_number(struct store *s, const char *name, bool make, struct err *err);
/* Numbers of all users, in an array for the caller to free. */
int user_numbers(struct store *s, int64_t **out, size_t *n, struct err *err);

/*
 * In the open transaction: the kept answers of models go, all of the user's or those that are too
 * old.
 */
int answers_drop_all(struct store *s, int64_t user, struct err *err);
int answers_drop_old(struct store *s, int64_t user, struct err *err);
/* Number of a name of the user; 0 for "" and, without make, for one not known. -1 on error. */
int64_t label_number(struct store *s, int64_t user, enum label_kind kind, const char *text,
	bool make, struct err *err);
/* The text of a number, in the arena; "" for 0. NULL on error. */
const char *label_text(struct store *s, int64_t user, enum label_kind kind, int64_t no,
	struct arena *a, struct err *err);

/*
 * Binds for reading: agent and project as numbers. -1: not asked for; -2: asked for and unknown, so
 * nothing can match.
 */
struct scope_numbers {
	int64_t user;                          /* 0: no such user: nothing can match */
	int64_t agent, project;
};
int
scope_numbers(struct store *s, const struct scope *who, struct scope_numbers *n, struct err *err);

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
/* cards, sessions and the batch's full text into the database */
int writer_flush(struct store *s, struct err *err);
void writer_close(struct store *s);
/* As user_number and label_number with make; remembered for the transaction. */
int64_t writer_user(struct store *s, const char *name, struct err *err);
/*
 * Whether the user has tombstones: looked up once a transaction, as those who have none are not to
 * wait for it with each message.
 */
int writer_tombstones(struct store *s, int64_t user, bool *any, struct err *err);
int64_t writer_label(struct store *s, int64_t user, enum label_kind kind, const char *text,
	struct err *err);
/* Cards and full text of one message that has just been stored, of a session the writer knows. */
struct session_state {
	int64_t id;                            /* user << 24 | number */
	int64_t part;                          /* a session of over 2^20 turns has several */
	int64_t turns, assistants, speaker, speakers;
	int64_t created, updated;
	int64_t agent, project;                /* of all its turns; 0: none, or they differ */
	bool dirty;
	bool told;                             /* what is known of it changed: to be logged */
	int64_t logged_turns;                  /* turns from here on are not logged yet */
	bool is_new;                           /* made in this transaction */
};
/* The part of the session that takes the next turn; made when there is none. */
struct session_state *
writer_session(struct store *s, int64_t user, const char *name, struct err *err);
/*
 * Looks for sessions that are not known yet, together, without making them: those that are there,
 * and that the others are not, are known afterwards.
 */
int writer_expect(struct store *s, int64_t user, const char *const *names, size_t n,
	struct err *err);
/* The session as it is known, or NULL. */
const struct session_state *writer_known(struct store *s, int64_t user, const char *name);
/* Notes what a message is known by; whether it was noted before in this transaction, or may be. */
bool writer_noted(struct store *s, uint64_t key);
struct session_state *writer_session_by_id(struct store *s, int64_t id, struct err *err);
void bind_label(struct db_stmt *q, int at, int64_t no);         /* NULL for 0 */
/* Counts a turn for what decides the session's kind. */
void session_saw(struct session_state *v, enum role role, int64_t speaker);
/*
 * What is prepared of m, or is now: it lives until the next message. sha256 of its content, or
 * NULL.
 */
const struct prepared *
writer_prepare(struct store *s, const struct message *m, const uint8_t sha256[SHA256_BYTES]);
int writer_index(struct store *s, const struct message *m, const struct prepared *p,
	int64_t speaker, int64_t agent, int64_t project, struct err *err);

/* ---- cards.c ---- */
/* A page of cards by its id, of none n is 0; it lasts until the next one. */
int cards_page(struct store *s, int64_t id, struct cards *out, struct err *err);
void cards_done(struct store *s);              /* nobody looks at that page any more */
/* The same of many pages of a user, best in order of ids. */
struct cards_walk {
	struct store *store;
	int64_t hi;                            /* user_hi */
	struct db_stmt *rows;                    /* NULL: it stands nowhere */
	/* of the row that it stands on, and what was asked for last */
	int64_t id, asked;
};
int cards_next(struct cards_walk *w, int64_t id, struct cards *out, struct err *err);
void cards_end(struct cards_walk *w);
/* n: 1 to CARDS_A_PAGE */
int cards_put(struct store *s, int64_t id, const struct card *c, size_t n, struct err *err);
/* Pages of stores before version 10, which have 32 bytes a card, as they are made now. */
int cards_pack_all(struct store *s, struct err *err);

/* ---- work.c ---- */
/* In the open transaction: the message, which has its row, into the lists of work. */
int work_add(struct store *s, const struct message *m, struct err *err);
int work_flush(struct store *s, struct err *err);
void work_close(struct store *s);
/* All messages into lists that are empty. */
int work_fill(struct store *s, struct err *err);
/* Rows lo to hi, of one session, leave the lists. */
int work_remove(struct store *s, int64_t lo, int64_t hi, struct err *err);
/* Adds up what the lists hold, and what they should of a message as STMT_ALL_MESSAGES gives it. */
int work_sum_lists(struct store *s, uint64_t *sum, struct err *err);
void work_sum_message(struct db_stmt *q, struct arena *a, uint64_t *sum);

/* ---- handed.c ---- */
struct handed;
/* Appends what the column "handed" holds; nothing for none. */
void handed_pack(const struct handed *h, size_t n, struct buf *out);
/* In the open transaction: what goes leaves the answers that are kept. */
typedef bool handed_goes_fn(void *arg, bool is_record, int64_t row);
int handed_remove(struct store *s, int64_t user, handed_goes_fn *goes, void *arg, struct err *err);

/* ---- message_alias.c ---- */
/* Notes which turn the message at row was where it was said, if its row does not tell. */
int message_note_turn(struct store *s, int64_t row, int64_t turn, struct err *err);
/*
 * m was found here, and given is how another store has it: of their two ids the smaller one becomes
 * the turn's here too, with the turn and the time of storing that belong to it. m->differs: the
 * two say different things, or the id is another message's.
 */
int message_agree(struct store *s, const struct scope *who, struct message *m,
	const struct message *given, struct err *err);

/* ---- categories.c ---- */
/* Messages of rows lo to hi, which are going, leave their categories; these lose their names. */
int members_forget(struct store *s, int64_t lo, int64_t hi, struct err *err);

/* ---- fulltext.c ---- */
int fulltext_add(struct store *s, int64_t user, struct postings_builder *b,
	uint8_t (*kind_of)(void *, int64_t), void *kind_arg, struct err *err);
/* The same for a large text alone: flags, role and kind as for postings_text_finish. */
int fulltext_add_text(struct store *s, int64_t row, struct postings_text *t, unsigned flags,
	unsigned role, uint8_t kind, struct err *err);
int fulltext_clear(struct store *s, struct err *err);          /* all users, for a rebuild */
/* The user's index is written anew without the rows for which drop says so. */
int fulltext_drop(struct store *s, int64_t user, bool (*drop)(void *arg, int64_t row), void *arg,
	struct err *err);

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
/*
 * The pages of the leaves that may hold terms which start with the prefix [len]; len 0: of all. fn:
 * -1 stops.
 */
int segment_leaves(struct segment *g, const char *prefix, size_t len,
	int (*fn)(void *arg, uint32_t page, struct err *err), void *arg, struct err *err);
/* All terms of the leaves that may hold those that start with the prefix; len 0: of all leaves. */
int segment_terms(struct segment *g, const char *prefix, size_t len,
	void (*fn)(void *arg, const char *term, size_t len, uint32_t df), void *arg,
	struct err *err);
/* Where the leaf that may hold the term is asked for: declared. */
int segment_want(struct segment *g, const char *term, size_t len, struct err *err);
/* The leaves of a prefix are asked for: declared. */
int segment_want_terms(struct segment *g, const char *prefix, size_t len, struct err *err);
/* Their pages, which index them, are declared. */
int segment_want_pages(struct segment *g, uint32_t first, uint32_t n, struct err *err);
/* Appends the list of a term; nothing when the segment does not have it. */
int segment_find(struct segment *g, const char *term, size_t len, struct posting_list *list,
	struct err *err);

/* ---- rebuild.c ---- */
/*
 * A table that is not in order; NULL: pages that belong to none. base: it cannot be made again.
 * Negative stops.
 */
/*
 * Looks at every page, and, when something is wrong, at every table. quick: without comparing
 * indexes, unless something else is wrong.
 */
int damage_find(struct store *s, bool quick, damage_fn *fn, void *arg, struct err *err);
/* there are damaged pages or indexes */
bool rebuild_wanted(struct store *s);
/*
 * All that is whole of the store, and what is derived made anew, over the store itself; under the
 * lock.
 */
int rebuild_over(struct store *s, repair_fn *progress, void *arg, struct err *err);

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
/* In place: others see what was there until all of it is made. */
int rebuild_derived(struct store *s, repair_fn *progress, void *arg, struct err *err);

/* versions of what the index is made by */
int store_features(char *out, size_t size);

/* "" when there is none */
int store_meta_get(struct store *s, const char *name, char *out, size_t size, struct err *err);
int store_meta_put(struct store *s, const char *name, const char *value, struct err *err);

#endif
