/* print.h: shows stored text to a person, so that nothing in it can drive the terminal. */
#pragma once

#include "base/buf.h"

/*
 * Appends text, with C0 (except \n and \t), DEL, C1, bidi controls, tags and zero-width characters
 * as visible escapes (\x1b, \u202e).
 */
void print_safe(struct buf *out, const char *text, size_t len);

/*
 * Appends JSON text, with those characters as escapes of JSON (\u202e), so that it means the same.
 * ASCII controls are escaped in JSON already, and line ends stay.
 */
void print_json(struct buf *out, const char *json, size_t len);

/*
 * Like print_safe, on one line of at most columns columns: runs of white space become one space,
 * and "…" shows a cut.
 */
void print_line(struct buf *out, const char *text, size_t len, int columns);

/* The same, padded with blanks to columns, and gap blanks behind. */
void print_cell(struct buf *out, const char *text, size_t len, int columns, int gap);

/* The columns that the bytes of out from at on take. */
int print_columns(const struct buf *out, size_t at);

/* Like print_safe, wrapped at columns, with each line behind indent spaces. */
void print_wrapped(struct buf *out, const char *text, size_t len, int columns, int indent);

/*
 * The same, but the first line goes behind the indent columns that are printed already. text is not
 * empty.
 */
void print_hanging(struct buf *out, const char *text, size_t len, int columns, int indent);

/*
 * Like print_wrapped, with the bytes from marks[i][0] to marks[i][1] in bold. The marks [n] are in
 * order and do not touch.
 */
void print_marked(struct buf *out, const char *text, size_t len, int columns, int indent,
	const uint16_t (*marks)[2], size_t n);
