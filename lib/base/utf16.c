/*
 * utf16.c: what tells UTF-16 without a mark is where NULs stand: ASCII has them in every other
 * byte, and even a text in Chinese has spaces and ends of lines.
 */
#include "base/utf16.h"

#include "base/utf8.h"

#define LOOK_BYTES   4096
#define FEWEST       8             /* units by which a text without a mark is known */
#define FEWEST_LAST  8             /* bytes in UTF-8 by which an end is known */

static uint32_t
unit_at(const unsigned char *p, enum utf16_order order)
{
	return order == UTF16_LITTLE ? p[0] | (uint32_t)p[1] << 8 : p[1] | (uint32_t)p[0] << 8;
}

static bool
is_control(uint32_t cp)
{
	return (cp < 0x20 && cp != '\t' && cp != '\n' && cp != '\r' && cp != '\f') || cp == 0x7f;
}

/* How many of the units are ASCII; 0: what some of them stand for is in no text. */
static size_t
ascii_units(const unsigned char *p, size_t n, enum utf16_order order)
{
	size_t n_ascii = 0;

	for (size_t i = 0; i + 1 < n; i += 2) {
		uint32_t unit = unit_at(p + i, order);

		if (unit >= 0xd800 && unit <= 0xdbff) {
			uint32_t low = i + 3 < n ? unit_at(p + i + 2, order) : 0xdc00;

			if (low < 0xdc00 || low > 0xdfff)
				return 0;
			i += 2;
			continue;
		}
		/* the other halves of pairs, private characters, and those that are none */
		if (is_control(unit) || (unit >= 0xdc00 && unit <= 0xf8ff) || unit >= 0xfffe)
			return 0;
		n_ascii += unit < 0x80;
	}
	return n_ascii;
}

/* How many of the bytes are in no text in UTF-8; a NUL is not counted. */
static size_t
bad_bytes(const unsigned char *p, size_t n)
{
	const char *s = (const char *)p, *end = s + n;
	size_t n_bad = 0;

	while (s < end) {
		uint32_t cp;
		size_t len = utf8_decode(s, end, &cp);

		/* the last character may be cut */
		n_bad += len == 0 ? end - s > 3 : cp != 0 && is_control(cp);
		s += MAX(len, 1);
	}
	return n_bad;
}

enum utf16_order
utf16_of(const unsigned char *p, size_t n, size_t *mark)
{
	static const enum utf16_order orders[] = { UTF16_LITTLE, UTF16_BIG };

	*mark = 2;
	if (n >= 2 && (p[0] | p[1] << 8) == 0xfeff)
		return n >= 4 && p[2] == 0 && p[3] == 0 ? UTF16_NONE : UTF16_LITTLE;
	if (n >= 2 && (p[1] | p[0] << 8) == 0xfeff)
		return UTF16_BIG;
	*mark = 0;
	n = MIN(n, (size_t)LOOK_BYTES);
	size_t n_units = n / 2;
	if (n_units < FEWEST || memchr(p, '\0', n) == NULL)
		return UTF16_NONE;
	for (size_t i = 0; i < NELEM(orders); i++) {
		size_t n_ascii = ascii_units(p, n, orders[i]);

		if (n_ascii * 5 >= n_units * 2 ||
		    (n_ascii * 20 >= n_units && bad_bytes(p, n) * 6 >= n_units))
			return orders[i];
	}
	return UTF16_NONE;
}

static void
put(struct buf *out, uint32_t cp)
{
	char utf8[4];

	/* half of a pair is written as if it were a character, which no UTF-8 has */
	if (cp >= 0xd800 && cp <= 0xdfff)
		buf_addf(out, "%c%c%c", (char)0xed, (char)(0x80 | (cp >> 6 & 0x3f)),
		    (char)(0x80 | (cp & 0x3f)));
	else
		buf_add(out, utf8, utf8_encode(cp, utf8));
}

static void
put_unit(struct utf16 *u, uint32_t unit, struct buf *out)
{
	uint32_t high = u->high;

	u->high = 0;
	if (high != 0 && unit >= 0xdc00 && unit <= 0xdfff) {
		put(out, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
		return;
	}
	if (high != 0)
		put(out, high);
	if (unit >= 0xd800 && unit <= 0xdbff)
		u->high = unit;
	else
		put(out, unit);
}

/*
 * Whether the text goes on in UTF-8: the bytes since the last unit that is ASCII are text in it,
 * which those of Chinese in UTF-16 are by chance once in ten million times.
 */
static bool
is_left(const struct utf16 *u, bool end)
{
	return (u->n_since == UTF16_LOOK ||
		   (end && u->n_since >= FEWEST_LAST && memchr(u->since, '\n', u->n_since))) &&
	    bad_bytes(u->since, u->n_since) == 0;
}

bool
utf16_read(struct utf16 *u, const unsigned char *p, size_t n, bool end, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		u->half[u->n_half++] = p[i];
		if (u->n_half < 2)
			continue;
		u->n_half = 0;
		uint32_t unit = unit_at(u->half, u->order);
		put_unit(u, unit, out);
		if (unit < 0x80)
			u->n_since = 0;
		else if (u->n_since < UTF16_LOOK) {
			memcpy(u->since + u->n_since, u->half, 2);
			u->n_since += 2;
			if (is_left(u, false))
				return false;
		}
	}
	if (end && is_left(u, true))
		return false;
	if (end && u->high != 0)
		put(out, u->high);
	if (end && u->n_half > 0)
		buf_addc(out, (char)0xff);
	return true;
}
