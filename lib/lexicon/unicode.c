/*
 * unicode.c: classes and folding of code points.
 *
 * A two-stage table has one value for each code point, class | fold << 4; fold is the number of a
 * string in a pool, 0 for unchanged. Letters made of two code points, half-width Kana and
 * decomposed Hangul, are composed by code.
 */
#include "lexicon/unicode.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "gen/unicode.h"

#define CLASS_BITS  4
#define CLASS_MASK  15u
#define BLOCK_SIZE  32u

static unsigned
value_of(uint32_t cp)
{
	if (cp < NELEM(unicode_index) * BLOCK_SIZE)
		return unicode_value[(size_t)unicode_index[cp / BLOCK_SIZE] * BLOCK_SIZE +
		    cp % BLOCK_SIZE];
	if (cp < 0x40000)
		return UNICODE_CJK;
	if (cp >= 0xe0000 && cp < 0xe0200)
		return UNICODE_MARK;
	return UNICODE_SEP;
}

static enum unicode_class
ascii_class(unsigned c)
{
	if (c >= 'a' && c <= 'z')
		return UNICODE_LOWER;
	if (c >= 'A' && c <= 'Z')
		return UNICODE_UPPER;
	return ascii_is_digit(c) ? UNICODE_DIGIT : UNICODE_SEP;
}

size_t
unicode_next(const char *p, const char *end, uint32_t *cp, enum unicode_class *cls)
{
	if ((unsigned char)*p < 0x80) {
		*cp = (unsigned char)*p;
		*cls = ascii_class(*cp);
		return 1;
	}
	size_t n = utf8_decode(p, end, cp);
	if (n == 0) {
		*cp = 0xfffd;
		*cls = UNICODE_SEP;
		return 1;
	}
	*cls = (enum unicode_class)(value_of(*cp) & CLASS_MASK);
	return n;
}

/* Unicode 15.0, 3.12: composes a leading consonant, a vowel and an optional trailing consonant. */
static size_t
compose_hangul(uint32_t *cp, const char *p, const char *end)
{
	uint32_t vowel, tail;
	size_t n = p < end ? utf8_decode(p, end, &vowel) : 0;

	if (n == 0 || vowel < 0x1161 || vowel > 0x1175)
		return 0;
	*cp = 0xac00 + ((*cp - 0x1100) * 21 + (vowel - 0x1161)) * 28;
	size_t m = p + n < end ? utf8_decode(p + n, end, &tail) : 0;
	if (m == 0 || tail < 0x11a8 || tail > 0x11c2)
		return n;
	*cp += tail - 0x11a7;
	return n + m;
}

/*
 * In Hiragana and Katakana a voiced letter comes one after its plain one, a half-voiced one two
 * after.
 */
static size_t
compose_kana(uint32_t *cp, const char *p, const char *end)
{
	uint32_t mark, base = *cp >= 0x30a1 ? *cp - 0x60 : *cp;
	size_t n = p < end ? utf8_decode(p, end, &mark) : 0;

	if (n == 0 || (mark != 0x3099 && mark != 0x309a && mark != 0xff9e && mark != 0xff9f))
		return 0;
	bool half = mark == 0x309a || mark == 0xff9f;
	if (base >= 0x306f && base <= 0x307b && (base - 0x306f) % 3 == 0)
		*cp += half ? 2 : 1;
	else if (!half &&
	    ((base >= 0x304b && base <= 0x3061 && (base - 0x304b) % 2 == 0) || base == 0x3064 ||
		base == 0x3066 || base == 0x3068))
		*cp += 1;
	else if (!half && base == 0x3046)
		*cp += 0x4e;
	else
		return 0;
	return n;
}

size_t
unicode_fold(const char *p, const char *end, char *out, size_t *out_len)
{
	enum unicode_class cls;
	uint32_t cp, base;
	size_t n = unicode_next(p, end, &cp, &cls);

	if (cp < 0x80) {
		*out = (char)(cls == UNICODE_UPPER ? cp + 32 : cp);
		*out_len = 1;
		return 1;
	}
	if (cls == UNICODE_MARK) {
		*out_len = 0;
		return n;
	}
	if (cls == UNICODE_SEP) {
		memcpy(out, p, n);
		*out_len = n;
		return n;
	}
	unsigned fold = value_of(cp) >> CLASS_BITS;
	if (fold != 0) {
		unsigned at = unicode_at[fold];
		*out_len = unicode_at[fold + 1] - at;
		memcpy(out, unicode_pool + at, *out_len);
		if (cp < 0xff66 || cp > 0xff9d)
			return n;
		(void)utf8_decode(out, out + *out_len, &cp);
	}
	base = cp;
	if (cp >= 0x1100 && cp <= 0x1112)
		n += compose_hangul(&cp, p + n, end);
	else if (cp >= 0x3046 && cp <= 0x30db)
		n += compose_kana(&cp, p + n, end);
	if (fold == 0 || cp != base)
		*out_len = utf8_encode(cp, out);
	return n;
}
