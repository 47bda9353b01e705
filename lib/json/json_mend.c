/*
 * json_mend.c: the characters that a text may not have are replaced where they stand, and nothing
 * else is looked at: whether the rest is JSON is for the parser to say. A backslash stands only in
 * strings, so it need not be known where these begin and end.
 */
#include "base/ascii.h"
#include "base/utf8.h"
#include "json/json.h"

#define REPLACED "\xef\xbf\xbd"            /* U+FFFD */

/* The value of "\uXXXX" at p; -1: there is no such escape. */
static int
unit_at(const char *p, const char *end)
{
	int v = 0;

	if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
		return -1;
	for (int i = 2; i < 6; i++) {
		int digit = ascii_hex(p[i]);

		if (digit < 0)
			return -1;
		v = v << 4 | digit;
	}
	return v;
}

static bool
is_high(int unit)
{
	return unit >= 0xd800 && unit <= 0xdbff;
}

static bool
is_low(int unit)
{
	return unit >= 0xdc00 && unit <= 0xdfff;
}

/* Copies what begins with a backslash, mended, and returns its length in the text. */
static size_t
copy_escape(const char *p, const char *end, struct buf *out, size_t *n_mended)
{
	int unit = unit_at(p, end);
	size_t n = unit >= 0 ? 6 : MIN((size_t)(end - p), (size_t)2);

	if (is_high(unit) && is_low(unit_at(p + 6, end))) {
		n = 12;
	} else if (unit == 0 || is_high(unit) || is_low(unit)) {
		buf_adds(out, REPLACED);
		++*n_mended;
		return n;
	} else if (unit < 0 && n == 2 && ((unsigned char)p[1] >= 0x80 || p[1] == '\0')) {
		n = 1;
	}
	buf_add(out, p, n);
	return n;
}

size_t
json_mend(const char *p, size_t len, struct buf *out)
{
	const char *end = p + len;
	size_t n, n_mended = 0;
	uint32_t cp;

	for (; p < end; p += n) {
		if (*p == '\\') {
			n = copy_escape(p, end, out, &n_mended);
			continue;
		}
		n = *p != '\0' ? utf8_decode(p, end, &cp) : 0;
		if (n > 0) {
			buf_add(out, p, n);
			continue;
		}
		buf_adds(out, REPLACED);
		n_mended++;
		n = utf8_bad_len(p, end);
	}
	return n_mended;
}

int
json_parse_mended(const char *s, size_t len, struct arena *a, const struct json **out,
	struct err *err)
{
	struct err own = ERR_INIT;
	int rc = -1;

	if (json_parse(s, len, a, out, &own) == 0)
		return 0;
	LOCAL(buf) b = buf_of(3 * len + 16);
	if (json_mend(s, len, &b) > 0)
		rc = json_parse(b.data, b.len, a, out, NULL);
	if (rc != 0)
		*err = own;
	return rc;
}
