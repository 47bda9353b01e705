/*
 * sync.h: bringing two stores of one person together: what is new in one for the other.
 *
 * Each store has an id, and numbers the changes that were made in it. A mark is the number of a
 * change with its random tag. A store keeps, by the other's id, the mark up to which it knows
 * another store. The tag tells when that store was restored from a backup since, and has numbered
 * other changes with the same numbers.
 */
#pragma once

#include "store/transfer.h"

struct mark { int64_t no, tag; };          /* no 0: nothing */
#define MARK_TEXT 40
/* "NO:TAG" */
char *mark_format(const struct mark *m, char out[MARK_TEXT]);
int mark_parse(const char *text, size_t len, struct mark *out);       /* -1: it is no mark */

int store_id(struct store *s, char id[ID_TEXT], struct err *err);
/* In the open transaction: gives a store that was copied from another one an id of its own. */
int store_new_id(struct store *s, struct err *err);

/* ---- other stores, of each user ---- */

struct peer {
	int64_t no;
	char id[ID_TEXT];
	const char *name;                  /* its machine's */
	struct mark got;                   /* its changes up to here are in this store */
	/*
	 * this store's changes up to here are in it; SENT_LOST: it has changes of this store that
	 * are not here any more
	 */
	int64_t sent;
};
#define SENT_LOST (-1)
typedef int peer_fn(void *arg, const struct peer *v);
int peers_each(struct store *s, const struct scope *who, peer_fn *fn, void *arg, struct err *err);
/*
 * Finds a store by its id or name, in the arena; *out NULL: it is not known. ERR_DATA: two have the
 * name.
 */
int peers_find(struct store *s, const struct scope *who, const char *name, struct arena *a,
	const struct peer **out, struct err *err);

/*
 * In the open transaction: notes the store of that id under that name, if it was not known. What
 * this handle puts from now on counts as coming from it. ERR_DATA: it is this store, or a copy of
 * it.
 */
int peers_meet(struct store *s, const struct scope *who, const char *id, const char *name,
	struct err *err);
/* What is put from now on counts as made here. */
void peers_leave(struct store *s);
/*
 * In the open transaction, for a store that was met: its changes up to got are here (none if
 * got->no is 0), and this store's up to has are there, if has is a mark of this store. lost: the
 * other store has lost what it once sent, so that is new for it again.
 */
int peers_settle(struct store *s, const struct scope *who, const char *id, const struct mark *got,
	const struct mark *has, bool lost, struct err *err);

/* ---- what is new ---- */

/* The user's last mark; no 0: nothing was stored yet. */
int marks_last(struct store *s, const struct scope *who, struct mark *out, struct err *err);
/* Whether this store gave the mark. */
int marks_known(struct store *s, const struct scope *who, const struct mark *m, bool *known,
	struct err *err);

struct news {
	struct store *s;
	struct scope who;
	int64_t since, until;              /* numbers (since, until] */
	int64_t peer; /* for whom: what came from it is not new for it; 0: anyone */
};
/*
 * Each session of which something is new, then its new turns. A session that was removed once comes
 * after its turns.
 */
typedef int news_session_fn(void *arg, const struct session *v);
int news_sessions(const struct news *n, news_session_fn *session, message_fn *message, void *arg,
	struct err *err);
/* As steps_in_order. */
int news_steps(const struct news *n, step_given_fn *step, change_fn *change, void *arg,
	struct err *err);
int news_tombstones(const struct news *n, tombstone_fn *fn, void *arg, struct err *err);
int news_accesses(const struct news *n, access_fn *fn, void *arg, struct err *err);
int news_consent(const struct news *n, bool *is_new, struct err *err);

/* ---- what was removed elsewhere ---- */

/*
 * Finds what this store still has of what tombstones [n_keys] name: fn gets the id of a message or
 * record, or the name of a session without turns. Cost: all messages of the user are hashed, .1 s a
 * million.
 */
typedef int buried_fn(void *arg, const char *id, const char *session);
int buried_each(struct store *s, const struct scope *who, const uint8_t (*keys)[TOMBSTONE_BYTES],
	size_t n_keys, buried_fn *fn, void *arg, struct err *err);
/*
 * In the open transaction: where the tombstones name a session that has turns again, all that is
 * known of it but its turns is removed; where they say that it has lost turns, its times, agent and
 * project are those of its turns.
 */
int buried_bare(struct store *s, const struct scope *who, const uint8_t (*keys)[TOMBSTONE_BYTES],
	size_t n_keys, struct err *err);
