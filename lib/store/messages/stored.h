/*
 * stored.h: what is stored beside the row of a message: its chunks, and what it is called
 * elsewhere. Private to lib/store.
 */
#ifndef STORE_MESSAGES_STORED_H
#define STORE_MESSAGES_STORED_H

#include "store/sql/handle.h"

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

#endif
