/*
 * print.h: stored text for a person's eyes: nothing in it can drive the terminal.
 */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "base/buf.h"

/*
 * Appends text; C0 (but \n and \t), DEL, C1, bidi controls, tags and zero-width characters become
 * visible escapes (\x1b, \u202e).
 */
void print_safe(struct buf *out, const char *text, size_t len);

/*
 * Appends JSON text, as it is but for those characters, which become escapes of JSON's (\u202e): it
 * says the same. Controls of ASCII are escaped in it already, and its line ends stay.
 */
void print_json(struct buf *out, const char *json, size_t len);

/*
 * As print_safe, on one line of at most columns columns: white space runs become one space, "…"
 * where it was cut.
 */
void print_line(struct buf *out, const char *text, size_t len, int columns);

/* The same, filled up with blanks to columns, and gap blanks behind it. */
void print_cell(struct buf *out, const char *text, size_t len, int columns, int gap);

/* Columns of what stands in out from byte at on. */
int print_columns(const struct buf *out, size_t at);

/* As print_safe, wrapped at columns with each line after indent spaces. */
void print_wrapped(struct buf *out, const char *text, size_t len, int columns, int indent);

/*
 * The same, but the first line stands behind what is there already, indent columns; text is not
 * empty.
 */
void print_hanging(struct buf *out, const char *text, size_t len, int columns, int indent);

/*
 * As print_wrapped, with the bytes from marks[i][0] to marks[i][1] in bold; marks [n] in order,
 * apart from each other.
 */
void print_marked(struct buf *out, const char *text, size_t len, int columns, int indent,
	const uint16_t (*marks)[2], size_t n);

/* A number for people: 12,345. */
void print_count(struct buf *out, int64_t n);

#endif
