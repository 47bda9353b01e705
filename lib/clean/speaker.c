/*
 * speaker.c: schema/rows/speakers.txt, and a table of bytes and numbers of words that names do not
 * have. Its rows add up from the first to the last, because the places tell less and less that a
 * name stands there: beside a time it may be "klein, mara / sales", in a caption still "Mara #2
 * (off screen)", before any colon in a text only "Mara Klein-Berg".
 */
#include "base/ascii.h"
#include "base/normal.h"
#include "base/span.h"
#include "clean/speaker.h"
#include "lexicon/lex.h"
#include "gen/speakers_rows.h"

static const struct {
	/* bytes that it does not have, besides those of the rows above */
	const char *never;
	/* the most words; the most when it ends with a point, as a sentence does */
	unsigned words, words_with_point;
	/* it begins with a capital, or with a letter that is not Latin */
	bool capital;
} looks[] = {
	[SPEAKER_STAMP] = { "\"<>[]{}|=;?!*`\t\n", 6, 2, false },
	[SPEAKER_CUE] = { "/,:", 6, 6, true },
	[SPEAKER_CUE_LINE] = { "", 4, 0, true },
	[SPEAKER_HEAD] = { "#$%&@\\^~", 4, 4, true },
	[SPEAKER_PARAGRAPH] = { "()+", 3, 3, true },
};

static const struct {
	const char *role;
	enum speaker_sure sure;
	bool nick;                 /* nobody would choose it for a nickname */
	const char *words;
} sides[] = { SPEAKERS_SIDES };

/* The word as the tables have it, in small letters between bars. false: longer than any name. */
static bool
small(const char *s, size_t len, struct buf *out)
{
	if (len == 0 || len > SPEAKER_BYTES || memchr(s, '|', len) != NULL ||
	    memchr(s, '\0', len) != NULL)
		return false;
	buf_init(out, 8 * SPEAKER_BYTES);
	buf_addc(out, '|');
	normal_text(out, s, len);
	buf_addc(out, '|');
	return true;
}

static bool
may_begin(unsigned char c, bool capital)
{
	return (c >= 'A' && c <= 'Z') ||
	    (capital ? c >= 0xc3 : ascii_is_alnum(c) || c >= 0x80 || c == '_' || c == '+');
}

bool
speaker_is_name(const char *s, size_t len, enum speaker_by by)
{
	unsigned words = 1;

	if (len == 0 || len > SPEAKER_BYTES || !may_begin((unsigned char)*s, looks[by].capital))
		return false;
	for (size_t i = 0; i < len; i++) {
		words += s[i] == ' ';
		for (size_t row = 0; row <= by; row++)
			if (strchr(looks[row].never, s[i]) != NULL)
				return false;
		/* text that a colon or a dash divides is more than a name */
		if ((s[i] == ':' && (i + 1 == len || s[i + 1] == ' ')) ||
		    (len - i >= 3 && memcmp(s + i, "\xe2\x80\x94", 3) == 0))
			return false;
	}
	return words <= (s[len - 1] == '.' ? looks[by].words_with_point : looks[by].words);
}

static const char *
side_of(const char *name, size_t len, bool nick, enum speaker_sure *sure)
{
	size_t i = 0;
	struct buf b;

	if (!small(name, len, &b))
		return NULL;
	while (i < NELEM(sides) && ((nick && !sides[i].nick) || !strstr(sides[i].words, b.data)))
		i++;
	buf_release(&b);
	if (i == NELEM(sides))
		return NULL;
	*sure = sides[i].sure;
	return sides[i].role;
}

const char *
speaker_side(const char *name, size_t len, enum speaker_sure *sure)
{
	enum speaker_sure ignored;

	return side_of(name, len, false, sure != NULL ? sure : &ignored);
}

const char *
speaker_side_of_nick(const char *name, size_t len)
{
	enum speaker_sure ignored;

	return side_of(name, len, true, &ignored);
}

/* Whether it is what programs call a fault: "TypeError", "java.lang.NullPointerException". */
static bool
is_fault(const char *s, size_t len)
{
	static const char *const ends[] = { "error", "exception", "warning", "panic", "failure" };

	for (size_t i = 0; i < NELEM(ends); i++)
		if (span_ends(s, len, ends[i]))
			return true;
	return false;
}

bool
speaker_is_nobody(const char *name, size_t len)
{
	static const char *const nobody[] = { SPEAKERS_NOBODY };
	struct buf b;

	if (!small(name, len, &b))
		return false;
	bool is = is_fault(b.data + 1, b.len - 2);
	for (size_t i = 0; i < NELEM(nobody) && !is; i++)
		is = strstr(nobody[i], b.data) != NULL;
	buf_release(&b);
	return is;
}

bool
speaker_addresses(const char *text, size_t len)
{
	struct lex_token t = { .end = 0 };

	while (lex_next(text, len, t.end, &t))
		if (lex_is(&t, LEX_ME, LEX_ANY, NULL) || lex_is(&t, LEX_YOU, LEX_ANY, NULL) ||
		    lex_is(&t, LEX_SELF, LEX_ANY, NULL))
			return true;
	return false;
}
