/*
 * stored.h: what is stored beside the row of a message: its chunks, and what it is called
 * elsewhere. Private to lib/store.
 */
#pragma once

#include "store/sql/handle.h"
#include "store/write/writer.h"

/* ---- chunks.c ---- */
/* Stores the chunks of a message, of which a single one of prose needs no row. */
int chunks_put(struct store *s, int64_t row, const struct chunk *chunks, size_t n, struct err *err);
/* Cuts the text of a stored message, *n chunks, and has its row say how many there are. */
int message_chunk(struct store *s, int64_t row, const char *text, size_t len, size_t *n,
	struct err *err);
/* Reads the chunks of messages [n_rows] (NULL: none) and keeps them for chunks_of. */
int chunks_keep(struct store *s, const struct scope_numbers *n, const struct message **m,
	size_t n_rows, struct err *err);
void chunks_forget(struct store *s);

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

/* ---- identity.c: what a message is known by within its session ---- */
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
