/*
 * json_check.c: checks a text by the grammar of RFC 8259 in one pass, with a stack that has one bit
 * for each level: object or array. Nearly all bytes of a transcript lie inside strings, so the loop
 * over these decides the speed: it takes sixteen bytes a step (eight without SSE2) as long as none
 * of them is a quote, a backslash, a control character or beyond ASCII. All else goes byte by byte.
 */
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/ascii.h"
#include "base/utf8.h"
#include "json/json_check.h"

#if !defined(__SSE2__)
#define EACH(x)      (0x0101010101010101u * (uint64_t)(x))
#endif

struct scan {
	const char *p, *start, *end;
	const char *why;           /* what is wrong at p */
	unsigned depth, max_depth, values_left;
	bool in_object[JSON_DEPTH_MOST + 1];
};

static bool
fault(struct scan *s, const char *why)
{
	s->why = why;
	return false;
}

/* The byte at p; at the end a NUL, which JSON allows nowhere. */
static unsigned char
peek(const struct scan *s)
{
	return s->p < s->end ? (unsigned char)*s->p : 0;
}

static unsigned char
skip_space(struct scan *s)
{
	unsigned char c;

	while ((c = peek(s)) == ' ' || c == '\t' || c == '\n' || c == '\r')
		s->p++;
	return c;
}

/* ---- strings ---- */

static bool
scan_hex4(struct scan *s, unsigned *v)
{
	unsigned x = 0;

	if (s->end - s->p < 4)
		return fault(s, "invalid JSON (cut short)");
	for (int i = 0; i < 4; i++) {
		int digit = ascii_hex(s->p[i]);

		if (digit < 0)
			return fault(s, "invalid \\u escape");
		x = x << 4 | (unsigned)digit;
	}
	s->p += 4;
	*v = x;
	return true;
}

/* Steps over the escape at a backslash. */
static bool
scan_escape(struct scan *s)
{
	const char *at = s->p++;
	unsigned x, y;

	switch (peek(s)) {
	case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
		s->p++;
		return true;
	case 'u':
		break;
	default:
		return fault(s, s->p < s->end ? "invalid escape" : "invalid JSON (cut short)");
	}
	s->p++;
	if (!scan_hex4(s, &x))
		return false;
	if (x != 0 && (x < 0xd800 || x > 0xdfff))
		return true;
	if (x >= 0xd800 && x <= 0xdbff && s->end - s->p >= 2 && s->p[0] == '\\' && s->p[1] == 'u') {
		s->p += 2;
		if (!scan_hex4(s, &y))
			return false;
		if (y >= 0xdc00 && y <= 0xdfff)
			return true;
	}
	s->p = at;
	return fault(s, x == 0 ? "\\u0000 in a string" : "lone surrogate");
}

/* The first byte from p on that ends a run of plain ASCII inside a string. */
static const char *
skip_plain(const char *p, const char *end)
{
#if defined(__SSE2__)
	while (end - p >= 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
		__m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"')),
			backslash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
		/* bytes are signed here, so those beyond ASCII are less */
		__m128i other = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
		unsigned stop = (unsigned)_mm_movemask_epi8(
		    _mm_or_si128(_mm_or_si128(quote, backslash), other));

		if (stop != 0)
			return p + __builtin_ctz(stop);
		p += 16;
	}
#else
	uint64_t w;

	while (end - p >= 8) {
		memcpy(&w, p, 8);
		uint64_t quote = w ^ EACH('"'), backslash = w ^ EACH('\\');

		if (((w - EACH(0x20)) | (quote - EACH(1)) | (backslash - EACH(1)) | w) & EACH(0x80))
			/* one of these bytes may be special; the loop below tells */
			break;
		p += 8;
	}
#endif
	while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20 &&
	    (unsigned char)*p < 0x80)
		p++;
	return p;
}

/* Steps over the string at an opening quote. */
static bool
scan_string(struct scan *s)
{
	uint32_t cp;

	s->p++;
	for (;;) {
		s->p = skip_plain(s->p, s->end);
		if (s->p == s->end)
			return fault(s, "invalid JSON (cut short)");
		unsigned char c = (unsigned char)*s->p;
		if (c == '"') {
			s->p++;
			return true;
		}
		if (c == '\\') {
			if (!scan_escape(s))
				return false;
		} else if (c >= 0x80) {
			size_t n = utf8_decode(s->p, s->end, &cp);
			if (n == 0)
				return fault(s, "invalid UTF-8");
			s->p += n;
		} else {
			return fault(s, c == 0 ? "NUL byte" : "control character in a string");
		}
	}
}

/* ---- numbers ---- */

bool
json_is_big(const char *digits, size_t n)
{
	return n > 16 || (n == 16 && memcmp(digits, "9007199254740992", 16) > 0);
}

/*
 * Whether a number, given as its parts, would overflow a double. The decimal exponent of its first
 * digit that is not 0 decides; at 308 the first 17 digits do (the largest double is
 * 1.7976931348623157e308).
 */
static bool
is_infinite(const char *whole, size_t n_whole, const char *part, size_t n_part, long exponent)
{
	char lead[18] = "00000000000000000";
	size_t first = 0, n = n_whole + n_part;

	while (first < n && (first < n_whole ? whole[first] : part[first - n_whole]) == '0')
		first++;
	if (first == n)
		return false;
	long e = (long)n_whole - 1 - (long)first + exponent;
	if (e != 308)
		return e > 308;
	for (size_t i = 0; i < 17 && first + i < n; i++)
		lead[i] = first + i < n_whole ? whole[first + i] : part[first + i - n_whole];
	return strcmp(lead, "17976931348623158") >= 0;
}

