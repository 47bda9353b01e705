/*
 * column.h: a column of the row that a statement stands on, and a parameter, where NULL has a meaning of ours. Private to lib/store/sqlite.
 */
#ifndef STORE_SQLITE_COLUMN_H
#define STORE_SQLITE_COLUMN_H

#include "store/sqlite/db.h"

/* "" for NULL; else copied to the arena. */
static inline const char *
column_text(sqlite3_stmt *q, int at, struct arena *a)
{
	const unsigned char *p = sqlite3_column_text(q, at);

	return p == NULL ? "" : arena_strndup(a, (const char *)p, (size_t)sqlite3_column_bytes(q, at));
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
