/*
 * ascii.h: classes of ASCII bytes. Unlike those of <ctype.h> they are the same in every locale, and
 * defined for any char, signed or not.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool
ascii_is_space(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Whether a text has nothing but white space. */
static inline bool
ascii_is_blank(const char *text, size_t len)
{
	while (len > 0 && ascii_is_space(*text)) {
		text++;
		len--;
	}
	return len == 0;
}

/* The newline from p on; end: there is none. */
static inline const char *
ascii_line_end(const char *p, const char *end)
{
	const char *nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;

	return nl != NULL ? nl : end;
}

/* The text without white space at both ends; *len becomes its length. */
static inline const char *
ascii_trim(const char *text, size_t *len)
{
	while (*len > 0 && ascii_is_space(text[*len - 1]))
		--*len;
	for (; *len > 0 && ascii_is_space(*text); text++)
		--*len;
	return text;
}

static inline bool
ascii_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* The value of a hexadecimal digit; -1: it is none. */
static inline int
ascii_hex(int c)
{
	int letter = (c | 32) - 'a';

	return ascii_is_digit(c) ? c - '0' : letter >= 0 && letter < 6 ? letter + 10 : -1;
}

static inline bool
ascii_is_upper(int c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool
ascii_is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || ascii_is_upper(c);
}

static inline bool
ascii_is_alnum(int c)
{
	return ascii_is_letter(c) || ascii_is_digit(c);
}

static inline char
ascii_lower(int c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

static inline char
ascii_upper(int c)
{
	return (char)(c >= 'a' && c <= 'z' ? c - 32 : c);
}
