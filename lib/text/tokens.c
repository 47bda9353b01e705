/*
 * tokens.c: estimates token counts in quarters: one for a byte of Latin text, four for a character
 * of a script that models encode character by character, two for a byte of any other script. The
 * estimate is exact for no model, close for all, and cheap.
 */
#include "base/ascii.h"
#include "text/tokens.h"

#include <limits.h>

#include "base/utf8.h"

/* the cut moves back to a space that is at most this far before the limit */
#define NEAR_BYTES 24

static bool
is_one_token(uint32_t cp)
{
	return (cp >= 0x1100 && cp <= 0x11ff) || (cp >= 0x2e80 && cp <= 0xa4cf) ||
	    (cp >= 0xa960 && cp <= 0xa97f) || (cp >= 0xac00 && cp <= 0xd7ff) ||
	    (cp >= 0xf900 && cp <= 0xfaff) || (cp >= 0xff00 && cp <= 0xffef) ||
	    (cp >= 0x20000 && cp <= 0x3ffff);
}

static bool
is_latin(uint32_t cp)
{
	return cp < 0x250 || (cp >= 0x1e00 && cp <= 0x1eff) || (cp >= 0x2000 && cp <= 0x206f);
}

/* Returns the length in bytes of the character at p; *quarters is its cost. */
static size_t
step(const char *p, const char *end, unsigned *quarters)
{
	uint32_t cp;

	*quarters = 1;
	if ((unsigned char)*p < 0x80)
		return 1;
	size_t n = utf8_decode(p, end, &cp);
	if (n == 0)
		return 1;
	*quarters = is_one_token(cp) ? 4 : is_latin(cp) ? (unsigned)n : 2 * (unsigned)n;
	return n;
}

static inline uint64_t
eight_bytes(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

static inline bool
are_ascii(uint64_t bytes)
{
	return (bytes & 0x8080808080808080u) == 0;
}

uint64_t
tokens_quarters(const char *text, size_t len)
{
	const char *p = text, *end = text + len;
	uint64_t sum = 0;
	unsigned quarters;

	while (p < end) {
		if (end - p >= 32 &&
		    are_ascii(eight_bytes(p) | eight_bytes(p + 8) | eight_bytes(p + 16) |
			eight_bytes(p + 24))) {
			p += 32;
			sum += 32;
		} else if (end - p >= 8 && are_ascii(eight_bytes(p))) {
			p += 8;
			sum += 8;
		} else {
			p += step(p, end, &quarters);
			sum += quarters;
		}
	}
	return sum;
}

unsigned
tokens_estimate(const char *text, size_t len)
{
	uint64_t sum = (tokens_quarters(text, len) + 3) / 4;

	return sum > UINT_MAX ? UINT_MAX : (unsigned)sum;
}

size_t
tokens_clip(const char *text, size_t len, unsigned max_tokens)
{
	const char *p = text, *end = text + len, *q;
	uint64_t left = 4 * (uint64_t)max_tokens;
	unsigned quarters;

	while (p < end) {
		size_t n = step(p, end, &quarters);

		if (quarters > left)
			break;
		left -= quarters;
		p += n;
	}
	if (p == end || p == text)
		return (size_t)(p - text);
	/*
	 * stops at a character of three bytes: scripts without spaces are cut at the limit itself
	 */
	for (q = p; q > text && p - q < NEAR_BYTES && (unsigned char)*q < 0xe0; q--)
		if (ascii_is_space(*q))
			break;
	if (!ascii_is_space(*q))
		q = p;
	while (q > text && ascii_is_space(q[-1]))
		q--;
	return (size_t)((q > text ? q : p) - text);
}
