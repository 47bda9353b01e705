/*
 * tables.h: the tables of a store as they are copied. Private to lib/store.
 */
#pragma once

#include "base/buf.h"

#define COPY_COLUMNS   32
#define COPY_NAME      32
#define COPY_KEY_PARTS 4

struct copy_table {
	const char *name;
	int n_key;                             /* the first columns are its primary key */
	/*
	 * "no:i name:t": i a whole number, r a real one, t a text, b bytes, a either of these two
	 */
	const char *columns;
	const char *only;                      /* a condition for the rows, or NULL */
};

/* Those that others name come first. The last has no name. */
extern const struct copy_table copy_tables[];

struct copy_columns {
	int n;
	char names[COPY_COLUMNS][COPY_NAME], types[COPY_COLUMNS + 1];
};
void copy_columns(const struct copy_table *t, struct copy_columns *out);
/* Adds the names of the first n, with commas between. */
void copy_add_names(struct buf *sql, const struct copy_columns *c, int n);
