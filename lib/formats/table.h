/*
 * table.h: transcripts as a table: a message a row, its columns named by the first one (RFC 4180,
 * with commas, semicolons or tabs).
 */
#ifndef FORMATS_TABLE_H
#define FORMATS_TABLE_H

#include "base/arena.h"
#include "base/err.h"
#include "json/json.h"

struct table;

/*
 * Whether the first line names columns of which one may hold words and another who said them, or
 * when.
 */
bool table_detect(const char *bytes, size_t len);

struct table *table_new(void);
void table_free(struct table *t);

/* Whether a row begins with this line: the one before has all its quotes. */
bool table_begins(struct table *t, const char *line, size_t len);

/*
 * A row as an object: the columns' names in small letters, "_" for blanks, and what stands in them;
 * a column "user" is the speaker's name. 1: *out, in the arena; 0: it was the row of names; -1:
 * ERR_DATA.
 */
int table_read(struct table *t, const char *row, size_t len, struct arena *a,
	const struct json **out, struct err *err);

#endif
