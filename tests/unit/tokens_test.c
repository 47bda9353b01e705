/*
 * tokens_test.c: estimates and clipping; figures by hand from the rule in tokens.h.
 */
#include "tap.h"

#include "base/base.h"
#include "base/utf8.h"
#include "text/tokens.h"

#define HAN "\xe4\xb8\xad"

static const struct { const char *text; unsigned want; } estimates[] = {
	{ "", 0 },
	{ "a", 1 },
	{ "abcd", 1 },
	{ "abcde", 2 },
	{ "12345678 abcdefg", 4 },
	{ "caf\xc3\xa9", 2 },                              /* 5 bytes of Latin */
	{ HAN, 1 },
	{ HAN HAN HAN, 3 },
	{ "ab" HAN, 2 },                                   /* 2/4 + 1 */
	{ "\xed\x95\x9c\xe3\x81\x8b", 2 },                 /* Hangul, Kana */
	{ "\xd0\xbf\xd1\x80\xd0\xb8", 3 },                 /* Cyrillic: 6 bytes, 2 a token */
	{ "\xf0\x9f\x98\x80", 2 },
	{ "\xff\xff\xff\xff\xff", 2 },                     /* no UTF-8: as Latin */
};

static const struct { const char *text; unsigned max; size_t want; } clips[] = {
	{ "abc", 1, 3 },
	{ "abcdefgh", 0, 0 },
	{ "abcdefgh", 1, 4 },                              /* no space near: at the character */
	{ "abc defgh", 1, 3 },                             /* at the space */
	{ "abc defgh", 2, 3 },
	{ "abcd efgh", 1, 4 },
	{ "ab  cdefgh", 2, 2 },
	{ HAN HAN HAN, 2, 6 },
	{ HAN "ab", 1, 3 },
	{ "a" HAN HAN, 1, 1 },
	{ "one two" HAN, 2, 7 },                             /* the word ends where the limit is */
	/* a space at the start is no place to cut */
	{ " abcdefgh", 1, 4 },
};

int
main(void)
{
	unsigned bad = 0, seed = 1;
	char text[128];

	for (size_t i = 0; i < NELEM(estimates); i++)
		is_int(tokens_estimate(estimates[i].text, strlen(estimates[i].text)),
		    estimates[i].want, "estimate of \"%s\"", estimates[i].text);
	for (size_t i = 0; i < NELEM(clips); i++)
		is_int(tokens_clip(clips[i].text, strlen(clips[i].text), clips[i].max),
		    clips[i].want, "\"%s\" clipped to %u", clips[i].text, clips[i].max);

	/* a character of two tokens at each place among 99 letters */
	for (size_t at = 0; at < 100; at++) {
		memset(text, 'a', 99);
		memmove(text + at + 4, text + at, 99 - at);
		memcpy(text + at, "\xf0\x9f\x98\x80", 4);
		bad += tokens_quarters(text, 103) != 99 + 8;
	}
	is_int(bad, 0, "a wide character anywhere");

	/* any text: a clip stays within, ends at a character, and a text within is whole */
	for (unsigned round = 0; round < 20000; round++) {
		static const char *const bits[] = { "a", "bcd", " ", "\n", "\xc3\xa9", HAN,
			"\xd0\xbf", "\xf0\x9f\x98\x80" };
		size_t len = 0, n;
		unsigned max = round % 12, all;

		while (len < 50) {
			const char *bit = bits[(seed = seed * 1103515245u + 12345u) >> 16 & 7];

			memcpy(text + len, bit, strlen(bit));
			len += strlen(bit);
		}
		n = tokens_clip(text, len, max);
		all = tokens_estimate(text, len);
		bad += tokens_estimate(text, n) > max || !utf8_valid(text, n) ||
		    (all <= max && n != len) || (max > 1 && n == 0);
	}
	is_int(bad, 0, "20,000 random texts, clipped");
	return tap_done();
}
