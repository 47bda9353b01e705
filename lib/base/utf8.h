/*
 * utf8.h: UTF-8 (RFC 3629): strict, no surrogates, no overlong forms, at most U+10FFFF.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/base.h"

/*
 * Decodes one code point at p < end into *cp; returns the bytes read, or 0 when the bytes are no
 * UTF-8.
 */
size_t utf8_decode(const char *p, const char *end, uint32_t *cp);
size_t utf8_encode(uint32_t cp, char out[4]);
bool utf8_valid(const char *s, size_t len);                    /* 8 ASCII bytes a step */
/* offset of the first bad byte, len when none */
size_t utf8_bad_at(const char *s, size_t len);
/* largest length <= max_bytes at a boundary */
size_t utf8_clip(const char *s, size_t len, size_t max_bytes);
size_t utf8_count(const char *s, size_t len);                  /* code points */

/*
 * Drives a terminal, or changes how other characters look while being nothing itself: C0 (also \n
 * and \t), DEL, C1, bidi controls, zero width, fillers, tags (Unicode TR 36 and 55).
 */
bool utf8_unsafe(uint32_t cp);

/* Columns of a terminal: 0 for marks and controls, 2 for wide East Asian and emoji, else 1. */
int utf8_columns(uint32_t cp);

#endif
