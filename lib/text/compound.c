/*
 * compound.c: finds where a compound ends in the text, and folds its bytes, each with a class.
 *
 * Folding also drops what stands inside a word without belonging to it: apostrophes, the endings 's
 * 'd 'm 'll 've 're, the commas of thousands, and underscores around a name.
 */
#include "text/compound.h"

#include "lexicon/unicode.h"

static unsigned
byte_at(const char *p, const char *end)
{
	return p < end ? scan_bytes[(unsigned char)*p] : 0;
}

static bool
is_letter_class(enum unicode_class c)
{
	return c == UNICODE_LOWER || c == UNICODE_UPPER;
}

/* Whether a letter, a digit or an underscore is at p. */
static bool
word_at(const char *p, const char *end)
{
	enum unicode_class cls;
	uint32_t cp;
	unsigned is = byte_at(p, end);

	if (is & BYTE_HIGH) {
		unicode_next(p, end, &cp, &cls);
		return is_letter_class(cls) || cls == UNICODE_DIGIT;
	}
	return (is & BYTE_WORD) != 0 || (is != 0 && *p == '_');
}

static bool
letter_at(const char *p, const char *end)
{
	return word_at(p, end) && !(byte_at(p, end) & BYTE_DIGIT) && *p != '_';
}

/*
 * Returns the length in bytes of an apostrophe at p: ' or U+2019, U+02BC, U+FF07; 0 when there is
 * none.
 */
