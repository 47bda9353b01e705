/*
 * fields.h: the fields of a record as a table: what each is called in JSON, what it holds, and
 * where that stands in a struct. The same table writes a record and reads it from an export.
 */
#pragma once

#include <stddef.h>

#include "base/hash.h"
#include "base/id.h"
#include "json/json.h"

enum field_kind {
	FIELD_USER,                /* whose it is, which stands beside the struct */
	FIELD_TEXT,                /* const char *; "" none */
	FIELD_NAME,                /* the same, of id_bytes at most */
	FIELD_CONTENT,             /* const char *, and behind it its size_t length */
	FIELD_ID,                  /* char [ID_TEXT]; "" none */
	FIELD_RECORD,              /* const char *, an id; "" none */
	FIELD_TIME,                /* int64_t; TIME_NONE none */
	FIELD_INT,                 /* int64_t from low to high; other: none */
	FIELD_INT32,               /* the same in an int */
	FIELD_SHARE,               /* double from 0 to 1 */
	FIELD_WORD,                /* an enum, the number of one of high names */
	FIELD_FLAG,                /* bool; false: none */
	FIELD_JSON,                /* const char *, JSON text; "" none */
	FIELD_LIST,                /* such of an array */
	FIELD_OBJECT,              /* such of an object */
	FIELD_BYTES                /* uint8_t [high], in hexadecimal digits */
};

enum {
	FIELD_MUST = 1,            /* read: it is an error that there is none */
	FIELD_SHOWN = 2,           /* written, also where there is none */
	FIELD_STORED = 4,          /* written of what is stored alone: what has an id */
	FIELD_OUT = 8              /* it is written alone */
};

struct field {
	const char *key;           /* NULL: the table ends */
	enum field_kind kind;
	unsigned how;              /* of FIELD_MUST and the others */
	size_t at;
	int64_t low, high, other;
	const char *const *names;
};

/* A row: its key, kind without FIELD_, how and place; what else its kind asks for by name. */
#define FIELD(row_key, row_kind, row_how, row_at, ...) \
	{ .key = row_key, .kind = FIELD_##row_kind, .how = row_how, .at = row_at, __VA_ARGS__ }
#define FIELD_OF_USER FIELD("user", USER, 0, 0)
#define FIELD_END     FIELD(NULL, USER, 0, 0)

/* Where the text of a field stands in a struct; NULL: it is of another kind. */
const char **field_text(const struct field *f, void *in);

/* Writes the members. user is for FIELD_USER. */
void fields_write(struct buf *out, const struct field *table, const char *user, const void *from);

/*
 * Reads the fields of v; what is not there becomes none. It borrows from v and a. ERR_DATA: one is
 * not what it may be, and which.
 */
int fields_read(const struct json *v, const struct field *table, void *to, struct arena *a,
	struct err *err);

/* The key's value is not what it may be: -1. */
int field_not_a(struct err *err, const char *key, const char *what);

/*
 * The members of v whose keys are in none of the tables and not among more, as an object; "" for
 * none. Both lists end with NULL.
 */
const char *fields_others(const struct json *v, const struct field *const *tables,
	const char *const *more, struct arena *a);
