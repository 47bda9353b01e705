/*
 * column.h: reads columns in the forms that the store uses, with what NULL means in each. Private
 * to lib/store.
 */
#pragma once

#include "store/sql/handle.h"

/*
 * A text, borrowed until the statement moves on. "" for NULL, which a damaged row may hold even
 * where there should be a text.
 */
static inline const char *
column_peek(struct db_stmt *q, int at)
{
	const char *p = db_column_text(q, at);

	return p == NULL ? "" : p;
}

/* The same, copied to the arena; *len its bytes. */
static inline const char *
column_text_len(struct db_stmt *q, int at, struct arena *a, size_t *len)
{
	const struct db_value v = db_column(q, at, DB_TEXT);

	return arena_strndup(a, v.bytes == NULL ? "" : v.bytes, *len = (size_t)v.n);
}

static inline const char *
column_text(struct db_stmt *q, int at, struct arena *a)
{
	size_t len;

	return column_text_len(q, at, a, &len);
}

/* An id as text; "" for bytes that are no id. */
static inline void
column_ulid(struct db_stmt *q, int at, char out[ID_TEXT])
{
	const struct db_value v = db_column(q, at, DB_BLOB);

	out[0] = '\0';
	if (v.n == ID_BYTES)
		id_format(v.bytes, out);
}

/* Copies a column of exactly n bytes. false: it has others, and nothing is copied. */
static inline bool
column_copy(struct db_stmt *q, int at, void *out, size_t n)
{
	const struct db_value v = db_column(q, at, DB_BLOB);

	if ((size_t)v.n == n)
		memcpy(out, v.bytes, n);
	return (size_t)v.n == n;
}

/* Whether the column is exactly these bytes. */
static inline bool
column_is(struct db_stmt *q, int at, const void *bytes, size_t n)
{
	const struct db_value v = db_column(q, at, DB_BLOB);

	return (size_t)v.n == n && memcmp(v.bytes, bytes, n) == 0;
}

/* A number from 0 to n - 1, to be used as an index; a damaged row may hold any number. */
static inline int
column_within(struct db_stmt *q, int at, int n)
{
	int64_t v = db_column_int(q, at);

	return v < 0 ? 0 : v < n ? (int)v : n - 1;
}

static inline int64_t
column_time(struct db_stmt *q, int at)
{
	return db_column_type(q, at) == DB_NULL ? TIME_NONE : db_column_int(q, at);
}
