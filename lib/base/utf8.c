/*
 * utf8.c: UTF-8 read by the table of well-formed byte sequences (Unicode 3.9, table 3-7), and how
 * wide characters stand on a terminal.
 *
 * Checking steps over ASCII eight bytes at a time: a word with no top bit set holds eight whole
 * characters.
 */
#include "base/utf8.h"

#include "base/ascii.h"

#define TOP_BITS 0x8080808080808080u

static bool
is_tail(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

size_t
utf8_decode(const char *p, const char *end, uint32_t *cp)
{
	uint32_t c = (unsigned char)*p;
	size_t left = (size_t)(end - p);

	if (c < 0x80) {
		*cp = c;
		return 1;
	}
	if (c < 0xc2 || c > 0xf4 || left < 2 || !is_tail(p[1]))
		return 0;
	uint32_t x = (unsigned char)p[1] & 0x3f;
	if (c < 0xe0) {
		*cp = (c & 0x1f) << 6 | x;
		return 2;
	}
	if (left < 3 || !is_tail(p[2]))
		return 0;
	x = x << 6 | ((unsigned char)p[2] & 0x3f);
	if (c < 0xf0) {
		x |= (c & 0x0f) << 12;
		*cp = x;
		return x >= 0x800 && (x < 0xd800 || x > 0xdfff) ? 3 : 0;
	}
	if (left < 4 || !is_tail(p[3]))
		return 0;
	x = x << 6 | ((unsigned char)p[3] & 0x3f) | (c & 0x07) << 18;
	*cp = x;
	return x >= 0x10000 && x <= 0x10ffff ? 4 : 0;
}

size_t
utf8_next(const char *p, const char *end, uint32_t *cp)
{
	size_t n = utf8_decode(p, end, cp);

	if (n == 0)
		*cp = 0xfffd;
	return MAX(n, (size_t)1);
}

/* Encodes a code point; one that has no UTF-8 becomes U+FFFD. */
size_t
utf8_encode(uint32_t cp, char out[4])
{
	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = 0xfffd;
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

size_t
utf8_bad_at(const char *s, size_t len)
{
	const char *p = s, *end = s + len;
	uint64_t word;
	uint32_t cp;

	while (p < end) {
		if (end - p >= 8) {
			memcpy(&word, p, 8);
			if ((word & TOP_BITS) == 0) {
				p += 8;
				continue;
			}
		}
		size_t n = utf8_decode(p, end, &cp);
		if (n == 0)
			return (size_t)(p - s);
		p += n;
	}
	return len;
}

bool
utf8_valid(const char *s, size_t len)
{
	return utf8_bad_at(s, len) == len;
}

size_t
utf8_bad_len(const char *p, const char *end)
{
	unsigned char lead = (unsigned char)*p;
	size_t n = 1, most = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;

	while (lead < 0xf8 && n < most && p + n < end && ((unsigned char)p[n] & 0xc0) == 0x80)
		n++;
	return n;
}

size_t
utf8_mend(struct buf *out, const char *s, size_t len)
{
	size_t n_mended = 0;

	while (len > 0 && s[len - 1] == '\0')
		len--;
	for (; len > 0 && *s == '\0'; s++)
		len--;
	while (len > 0) {
		const char *nul = memchr(s, '\0', len);
		size_t good = utf8_bad_at(s, nul != NULL ? (size_t)(nul - s) : len);

		buf_add(out, s, good);
		if (good == len)
			break;
		buf_adds(out, "\xef\xbf\xbd");
		n_mended++;
		good += utf8_bad_len(s + good, s + len);
		s += good;
		len -= good;
	}
	return n_mended;
}

size_t
utf8_clip(const char *s, size_t len, size_t max_bytes)
{
	uint32_t cp;
	size_t start;

	/* a text may end in half a character, cut by whoever made it */
	size_t n = MIN(len, max_bytes);
	for (start = n; start > 0 && n - start < 4; start--) {
		if (is_tail(s[start - 1]))
			continue;
		start--;
		break;
	}
	/*
	 * the last character that starts before n stays if it is whole, or if these bytes are not
	 * UTF-8 anyway
	 */
	if (start < n && ((unsigned char)s[start] & 0xc0) == 0xc0) {
		size_t size = utf8_decode(s + start, s + len, &cp);
		unsigned char c = (unsigned char)s[start];
		size_t meant = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;

		if (size == 0 ? start + meant > n : start + size > n)
			return start;
	}
	return n;
}

/* The marks of direction, and blanks that are none or do not break, but no joiners of letters. */
static bool
is_unseen(uint32_t cp)
{
	return cp == 0xa0 || cp == 0x61c || cp == 0xfeff || cp == 0x200b || cp == 0x200e ||
	    cp == 0x200f || (cp >= 0x202a && cp <= 0x202f) || (cp >= 0x2060 && cp <= 0x2069);
}

size_t
utf8_bom(const char *s, size_t len)
{
	size_t at = 0, n;
	uint32_t cp = 0;

	while (at < len && (n = utf8_decode(s + at, s + len, &cp)) > 0 && is_unseen(cp))
		at += n;
	return at;
}

size_t
utf8_count(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += !is_tail(s[i]);
	return n;
}

struct range { uint32_t first, last; };
/* What takes no column, and two: marks and what only changes how others look; wide characters. */
#include "gen/width.h"

static bool
in_ranges(uint32_t cp, const struct range *r, size_t n)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (cp > r[mid].last)
			low = mid + 1;
		else
			high = mid;
	}
	return low < n && cp >= r[low].first;
}

