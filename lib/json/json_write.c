/*
 * json_write.c: writes JSON, compact, in the order of the calls. Strings are copied in runs of
 * bytes that need no escape.
 */
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <math.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "json/json.h"

#define WHOLE_MOST 9007199254740992.0      /* 2^53: integers up to this are exact */

#define EACH(x) (0x0101010101010101u * (uint64_t)(x))

static bool
is_plain(char c)
{
	return (unsigned char)c >= 0x20 && (unsigned char)c < 0x7f && c != '"' && c != '\\';
}

/*
 * Steps over bytes that need no escape: eight at once, and byte by byte when one of the eight may
 * need one.
 */
static const char *
skip_plain(const char *p, const char *end)
{
	for (;;) {
		const char *stop = end;
		uint64_t w;

		if (end - p >= 8) {
			memcpy(&w, p, 8);
			uint64_t quote = w ^ EACH('"'), backslash = w ^ EACH('\\');

			if ((((w - EACH(0x20)) | (quote - EACH(1)) | (backslash - EACH(1)) |
				 (w + EACH(1)) | w) &
				EACH(0x80)) == 0) {
				p += 8;
				continue;
			}
			stop = p + 8;
		}
		while (p < stop && is_plain(*p))
			p++;
		if (p < stop || p == end)
			return p;
	}
}

/*
 * Appends the bytes from p on that need no escape, and returns the byte after them. Where blocks
 * can be compared, each is copied before it is known how much of it stays.
 */
static const char *
copy_plain(struct buf *b, const char *p, const char *end)
{
	const char *run;

#if defined(__SSE2__)
	char *out = end - p >= 16 && (size_t)(end - p) <= b->max - b->len
	    ? buf_reserve(b, (size_t)(end - p))
	    : NULL;
	unsigned other = 0;

	for (; out != NULL && other == 0 && end - p >= 16; out += 16) {
		__m128i c = _mm_loadu_si128((const __m128i *)(const void *)p);
		/* low also finds what is beyond ASCII */
		__m128i low = _mm_cmplt_epi8(c, _mm_set1_epi8(0x20)),
			delete = _mm_cmpeq_epi8(c, _mm_set1_epi8(0x7f));
		__m128i quote = _mm_cmpeq_epi8(c, _mm_set1_epi8('"')),
			backslash = _mm_cmpeq_epi8(c, _mm_set1_epi8('\\'));

		_mm_storeu_si128((__m128i *)(void *)out, c);
		other = (unsigned)_mm_movemask_epi8(
		    _mm_or_si128(_mm_or_si128(low, delete), _mm_or_si128(quote, backslash)));
		size_t n = other != 0 ? (size_t)__builtin_ctz(other) : 16;
		p += n;
		b->len += n;
	}
	if (out != NULL)
		b->data[b->len] = '\0';
	if (other != 0)
		return p;
#endif
	run = p;
	p = skip_plain(p, end);
	buf_add(b, run, (size_t)(p - run));
	return p;
}

static void
write_escape(struct buf *b, unsigned c)
{
	static const char names[] = "\nn\"\"\\\\\tt\rr\bb\ff";

	for (const char *n = names; *n != '\0'; n += 2)
		if ((unsigned char)*n == c) {
			char two[2] = { '\\', n[1] };
			buf_add(b, two, 2);
			return;
		}
	buf_addf(b, "\\u%04x", c);
}

void
json_write_string(struct buf *b, const char *s, size_t len)
{
	const char *p = s, *end = s + len;
	uint32_t cp;

	buf_addc(b, '"');
	while (p < end) {
		const char *run = p = copy_plain(b, p, end);
		size_t n = 0;

		/* characters beyond ASCII need no escape, except the controls U+0080-U+009F */
		while (p < end && (unsigned char)*p >= 0x80) {
			n = utf8_decode(p, end, &cp);
			if (n == 0 || cp < 0xa0)
				break;
			p += n;
		}
		buf_add(b, run, (size_t)(p - run));
		if (p == end)
			break;
		if ((unsigned char)*p < 0x80) {
			if (is_plain(*p))
				continue;
			write_escape(b, (unsigned char)*p);
			p++;
		} else if (n > 0) {
			write_escape(b, cp);
			p += n;
		} else {
			buf_add(b, "\xef\xbf\xbd", 3);
			p++;
		}
	}
	buf_addc(b, '"');
}

void
json_write_number(struct buf *b, double v)
{
	if (!isfinite(v))
		buf_adds(b, "null");
	else if (fabs(v) <= WHOLE_MOST && v == floor(v))
		buf_addf(b, "%lld", (long long)v);
	else
		buf_addf(b, "%.9g", v);
}

