/*
 * tombstones.h: hashes of what was removed for good, by which it is refused when it comes again.
 * They show no content, and are base data (schema/store-7.sql). And the log of changes, which tells
 * other stores what is new here (schema/store-15.sql). Private to lib/store.
 */
#pragma once

#include "store/records.h"
#include "store/sql/handle.h"
#include "store/transfer.h"

/*
 * The key of a message: made of its session and of its source as the message table has it, text or
 * bytes. With source NULL, the key of a session.
 */
void tombstone_key(const char *session, const void *source, size_t len, bool is_text,
	uint8_t key[TOMBSTONE_BYTES]);

/*
 * The key of a message in whatever session it comes again. COPY_SURE: its source is a UUID, or that
 * of a document's section, whose words count wherever they stand. COPY_LIKELY: it is a hash of time
 * and words, or of place and words, which two sessions may share: it counts where the input is
 * known to be a copy. COPY_NONE: it is known in its session alone, and there is no key.
 */
enum tombstone_copy { COPY_NONE, COPY_LIKELY, COPY_SURE };
enum tombstone_copy tombstone_copy_key(const void *source, size_t len, bool is_text,
	uint8_t key[TOMBSTONE_BYTES]);

/*
 * The key of the mark of a session that has lost some of its turns: from then on its turns alone
 * tell when it was and whose it is, here and in every other store.
 */
void tombstone_part_key(const char *session, uint8_t key[TOMBSTONE_BYTES]);
/*
 * In the open transaction: whether the session has that mark. Where what was removed may return
 * (struct put_options), the store forgets the mark.
 */
int session_is_part(struct store *s, int64_t user, const char *name, bool *is, struct err *err);

/*
 * The key of a fact, reflection or summary: made of its id. And a second key of a message, made of
 * the id by which what was made of it names it.
 */
void tombstone_record_key(const uint8_t ulid[ID_BYTES], uint8_t key[TOMBSTONE_BYTES]);
void tombstone_source_key(const uint8_t ulid[ID_BYTES], uint8_t key[TOMBSTONE_BYTES]);
/* The key of the words of a fact or note in a project, whoever says them again. */
void tombstone_fact_key(const struct record_words *w, uint8_t key[TOMBSTONE_BYTES]);

/*
 * In the open transaction: sets the times, agent and project of a session to those of its turns. So
 * a session that was removed, and to which something was added since, or that has lost turns, is
 * the same in every store.
 */
int session_span(struct store *s, int64_t user, const char *name, struct err *err);

/* Whether the user has any tombstones. */
int tombstones_any(struct store *s, int64_t user, bool *any, struct err *err);
int tombstone_has(struct store *s, int64_t user, const uint8_t key[TOMBSTONE_BYTES], bool *has,
	struct err *err);
/* In the open transaction: adds a tombstone, or removes it. */
int
tombstone_put(struct store *s, int64_t user, const uint8_t key[TOMBSTONE_BYTES], struct err *err);
int
tombstone_take(struct store *s, int64_t user, const uint8_t key[TOMBSTONE_BYTES], struct err *err);

/* ---- changes.c ---- */
enum change_kind {
	CHANGE_TURNS = 1,                  /* what: the first row; n: how many, 0: the session */
	CHANGE_STEP,                       /* what: its row */
	CHANGE_TOMBSTONE,                  /* what: its key */
	CHANGE_ACCESS,                     /* rows of record_access have its number */
	CHANGE_CONSENT
};

/* Logs a change, in the open or a short transaction. *no: its number; no may be NULL. */
int change_log(struct store *s, int64_t user, enum change_kind kind, int64_t what, int64_t n,
	int64_t *no, struct err *err);
int change_log_key(struct store *s, int64_t user, const uint8_t *key, size_t len,
	struct err *err);
/* Logs a step, unless it is the one that this transaction has logged last. */
int change_log_step(struct store *s, int64_t step, struct err *err);