bool
utf8_latin1(const char *s, size_t len)
{
	size_t row = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];
		bool inside = i > 0 && i + 1 < len && ascii_is_letter(s[i - 1]) &&
		    ((unsigned char)s[i + 1] >= 0x80 || ascii_is_letter(s[i + 1]));

		row = c < 0x80 ? 0 : row + 1;
		if (row == 3 || (inside && ((c >= 0x80 && c < 0xc0 &&
		    strchr("\x92\xa0\xad\xb4\xb7", c) == NULL) || c == 0xd7 || c == 0xf7)))
			return false;
	}
	return true;
}

/*
 * Code points that drive a terminal, or are invisible but change how others look (Unicode TR 36 and
 * 55).
 */
static const struct range unsafe[] = {
	{ 0x0000, 0x001f }, { 0x007f, 0x009f }, /* C0, DEL, C1 */
	{ 0x00ad, 0x00ad }, { 0x034f, 0x034f }, /* soft hyphen, grapheme joiner */
	{ 0x061c, 0x061c },                     /* Arabic letter mark */
	{ 0x115f, 0x1160 }, { 0x17b4, 0x17b5 }, /* fillers */
	{ 0x180b, 0x180e },                     /* Mongolian separators */
	/* zero width, left-to-right and right-to-left marks */
	{ 0x200b, 0x200f },
	/* line and paragraph separator, embeddings, overrides */
	{ 0x2028, 0x202e },
	{ 0x2060, 0x206f },                     /* invisible operators, isolates */
	{ 0x3164, 0x3164 },
	{ 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 },
	{ 0xfff9, 0xfffb },                     /* interlinear annotation */
	{ 0x1d173, 0x1d17a },                   /* musical beams */
	{ 0xe0000, 0xe0fff },                   /* tags, variation selectors supplement */
};

bool
utf8_unsafe(uint32_t cp)
{
	for (size_t i = 0; i < NELEM(unsafe) && cp >= unsafe[i].first; i++)
		if (cp <= unsafe[i].last)
			return true;
	return false;
}

int
utf8_columns(uint32_t cp)
{
	if (cp < 0x300)
		return cp >= 0x20 && (cp < 0x7f || cp > 0x9f);
	if (in_ranges(cp, width_zero, NELEM(width_zero)))
		return 0;
	return in_ranges(cp, width_wide, NELEM(width_wide)) ? 2 : 1;
}
