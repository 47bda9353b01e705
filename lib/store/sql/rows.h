/*
 * rows.h: the rows of a fact or reflection, and the steps that change them. Private to
 * lib/store.
 */
#ifndef STORE_SQL_ROWS_H
#define STORE_SQL_ROWS_H

#include "store/records.h"
#include "store/sql/slots.h"

/*
 * To be called before the rows of a record are written: makes the step when this is its first
 * change, and keeps the rows as they are when this is its first change of the record. existed
 * false: there are none yet.
 */
int step_log(struct store *s, const struct scope *who, struct step *st, int64_t row, bool existed,
	struct err *err);

/* The record at row as it was before a step; *out NULL: there was none. */
int record_was(struct store *s, int64_t row, int64_t step, struct arena *a,
	const struct fact **out, struct err *err);
/*
 * The rows of f->head.row, which are not there; new: an id that is taken is made anew, else that is
 * an error.
 */
int rows_put(struct store *s, int64_t user, struct fact *f, bool is_new, struct err *err);
/* A step with its time, and its name, which is made when it is NULL. */
int step_put(struct store *s, int64_t user, struct step *st, const uint8_t ulid[ID_BYTES],
	struct err *err);
/* Names for steps of stores before version 12, the same wherever the store is. */
int steps_name_all(struct store *s, struct err *err);

/* Binds scope and filter, ?1 to ?17 and ?20 to ?22, from row lo to row hi. */
void rows_bind(struct db_stmt *q, const struct scope *who, const struct scope_numbers *n,
	const struct record_filter *f, int64_t lo, int64_t hi);

/* A statement whose first parameters are an id of the user's, lo and hi (and a fourth), run. */
int row_run(struct store *s, enum stmt which, int64_t row, int64_t fourth, struct err *err);
/* The record, its fact and its sources are deleted, nothing else. */
int rows_delete(struct store *s, int64_t row, struct err *err);

#endif
