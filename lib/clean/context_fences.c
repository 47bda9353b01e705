/*
 * context_fences.c: behind each angle or bracket the name is read as a reader sees it: its letters,
 * small and of usual width, whatever signs are between them. A name of several words is a fence
 * wherever it begins so, as nobody writes "<systemreminder" for anything else; a single word, as
 * <tool> or <s>, must be a whole tag, and no type or component of a program, as Vec<Tool> and
 * <Tool>. What stands between "<|" and "|>" is a special token of some chat template, whatever its
 * name.
 */
#include "clean/context_fences.h"

#include "base/ascii.h"
#include "base/order.h"
#include "base/utf8.h"
#include "gen/clean_rows.h"

#define GAP_MAX     8                          /* signs between two letters of a name */
#define LETTERS_MAX 48                         /* letters of a name that are looked at */
#define TAG_MAX     400                        /* bytes of a tag with its attributes */

/* The letters that names of several words begin with. */
static const char *const long_names[] = { CLEAN_LONG_NAMES };

/* Single words, which count when they are a whole tag; the first also as a type. */
static const char *const short_names[] = { CLEAN_SHORT_NAMES };

/* Words in brackets. */
static const char *const bracket_names[] = { CLEAN_BRACKET_NAMES };

static bool
is_angle(uint32_t cp)
{
	return cp == '<' || cp == 0xff1c || cp == 0xfe64 || cp == 0x2039 || cp == 0x27e8 ||
	    cp == 0x2329 || cp == 0x3008;
}

static bool
is_closing(uint32_t cp)
{
	return cp == '>' || cp == 0xff1e || cp == 0xfe65 || cp == 0x203a || cp == 0x27e9 ||
	    cp == 0x232a || cp == 0x3009;
}

static bool
is_bar(uint32_t cp)
{
	return cp == '|' || cp == 0xff5c || cp == 0x2223 || cp == 0x01c0 || cp == 0x2502 ||
	    cp == 0xffe8;
}

/* In usual width. */
static uint32_t
usual(uint32_t cp)
{
	return cp >= 0xff01 && cp <= 0xff5e ? cp - 0xff01 + '!' : cp;
}

/* A letter or digit as a reader sees it, small and in usual width; 0 for anything else. */
static char
plain_letter(uint32_t cp)
{
	cp = usual(cp);
	if (cp >= 'A' && cp <= 'Z')
		cp += 'a' - 'A';
	return (cp >= 'a' && cp <= 'z') || ascii_is_digit(cp) ? (char)cp : 0;
}

/* What stands behind an angle. */
struct tag {
	char name[LETTERS_MAX + 1];
	size_t n, n_word;          /* letters of the name; of its first word */
	bool barred;               /* a bar before the first letter, or behind the last */
	bool blank;                /* a blank in or before the name */
	bool closed;
	bool is_type;              /* "<Name", or directly behind a letter */
};

static void
read_tag(const char *p, const char *end, struct tag *t)
{
	unsigned gap = 0;
	uint32_t first = 0;
	bool word_ended = false, bar = false;

	memset(t, 0, sizeof(*t));
	while (p < end && gap <= GAP_MAX && t->n < LETTERS_MAX) {
		uint32_t cp;
		char c;

		p += utf8_next(p, end, &cp);
		if ((c = plain_letter(cp)) != 0) {
			t->barred |= bar && t->n == 0;
			t->is_type |= t->n == 1 && first >= 'A' && first <= 'Z' &&
			    c == (char)usual(cp) && !ascii_is_digit(c);
			first = usual(cp);
			bar = false;
			gap = 0;
			t->name[t->n++] = c;
			t->n_word += !word_ended;
			continue;
		}
		t->closed = is_closing(cp);
		if (t->closed || is_angle(cp))
			break;
		gap++;
		bar |= is_bar(cp);
		t->blank |= cp < 0x80 && ascii_is_space((int)cp);
		word_ended |= t->n > 0;
	}
	t->barred |= bar && t->closed;
}

/* Whether p, behind the first word of a tag, is in a tag that ends: "<name>", "</name a=b>". */
static bool
ends_tag(const char *p, const char *end, const struct tag *t)
{
	const char *stop = end - p > TAG_MAX ? p + TAG_MAX : end;
	size_t n = 0;
	uint32_t cp;

	while (p < stop && n < t->n_word) {
		p += utf8_next(p, stop, &cp);
		n += plain_letter(cp) != 0;
	}
	if (p == stop)
		return false;
	utf8_next(p, stop, &cp);
	if (!is_closing(cp) && usual(cp) != '/' && !(cp < 0x80 && ascii_is_space((int)cp)))
		return false;
	while (p < stop) {
		p += utf8_next(p, stop, &cp);
		if (is_closing(cp))
			return true;
		if (is_angle(cp))
			return false;
	}
	return false;
}

/* Whether a fence begins with the angle before p. */
static bool
angle_fences(const char *p, const char *end, bool behind_letter)
{
	struct tag t;

	read_tag(p, end, &t);
	if (t.n == 0)
		return false;
	t.is_type |= behind_letter && *p != '/';
	if (t.barred && t.closed && !t.blank)
		return true;
	for (size_t i = 0; i < NELEM(long_names); i++)
		if (strncmp(t.name, long_names[i], strlen(long_names[i])) == 0)
			return true;
	for (size_t i = 0; i < NELEM(short_names); i++)
		if (strlen(short_names[i]) == t.n_word &&
		    memcmp(t.name, short_names[i], t.n_word) == 0)
			return (!t.is_type || i == 0) && ends_tag(p, end, &t);
	return false;
}

/* Whether a fence begins with the bracket before p: "[INST]", "[/INST]", "[|user|]". */
static bool
bracket_fences(const char *p, const char *end)
{
	char name[32];
	size_t n = 0;
	uint32_t cp = 0;

	while (p < end && n + 1 < sizeof(name)) {
		p += utf8_next(p, end, &cp);
		cp = is_bar(cp) ? '|' : usual(cp);
		if (cp == ']' || cp < '!' || cp > '~')
			break;
		if (cp != '/' || n > 0)
			name[n++] = (char)cp;
	}
	name[n] = '\0';
	if (strncmp(name, "e~[", 3) == 0)
		return true;
	if (cp != ']')
		return false;
	if (n > 2 && name[0] == '|' && name[n - 1] == '|')
		return true;
	return text_index(name, bracket_names, NELEM(bracket_names)) >= 0;
}

void
context_fences(struct buf *out, const char *text, size_t len)
{
	const char *p = text, *end = text + len, *from = text;
	uint32_t cp;

	while (p < end) {
		const char *at = p, *as = NULL;

		p += utf8_next(p, end, &cp);
		if (is_angle(cp) && angle_fences(p, end, at > text &&
		    (unsigned char)at[-1] < 0x80 && plain_letter((uint32_t)at[-1]) != 0))
			as = "&lt;";
		else if (usual(cp) == '[' && bracket_fences(p, end))
			as = "&#91;";
		else if (cp == ']' && p < end && *p == '~')
			as = "&#93;";
		if (as == NULL)
			continue;
		buf_add(out, from, (size_t)(at - from));
		buf_adds(out, as);
		from = p;
	}
	buf_add(out, from, (size_t)(end - from));
}
