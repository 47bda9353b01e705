/*
 * identity.h: what a message is known by within its session: the id that its source gives it, or a
 * hash of its place and its words. Private to lib/store.
 */
#ifndef STORE_MESSAGES_IDENTITY_H
#define STORE_MESSAGES_IDENTITY_H

#include "store/write/writer.h"

struct identity {
	struct message *m;
	bool own;                              /* its source gives it an id */
	uint8_t hash[SHA256_BYTES];            /* else PLACE_BYTES of this */
};

/* ERR_DATA: m has no session, or is longer than what may be stored. */
int identity_check(const struct message *m, struct err *err);
/* m->sha256 is that of its content. */
struct identity identity_of(struct message *m);
/* As the column "source" has it; borrowed from k. */
struct db_value identity_value(const struct identity *k);
/* A hash of it and its session; two messages may have the same. */
uint64_t identity_note(const struct identity *k, int64_t session);
/* 1: it is stored already, and m is filled; 0; -1. v NULL: looks in all parts of the session. */
int identity_find(struct store *s, int64_t user, const struct session_state *v,
	const struct identity *k, struct err *err);
/*
 * Two messages that differ in their calls of tools alone have one place where they came in separate
 * runs. 1: the one that is stored at m->row is such another, and the hash is now that of the place
 * and the calls, by which this one is identified; 0: it is the same; -1.
 */
int identity_by_calls(struct store *s, const struct scope *who, struct identity *k,
	struct err *err);
/*
 * In the open transaction: whether it was removed for good. If it may return, its tombstone is
 * removed.
 */
int identity_buried(struct store *s, int64_t user, const struct identity *k, bool *buried,
	struct err *err);
/*
 * A message whose time has no zone, as earlier versions knew it: 1: it is stored, or was removed,
 * so by that; *did says which, and m is filled; 0; -1.
 */
int identity_as_before(struct store *s, int64_t user, struct message *m, enum put_did *did,
	struct err *err);

#endif
