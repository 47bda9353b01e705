/*
 * span.h: how a part of a text, of len bytes and without a NUL behind it, compares with a word.
 * ascii_is and the like do it in any case of letters (base/ascii.h).
 */
#pragma once

#include "base/base.h"

static inline bool
span_begins(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && memcmp(s, word, n) == 0;
}

static inline bool
span_ends(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && memcmp(s + len - n, word, n) == 0;
}

static inline bool
span_is(const char *s, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(s, word, len) == 0;
}

/* The place from which on the word stands there first; len: nowhere. */
static inline size_t
span_find(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word), i = 0;

	while (i + n <= len && memcmp(s + i, word, n) != 0)
		i++;
	return i + n <= len ? i : len;
}

/* The place of the newline from a place on; len: there is none. */
static inline size_t
span_line_end(const char *s, size_t len, size_t at)
{
	const char *nl = at < len ? memchr(s + at, '\n', len - at) : NULL;

	return nl != NULL ? (size_t)(nl - s) : len;
}