/* Writes a number that was read with as many digits as it takes to be read back the same. */
static void
write_same(struct buf *b, double v)
{
	char text[40];

	if (!isfinite(v) || (fabs(v) <= WHOLE_MOST && v == floor(v))) {
		json_write_number(b, v);
		return;
	}
	for (int digits = 9; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	buf_adds(b, text);
	if (text[strcspn(text, ".e")] == '\0')
		/* without a fraction it would be a large integer, which is read as a string */
		buf_adds(b, ".0");
}

void
json_write(struct buf *b, const struct json *v)
{
	switch (v->kind) {
	case JSON_NULL:
		buf_adds(b, "null");
		break;
	case JSON_FALSE:
		buf_adds(b, "false");
		break;
	case JSON_TRUE:
		buf_adds(b, "true");
		break;
	case JSON_NUMBER:
		write_same(b, v->u.number);
		break;
	case JSON_STRING:
		json_write_string(b, v->u.string, v->len);
		break;
	case JSON_ARRAY:
		buf_addc(b, '[');
		for (size_t i = 0; i < v->len; i++) {
			json_next(b);
			json_write(b, &v->u.items[i]);
		}
		json_array_close(b);
		break;
	case JSON_OBJECT:
		json_open(b);
		for (size_t i = 0; i < v->len; i++) {
			json_key(b, v->u.members[i].key);
			json_write(b, &v->u.members[i].value);
		}
		json_close(b);
		break;
	}
}

void
json_open(struct buf *b)
{
	buf_addc(b, '{');
}

void
json_record(struct buf *b, const char *type)
{
	json_open(b);
	json_str(b, "type", type);
}

void
json_close(struct buf *b)
{
	buf_addc(b, '}');
}

void
json_end(struct buf *b)
{
	buf_adds(b, "}\n");
}

void
json_next(struct buf *b)
{
	char last = b->len > 0 ? b->data[b->len - 1] : ',';

	if (last != ',' && last != ':' && last != '{' && last != '[')
		buf_addc(b, ',');
}

void
json_key(struct buf *b, const char *key)
{
	json_item(b, key, strlen(key));
	buf_addc(b, ':');
}

static void
open_value(struct buf *b, const char *key, char bracket)
{
	if (key != NULL)
		json_key(b, key);
	else
		json_next(b);
	buf_addc(b, bracket);
}

void
json_object_open(struct buf *b, const char *key)
{
	open_value(b, key, '{');
}

void
json_array_open(struct buf *b, const char *key)
{
	open_value(b, key, '[');
}

void
json_array_close(struct buf *b)
{
	buf_addc(b, ']');
}

void
json_array(struct buf *b, const char *key, const struct buf *items)
{
	json_array_open(b, key);
	buf_add(b, items->data, items->len);
	json_array_close(b);
}

void
json_item(struct buf *b, const char *s, size_t len)
{
	json_next(b);
	json_write_string(b, s, len);
}

void
json_strings(struct buf *b, const char *key, const char *const *items, size_t n)
{
	json_array_open(b, key);
	for (size_t i = 0; i < n; i++)
		json_item(b, items[i], strlen(items[i]));
	json_array_close(b);
}

void
json_members(struct buf *b, const char *object)
{
	size_t len = object != NULL ? strlen(object) : 0;

	if (len <= 2)
		return;
	json_next(b);
	buf_add(b, object + 1, len - 2);
}

void
json_str(struct buf *b, const char *key, const char *s)
{
	if (s != NULL)
		json_strn(b, key, s, strlen(s));
}

void
json_strn(struct buf *b, const char *key, const char *s, size_t len)
{
	if (s == NULL)
		return;
	json_key(b, key);
	json_write_string(b, s, len);
}

void
json_int(struct buf *b, const char *key, int64_t v)
{
	char digits[24], *p = digits + sizeof(digits);
	uint64_t left = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	do {
		*--p = (char)('0' + left % 10);
	} while ((left /= 10) > 0);
	if (v < 0)
		*--p = '-';
	json_key(b, key);
	buf_add(b, p, (size_t)(digits + sizeof(digits) - p));
}

void
json_num(struct buf *b, const char *key, double v)
{
	json_key(b, key);
	json_write_number(b, v);
}

void
json_bool(struct buf *b, const char *key, bool v)
{
	json_key(b, key);
	buf_adds(b, v ? "true" : "false");
}

void
json_raw(struct buf *b, const char *key, const char *json, size_t len)
{
	if (json == NULL)
		return;
	json_key(b, key);
	buf_add(b, json, len);
}

void
json_time(struct buf *b, const char *key, int64_t us)
{
	char text[TIME_TEXT];

	json_key(b, key);
	/* earlier versions have stored times outside of the years that any reader takes */
	if (!time_has_text(us)) {
		buf_adds(b, "null");
		return;
	}
	time_format(us, text);
	json_write_string(b, text, strlen(text));
}
