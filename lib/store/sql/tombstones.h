/*
 * tombstones.h: what was pruned stays away: keys without content, base data (schema/store-7.sql).
 * For the store's own files.
 */
#ifndef STORE_SQL_TOMBSTONES_H
#define STORE_SQL_TOMBSTONES_H

#include "store/sql/store_parts.h"
#include "store/transfer.h"

/*
 * Of a message: its session, and its source as the message table has it, text or bytes. Of a
 * session: source NULL.
 */
void tombstone_key(const char *session, const void *source, size_t len, bool is_text,
	uint8_t key[TOMBSTONE_BYTES]);

/* Of a fact, reflection or summary: its id. */
void tombstone_record_key(const uint8_t ulid[ID_BYTES], uint8_t key[TOMBSTONE_BYTES]);

/*
 * In the open transaction: a session that was removed, and to which something was added, begins and
 * ends with its turns, and is theirs whose they are, so that it is the same in every store.
 */
int session_span(struct store *s, int64_t user, const char *name, struct err *err);

/* Whether the user has any. */
int tombstones_any(struct store *s, int64_t user, bool *any, struct err *err);
int tombstone_has(struct store *s, int64_t user, const uint8_t key[TOMBSTONE_BYTES], bool *has,
	struct err *err);
/* In the open transaction. */
int
tombstone_put(struct store *s, int64_t user, const uint8_t key[TOMBSTONE_BYTES], struct err *err);
int
tombstone_take(struct store *s, int64_t user, const uint8_t key[TOMBSTONE_BYTES], struct err *err);

#endif
