/*
 * changes.h: the log of changes, which tells other stores what is new here (schema/store-15.sql).
 * Private to lib/store.
 */
#ifndef STORE_WRITE_CHANGES_H
#define STORE_WRITE_CHANGES_H

#include "store/sql/handle.h"

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

#endif
