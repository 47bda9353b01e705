/*
 * rows.h: the rows of a fact or reflection, and the steps that change them. Private to
 * lib/store/sql.
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

/*
 * The last step that was made by then, for STMT_RECORDS_KNOWN_*; before all of them the first
 * number of the user's.
 */
int step_known(struct store *s, int64_t user, int64_t time_us, int64_t *step, struct err *err);

/* Binds scope and filter, ?1 to ?17 and ?20 to ?22, from row lo to row hi. */
void rows_bind(struct db_stmt *q, const struct scope *who, const struct scope_numbers *n,
	const struct record_filter *f, int64_t lo, int64_t hi);

/* A statement whose first parameters are an id of the user's, lo and hi (and a fourth), run. */
int row_run(struct store *s, enum stmt which, int64_t row, int64_t fourth, struct err *err);
/* The record, its fact and its sources are deleted, nothing else. */
int rows_delete(struct store *s, int64_t row, struct err *err);

#endif
