/*
 * dialect.h: a statement of the store (store/sql/stmt.c, as SQLite reads it) as PostgreSQL reads
 * it. Private to lib/store/postgres.
 */
#ifndef STORE_POSTGRES_DIALECT_H
#define STORE_POSTGRES_DIALECT_H

#include <stdbool.h>

#define DIALECT_PARAMETERS 32

struct dialect {
	char *sql;                             /* parameters are $1, $2 ...; to be freed */
	int n_parameters;
	/*
	 * A parameter that is a text or bytes, where the column has no type of its own in SQLite.
	 * In PostgreSQL it is bytea: a text as it is, bytes behind a zero byte, which no text has.
	 */
	bool any[DIALECT_PARAMETERS];
	bool unused[DIALECT_PARAMETERS];       /* one that the text does not speak of */
	bool writes;                           /* it changes rows */
	/*
	 * A row that many may be put of at a time, from an array a column: the statement, and the
	 * columns' types, i for int8, t for text, b for bytea. NULL: no such.
	 */
	const char *many, *columns;
	/*
	 * A read that is declared for many values of one parameter, which are given as an array:
	 * the last column says of which of them a row is, 1, 2 ..., ascending. 0: no such.
	 */
	const char *together;
	int together_by;
	/*
	 * It gives one row: how many rows it put, and whether it put none because a value that only
	 * one may have is another's.
	 */
	bool tells_taken;
};

/* which: a number of stmt.h; sql: its text there. */
void dialect_of(int which, const char *sql, struct dialect *out);

#endif
