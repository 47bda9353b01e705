/*
 * changes.h: the log of what came to be known here (schema/store-15.sql). For the store's own
 * files.
 */
#ifndef STORE_SQL_CHANGES_H
#define STORE_SQL_CHANGES_H

#include "store/sql/store_parts.h"

enum change_kind {
	CHANGE_TURNS = 1,                  /* what: the first row; n: how many, 0: the session */
	CHANGE_STEP,                       /* what: its row */
	CHANGE_TOMBSTONE,                  /* what: its key */
	CHANGE_ACCESS,                     /* rows of record_access name it */
	CHANGE_CONSENT
};

/* In the open transaction, or a short one. *no: its number; may be NULL. */
int change_log(struct store *s, int64_t user, enum change_kind kind, int64_t what, int64_t n,
	int64_t *no, struct err *err);
int change_log_key(struct store *s, int64_t user, const uint8_t *key, size_t len,
	struct err *err);
/* A step, once a transaction while no other is noted. */
int change_log_step(struct store *s, int64_t step, struct err *err);

#endif
