/*
 * dialect.h: a statement of the store (schema/statements, as SQLite reads it) as PostgreSQL reads
 * it. Private to lib/store/postgres.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct buf;

#define DIALECT_PARAMETERS 32

struct dialect {
	char *sql;                             /* parameters are $1, $2 ... */
	int n_parameters;
	/*
	 * A parameter that may be a text or bytes, as SQLite's column has no type. In PostgreSQL it
	 * is bytea: a text as it is, bytes after a zero byte, which no text has.
	 */
	bool any[DIALECT_PARAMETERS];
	bool unused[DIALECT_PARAMETERS];       /* a parameter that the text does not use */
	bool writes;                           /* it changes rows */
	/*
	 * For a statement that puts a row: one that puts many, from an array for each column, and
	 * the types of the columns: i for int8, r for float8, t for text, b for bytea. NULL:
	 * there is none.
	 */
	char *many, columns[DIALECT_PARAMETERS + 1];
	/*
	 * For a read: a statement that reads for many values of parameter together_by, and of
	 * another one if together_and is not 0, at once, given as arrays. Its last column says for
	 * which of them a row is, 1, 2 ..., ascending. NULL: there is none.
	 */
	char *together;
	int together_by, together_and;
	/*
	 * It gives one row: how many rows it put, and whether it put none because of a conflict of
	 * unique values (db_was_taken).
	 */
	bool tells_taken;
	/*
	 * On a store that is spread, the last parameter is the user's number: that of parameter
	 * user_from without its last user_shift bits. 0: there is none.
	 */
	int user_from, user_shift;
};

/* which: a number of stmt.h; sql: its text there. */
void dialect_of(int which, const char *sql, struct dialect *out);
void dialect_release(struct dialect *d);

/* ---- what both kinds of changes are made of ---- */
bool dialect_is_word(char c);
struct phrase { const char *from, *to; };
/* Adds the text with its phrases exchanged. */
void dialect_exchange(const struct phrase *all, size_t n, const char *sql, struct buf *out);

/* ---- spread.c ---- */
/* The tables of users, which are spread; NULL ends them. */
extern const char *const spread_tables[];
/* Whether a statement reads or writes one. */
bool spread_reads(const char *sql);
/* Turns a statement into that for a store which is spread. */
void spread(int which, struct dialect *d);
