/*
 * rows.h: the rows of a fact or reflection, and the steps that change them. Private to lib/store.
 */
#pragma once

#include "store/records.h"
#include "store/sql/handle.h"
#include "store/vectors/slots.h"

/*
 * To be called before the rows of a record are written. Makes the step with its first change, and
 * keeps the record's rows as they are with the step's first change of this record. existed false:
 * there are none yet.
 */
int step_log(struct store *s, const struct scope *who, struct step *st, int64_t row, bool existed,
	struct err *err);

/* The record at row as it was before the step; *out NULL: there was none. */
int record_was(struct store *s, int64_t row, int64_t step, struct arena *a,
	const struct fact **out, struct err *err);
/*
 * Declares that records_by_row, or with steps record_was, will be asked for these [n]: see
 * store_gather.
 */
int records_want(struct store *s, const struct scope *who, const int64_t *rows,
	const int64_t *steps, size_t n, int64_t known_us, struct err *err);
/*
 * Writes the rows of a record that has none. is_new: an id that is taken is replaced by a new one;
 * else it is an error.
 */
int rows_put(struct store *s, int64_t user, struct fact *f, bool is_new, struct err *err);
/* Writes the row of a step with its time and its name, which is made if ulid is NULL. */
int step_put(struct store *s, int64_t user, struct step *st, const uint8_t ulid[ID_BYTES],
	struct err *err);
/* Reads a step's row; *agent: who made it, still a number. */
void step_read(struct db_stmt *q, struct arena *a, struct step *out, int64_t *agent);
/* Names all steps of a store from before version 12, in every copy of the store alike. */
int steps_name_all(struct store *s, struct err *err);

/* A scope and a filter, for rows lo to hi, as parameters. */
struct rows_args { struct db_value v[25]; };
struct rows_args rows_args(const struct scope *who, const struct scope_numbers *n,
	const struct record_filter *f, int64_t lo, int64_t hi, int64_t limit);

/* records_each of facts, as they are now: by when they were said. */
int facts_by_time(struct store *s, const struct scope *who, const struct record_filter *f,
	fact_fn *fn, void *arg, struct err *err);

/* Deletes the rows of a record, its fact and its sources, and nothing else. */
int rows_delete(struct store *s, int64_t row, struct err *err);

/* ---- categories.c ---- */
struct category;
/* In the open transaction: adds a category with this id; c->row is filled. */
int category_add(struct store *s, int64_t user, const uint8_t ulid[ID_BYTES], struct category *c,
	struct err *err);
/*
 * Takes messages of rows lo to hi, which are being removed, out of their categories, and removes
 * the names of these.
 */
int members_forget(struct store *s, int64_t lo, int64_t hi, struct err *err);
