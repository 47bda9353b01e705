/*
 * column.h: reads columns and binds parameters in the forms that the store uses, with what NULL
 * means in each. Private to lib/store.
 */
#ifndef STORE_SQL_COLUMN_H
#define STORE_SQL_COLUMN_H

#include "store/sql/store_parts.h"

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

/* The same, copied to the arena. */
static inline const char *
column_text(struct db_stmt *q, int at, struct arena *a)
{
	const char *p = column_peek(q, at);

	return arena_strndup(a, p, (size_t)db_column_bytes(q, at));
}

/* An id as text; "" for bytes that are no id. */
static inline void
column_ulid(struct db_stmt *q, int at, char out[ID_TEXT])
{
	out[0] = '\0';
	if (db_column_bytes(q, at) == ID_BYTES)
		id_format(db_column_blob(q, at), out);
}

/* A number from 0 to n - 1, to be used as an index; a damaged row may hold any number. */
static inline int
column_within(struct db_stmt *q, int at, int n)
{
	return MIN(MAX(db_column_int(q, at), 0), n - 1);
}

static inline int64_t
column_time(struct db_stmt *q, int at)
{
	return db_column_type(q, at) == DB_NULL ? TIME_NONE : db_column_int(q, at);
}

/* A parameter; "" and NULL are NULL. */
static inline void
column_bind_text(struct db_stmt *q, int at, const char *text)
{
	if (text == NULL || *text == '\0')
		db_bind_null(q, at);
	else
		db_bind_text(q, at, text, -1);
}

/* A parameter; TIME_NONE is NULL. */
static inline void
column_bind_time(struct db_stmt *q, int at, int64_t us)
{
	if (us == TIME_NONE)
		db_bind_null(q, at);
	else
		db_bind_int(q, at, us);
}

#endif
