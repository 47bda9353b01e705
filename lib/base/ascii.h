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

/* The place behind the white space at a place of a text, before end. */
static inline size_t
ascii_skip(const char *text, size_t at, size_t end)
{
	while (at < end && ascii_is_space(text[at]))
		at++;
	return at;
}

/* Whether a text has nothing but white space. */
static inline bool
ascii_is_blank(const char *text, size_t len)
{
	return ascii_skip(text, 0, len) == len;
}

/* The newline from p on; end: there is none. */
static inline const char *
ascii_line_end(const char *p, const char *end)
{
	const char *nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;

	return nl != NULL ? nl : end;
}

/* The length of a text without the white space at its end. */
static inline size_t
ascii_end(const char *text, size_t len)
{
	while (len > 0 && ascii_is_space(text[len - 1]))
		len--;
	return len;
}

/* The text without white space at both ends; *len becomes its length. */
static inline const char *
ascii_trim(const char *text, size_t *len)
{
	size_t at = ascii_skip(text, 0, *len);

	*len = ascii_end(text + at, *len - at);
	return text + at;
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

/* Whether a text [len] begins with a word, in any case of its letters of ASCII. */
static inline bool
ascii_begins(const char *text, size_t len, const char *word)
{
	for (; *word != '\0'; word++, text++, len--)
		if (len == 0 || ascii_lower(*text) != ascii_lower(*word))
			return false;
	return true;
}

/* The same of all of it. */
static inline bool
ascii_is(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && ascii_begins(text, len, word);
}

/* Whether it has the word anywhere. */
static inline bool
ascii_has(const char *text, size_t len, const char *word)
{
	while (len > 0 && !ascii_begins(text, len, word)) {
		text++;
		len--;
	}
	return len > 0;
}

/* The same of any of the words [n]. */
static inline bool
ascii_is_any(const char *text, size_t len, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ascii_is(text, len, words[i]))
			return true;
	return false;
}
