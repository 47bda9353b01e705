/*
 * utf8.h: UTF-8 (RFC 3629): strict, no surrogates, no overlong forms, at most U+10FFFF.
 */
#pragma once

#include "base/buf.h"

/* Decodes one code point at p < end into *cp. Returns the bytes read; 0: they are not UTF-8. */
size_t utf8_decode(const char *p, const char *end, uint32_t *cp);
/* The same, but a byte that is not UTF-8 is read as U+FFFD. */
size_t utf8_next(const char *p, const char *end, uint32_t *cp);
size_t utf8_encode(uint32_t cp, char out[4]);
bool utf8_valid(const char *s, size_t len);                    /* takes 8 ASCII bytes a step */
/*
 * How many bytes that are not seen stand in front of a text: the mark that editors of Windows put
 * there, also twice, marks of direction, blanks that are none or do not break.
 */
size_t utf8_bom(const char *s, size_t len);
/*
 * Whether bytes that are not UTF-8 can be ISO 8859-1 or Windows-1252, in which there are no three
 * letters with accents in a row, and no signs inside of words but an apostrophe: elsewhere "za\xbf"
 * is Polish, and "\xd0\xd2\xc9" Russian.
 */
bool utf8_latin1(const char *s, size_t len);
/* the offset of the first bad byte; len: there is none */
size_t utf8_bad_at(const char *s, size_t len);
/* the largest length <= max_bytes that cuts no character */
size_t utf8_clip(const char *s, size_t len, size_t max_bytes);
/* How many bytes at p, where utf8_decode reads none, were one character that was cut or is none. */
size_t utf8_bad_len(const char *p, const char *end);
/*
 * Appends the text with U+FFFD for each character that is no UTF-8 and for each NUL, but without
 * the NULs at its ends, which are no text. Returns how many were replaced.
 */
size_t utf8_mend(struct buf *out, const char *s, size_t len);
size_t utf8_count(const char *s, size_t len);                  /* code points */

/*
 * Whether the code point drives a terminal, or is invisible but changes how others look: C0 (also
 * \n and \t), DEL, C1, bidi controls, zero width, fillers, tags (Unicode TR 36 and 55).
 */
bool utf8_unsafe(uint32_t cp);

/*
 * The columns that it takes on a terminal: 0 for marks and controls, 2 for wide East Asian
 * characters and emoji, else 1.
 */
int utf8_columns(uint32_t cp);
