/*
 * column.h: a column of the row that a statement stands on, and a parameter, where NULL has a meaning of ours. Private to lib/store/sqlite.
 */
#ifndef STORE_SQLITE_COLUMN_H
#define STORE_SQLITE_COLUMN_H

#include "store/sqlite/db.h"

/* Borrowed until the statement moves on. "" for NULL, which a damaged row may hold where there should be a text. */
static inline const char *
column_peek(sqlite3_stmt *q, int at)
{
	const unsigned char *p = sqlite3_column_text(q, at);

	return p == NULL ? "" : (const char *)p;
}

/* The same, copied to the arena. */
static inline const char *
column_text(sqlite3_stmt *q, int at, struct arena *a)
{
	const char *p = column_peek(q, at);

	return arena_strndup(a, p, (size_t)sqlite3_column_bytes(q, at));
}

/* An id of ours as text; "" for bytes that are none. */
static inline void
column_ulid(sqlite3_stmt *q, int at, char out[ID_TEXT])
{
	out[0] = '\0';
	if (sqlite3_column_bytes(q, at) == ID_BYTES)
		id_format(sqlite3_column_blob(q, at), out);
}

/* A number of 0 to n - 1, which names are taken by; a damaged row may hold any. */
static inline int
column_within(sqlite3_stmt *q, int at, int n)
{
	return MIN(MAX(sqlite3_column_int(q, at), 0), n - 1);
}

static inline int64_t
column_time(sqlite3_stmt *q, int at)
{
	return sqlite3_column_type(q, at) == SQLITE_NULL ? TIME_NONE : sqlite3_column_int64(q, at);
}

/* A parameter; TIME_NONE is NULL. */
static inline void
column_bind_time(sqlite3_stmt *q, int at, int64_t us)
{
	if (us == TIME_NONE)
		sqlite3_bind_null(q, at);
	else
		sqlite3_bind_int64(q, at, us);
}

#endif
