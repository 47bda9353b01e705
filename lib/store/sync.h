/*
 * sync.h: what is new in a store for another one of the same person.
 *
 * Each store has an id, and numbers what came to be known in it: a "mark" is the number up to which
 * a store knows another one, with a tag, as a store that was brought back from a backup counts the
 * same numbers again. All that a store knows of others is kept by their ids.
 */
#ifndef STORE_SYNC_H
#define STORE_SYNC_H

#include "store/transfer.h"

struct mark { int64_t no, tag; };          /* no 0: nothing */
#define MARK_TEXT 40
/* "NO:TAG" */
char *mark_format(const struct mark *m, char out[MARK_TEXT]);
int mark_parse(const char *text, size_t len, struct mark *out);       /* -1: it is none */

int store_id(struct store *s, char id[ID_TEXT], struct err *err);
/* In the open transaction: what is a copy of another store is one of its own from now on. */
int store_new_id(struct store *s, struct err *err);

/* ---- other stores, of each user ---- */

struct peer {
	int64_t no;
	char id[ID_TEXT];
	const char *name;                  /* of its machine */
	struct mark got;                   /* all of it up to there is here */
	int64_t sent;                      /* all of ours up to there is there */
};
typedef int peer_fn(void *arg, const struct peer *v);
int peers_each(struct store *s, const struct scope *who, peer_fn *fn, void *arg, struct err *err);
/* By its id or its name, in the arena; *out NULL: it is not known. ERR_DATA: two have the name. */
int peers_find(struct store *s, const struct scope *who, const char *name, struct arena *a,
	const struct peer **out, struct err *err);

/*
 * In the open transaction: finds the store of that id, or notes it, under that name; and what this
 * handle puts from now on comes from it. ERR_DATA: it is this one, or a copy.
 */
int peers_meet(struct store *s, const struct scope *who, const char *id, const char *name,
	struct err *err);
/* What is put from now on is made here. */
void peers_leave(struct store *s);
/*
 * In the open transaction, of the store that was met: all of it up to got is here, which is none if
 * got->no is 0; and all of this one up to has is there, if has is a mark of this one. lost: it does
 * not know any more what came from it.
 */
int peers_settle(struct store *s, const struct scope *who, const char *id, const struct mark *got,
	const struct mark *has, bool lost, struct err *err);

/* ---- what is new ---- */

/* Of the user, the last; no 0: nothing was stored yet. */
int marks_last(struct store *s, const struct scope *who, struct mark *out, struct err *err);
/* Whether it is one of this store. */
int marks_known(struct store *s, const struct scope *who, const struct mark *m, bool *known,
	struct err *err);

struct news {
	struct store *s;
	struct scope who;
	int64_t since, until;              /* numbers (since, until] */
	int64_t peer;                      /* what came from it is not new for it; 0: none */
};
/*
 * Each session to which something was added, or of which something is known; then its turns. One
 * that was removed once comes behind its turns.
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
 * What is here of what tombstones [n_keys] name: fn gets the id of a message or record, or the name
 * of a session that has no turns. Cost: all messages of the user are hashed, .1 s a million.
 */
typedef int buried_fn(void *arg, const char *id, const char *session);
int buried_each(struct store *s, const struct scope *who, const uint8_t (*keys)[TOMBSTONE_BYTES],
	size_t n_keys, buried_fn *fn, void *arg, struct err *err);
/*
 * In the open transaction: of sessions that the tombstones name and that have turns all the same
 * nothing is known but these.
 */
int buried_bare(struct store *s, const struct scope *who, const uint8_t (*keys)[TOMBSTONE_BYTES],
	size_t n_keys, struct err *err);

#endif