static size_t
apostrophe_at(const char *p, const char *end)
{
	switch ((unsigned char)*p) {
	case '\'':
		return 1;
	case 0xe2:
		return end - p >= 3 && memcmp(p, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
	case 0xca:
		return end - p >= 2 && memcmp(p, "\xca\xbc", 2) == 0 ? 2 : 0;
	case 0xef:
		return end - p >= 3 && memcmp(p, "\xef\xbc\x87", 3) == 0 ? 3 : 0;
	default:
		return 0;
	}
}

/*
 * Whether the comma at p separates thousands: one to three digits precede it (three, behind another
 * comma), and exactly three follow.
 */
static bool
groups_thousands(const char *start, const char *p, const char *end)
{
	const char *q = p;
	size_t n = 0;

	while (q > start && (byte_at(q - 1, end) & BYTE_DIGIT)) {
		q--;
		n++;
	}
	if (n == 0 || n > 3 || (q > start && q[-1] == ',' && n != 3) ||
	    (q > start && q[-1] != ',' && q[-1] != '-'))
		return false;
	for (n = 1; byte_at(p + n, end) & BYTE_DIGIT; n++)
		;
	return n == 4;
}

/* Returns the length in bytes of the sign at p if what surrounds it makes it a joiner, else 0. */
static size_t
joiner_at(const char *start, const char *p, const char *end)
{
	bool after_word = p > start && p[-1] != '.' && p[-1] != '-' && p[-1] != '/' &&
	    p[-1] != '@' && p[-1] != ':' && p[-1] != '+';

	switch (*p) {
	case '.':
		return (after_word || (p > start && p[-1] == '/')) && word_at(p + 1, end);
	case '/':
		if (after_word && p + 1 < end && p[1] == '.' && word_at(p + 2, end))
			return 1;
		return after_word && word_at(p + 1, end);
	case '-': case '@':
		return after_word && word_at(p + 1, end);
	case ':':
		if (after_word && p + 1 < end && p[1] == ':' && word_at(p + 2, end))
			return 2;
		return after_word && (byte_at(p + 1, end) & BYTE_DIGIT) != 0;
	case ',':
		return groups_thousands(start, p, end);
	case '+':
		if (p > start && letter_at(p - 1, end) && p + 1 < end && p[1] == '+' &&
		    !letter_at(p + 2, end) && (p + 2 == end || p[2] != '+'))
			return 2;
		return 0;
	case '#':
		if (p > start && letter_at(p - 1, end) &&
		    (p - 1 == start || !word_at(p - 2, end)) && !word_at(p + 1, end))
			return 1;
		return 0;
	default:
		return *p == '_';
	}
}

/* Returns the end of the compound that begins at start. */
static const char *
find_end(const char *start, const char *end)
{
	const char *p = start;
	bool letter = false;

	if (end - start > COMPOUND_BYTES)
		end = start + COMPOUND_BYTES;
	if (*p == '#' || *p == '.')
		p++;
	while (p < end) {
		enum unicode_class cls = UNICODE_SEP;
		uint32_t cp;

		if (scan_bytes[(unsigned char)*p] & BYTE_WORD) {
			letter = (scan_bytes[(unsigned char)*p] & BYTE_LETTER) != 0;
			p++;
			continue;
		}
		size_t n = apostrophe_at(p, end);
		if (n > 0) {
			if (!(letter || (p > start && (byte_at(p - 1, end) & BYTE_DIGIT))) ||
			    !letter_at(p + n, end))
				break;
			p += n;
			continue;
		}
		if ((unsigned char)*p < 0x80) {
			n = joiner_at(start, p, end);
			letter = false;
			if (n == 0)
				break;
			p += n;
			continue;
		}
		n = unicode_next(p, end, &cp, &cls);
		if (cls == UNICODE_SEP || cls == UNICODE_CJK || cls == UNICODE_EMOJI)
			break;
		letter = cls != UNICODE_DIGIT;
		p += n;
	}
	return p;
}

/*
 * Returns the length of an ending such as "s" or "ll" behind the apostrophe before p, if the word
 * ends with it, else 0.
 */
static size_t
clitic_at(const char *p, const char *end)
{
	static const char *const endings[] = { "s", "d", "m", "ll", "ve", "re" };

	for (size_t i = 0; i < NELEM(endings); i++) {
		size_t n = strlen(endings[i]);

		if ((size_t)(end - p) < n || (p[0] | 0x20) != endings[i][0] ||
		    (n == 2 && (p[1] | 0x20) != endings[i][1]))
			continue;
		if (!word_at(p + n, end))
			return n;
	}
	return 0;
}

static uint8_t
class_of(const char *p, enum unicode_class cls)
{
	switch (cls) {
	case UNICODE_UPPER:
		return UPPER;
	case UNICODE_DIGIT:
		return DIGIT;
	case UNICODE_SEP:
		return *p == '+' || *p == '#' ? PLUS : JOINER;
	default:
		return LOWER;
	}
}

static void
add_folded(struct compound *c, const char *p, char folded, uint8_t cls)
{
	c->fold[c->len] = folded;
	c->cls[c->len] = cls;
	c->at[c->len++] = (uint16_t)(p - c->start);
}

/* Folds [start, end) into c. */
static void
fold_compound(struct compound *c, const char *end)
{
	const char *p = c->start;
	bool joined = false;

	c->end = end;
	c->len = 0;
	while (p < end) {
		enum unicode_class cls;
		uint32_t cp;
		size_t n, add;
		uint8_t was;

		if (byte_at(p, end) & BYTE_WORD) {
			was = byte_at(p, end) & BYTE_DIGIT		? DIGIT
			    : (byte_at(p, end) & BYTE_UPPER) && !joined ? UPPER
									: LOWER;
			add_folded(c, p, (char)(byte_at(p, end) & BYTE_UPPER ? *p + 32 : *p), was);
			joined = false;
			p++;
			continue;
		}
		n = apostrophe_at(p, end);
		if (n > 0) {
			p += n;
			p += clitic_at(p, end);
			joined = true;
			continue;
		}
		if (*p == ',') {
			p++;
			continue;
		}
		unicode_next(p, end, &cp, &cls);
		was = class_of(p, cls);
		/* "O'Brien" is one word, so its B does not begin a new part */
		if (joined && was == UPPER)
			was = LOWER;
		joined = false;
		n = unicode_fold(p, end, c->fold + c->len, &add);
		for (size_t i = c->len; i < c->len + add; i++) {
			c->cls[i] = was;
			c->at[i] = (uint16_t)(p - c->start);
		}
		c->len += add;
		p += n;
	}
	c->at[c->len] = (uint16_t)(p - c->start);
}

/*
 * Drops underscores around a name, which in Markdown mean emphasis and elsewhere "private". Two on
 * both sides ("__init__") belong to the name.
 */
static void
trim(struct compound *c, const char *end)
{
	const char *p = c->start, *q = end;

	while (p < q && *p == '_')
		p++;
	while (q > p && strchr("_.-/@:", q[-1]) != NULL)
		q--;
	if (p - c->start >= 2 && end - q >= 2 && q > p && memcmp(q, "__", 2) == 0) {
		p -= 2;
		q += 2;
	}
	c->start = p;
	fold_compound(c, q);
}

const char *
compound_read(struct compound *c, const char *p, const char *end)
{
	const char *stop = find_end(p, end);

	c->start = p;
	trim(c, stop);
	return stop;
}
