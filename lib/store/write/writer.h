/*
 * writer.h: what a write transaction knows and gathers: users, names, sessions, cards and words.
 * Private to lib/store.
 */
#pragma once

#include "index/prepare.h"
#include "store/sql/handle.h"

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