static size_t
scan_digits(struct scan *s)
{
	const char *start = s->p;

	while (ascii_is_digit(peek(s)))
		s->p++;
	return (size_t)(s->p - start);
}

static bool
scan_number(struct scan *s)
{
	const char *at = s->p, *part = s->p;
	size_t n_part = 0;
	long exponent = 0;

	if (*s->p == '-')
		s->p++;
	const char *whole = s->p;
	size_t n_whole = scan_digits(s);
	if (n_whole == 0)
		return fault(s, "invalid number");
	if (n_whole > 1 && *whole == '0') {
		s->p = at;
		return fault(s, "number with a leading zero");
	}
	unsigned char c = peek(s);
	if (c != '.' && c != 'e' && c != 'E')
		return true;
	if (c == '.') {
		part = ++s->p;
		if ((n_part = scan_digits(s)) == 0)
			return fault(s, "invalid number");
	}
	c = peek(s);
	if (c == 'e' || c == 'E') {
		s->p++;
		bool down = peek(s) == '-';
		if (down || peek(s) == '+')
			s->p++;
		if (!ascii_is_digit(peek(s)))
			return fault(s, "invalid number");
		for (; ascii_is_digit(peek(s)); s->p++)
			exponent = MIN(exponent * 10 + (*s->p - '0'), 100000000);
		if (down)
			exponent = -exponent;
	}
	if (s->p - at > JSON_NUMBER_BYTES || is_infinite(whole, n_whole, part, n_part, exponent)) {
		const char *why = s->p - at > JSON_NUMBER_BYTES ? "number of too many digits"
								: "number too large";
		s->p = at;
		return fault(s, why);
	}
	return true;
}

/* ---- values ---- */

static bool
scan_word(struct scan *s, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
		return fault(s, "invalid JSON");
	s->p += n;
	return true;
}

static bool
unexpected(struct scan *s)
{
	if (s->p == s->end)
		return fault(s, "invalid JSON (cut short)");
	return fault(s, *s->p == '\0' ? "NUL byte" : "invalid JSON");
}

/* Steps over a member's name and the colon behind it. */
static bool
scan_key(struct scan *s)
{
	if (skip_space(s) != '"')
		return unexpected(s);
	if (!scan_string(s))
		return false;
	if (skip_space(s) != ':')
		return unexpected(s);
	s->p++;
	return true;
}

/*
 * Steps over the scalar, or the empty array or object, that begins here; *opened: it entered one
 * that is not empty.
 */
static bool
scan_value(struct scan *s, bool *opened)
{
	unsigned char c = skip_space(s);

	*opened = false;
	if (s->values_left-- == 0)
		return fault(s, "more values than the setting json_values allows");
	switch (c) {
	case '"':
		return scan_string(s);
	case 't':
		return scan_word(s, "true");
	case 'f':
		return scan_word(s, "false");
	case 'n':
		return scan_word(s, "null");
	case '{': case '[':
		break;
	default:
		return c == '-' || ascii_is_digit(c) ? scan_number(s) : unexpected(s);
	}
	if (s->depth == s->max_depth)
		return fault(s, "JSON nested too deep");
	s->p++;
	if (skip_space(s) == (c == '{' ? '}' : ']')) {
		s->p++;
		return true;
	}
	s->in_object[++s->depth] = c == '{';
	*opened = true;
	return c == '[' || scan_key(s);
}

/*
 * After a value: leaves the arrays and objects that end here, down to depth 0 or to where the next
 * value begins.
 */
static bool
scan_after(struct scan *s)
{
	while (s->depth > 0) {
		bool in_object = s->in_object[s->depth];
		unsigned char c = skip_space(s);

		if (c == ',') {
			s->p++;
			return !in_object || scan_key(s);
		}
		if (c != (in_object ? '}' : ']'))
			return unexpected(s);
		s->p++;
		s->depth--;
	}
	return true;
}

static bool
scan_text(struct scan *s)
{
	bool opened;

	do {
		if (!scan_value(s, &opened))
			return false;
		if (!opened && !scan_after(s))
			return false;
	} while (s->depth > 0);
	return true;
}

/*
 * Whether the text is a bracket and nothing after it: the first line of a value that was laid out
 * over lines.
 */
static bool
opens_only(const char *start, const char *end)
{
	struct scan rest = { .p = start + 1, .end = end };

	if (start == end || (*start != '{' && *start != '['))
		return false;
	skip_space(&rest);
	return rest.p == end;
}

int
json_check(const char *text, size_t len, unsigned max_depth, unsigned max_values,
	const char **start, const char **end, struct err *err)
{
	struct scan s;

	/* set member by member, so that the flags are not cleared for each line */
	s.p = s.start = text;
	s.end = text + len;
	s.why = NULL;
	s.depth = 0;
	s.max_depth = MIN(max_depth, JSON_DEPTH_MOST);
	s.values_left = max_values;
	skip_space(&s);
	*start = s.p;
	if (scan_text(&s)) {
		*end = s.p;
		skip_space(&s);
		if (s.p == s.end)
			return 0;
		s.why = *s.p == '\0' ? "NUL byte" : "more than one JSON value";
	}
	return err_set(err, ERR_DATA, "%s at byte %zu%s", s.why, (size_t)(s.p - s.start) + 1,
	    opens_only(*start, s.end) ? ": a value takes one line, as \"jq -c\" writes it" : "");
}
