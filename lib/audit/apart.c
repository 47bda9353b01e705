/*
 * apart.c: goes by words of schema/cues/apart.txt, and by dates that are written in digits.
 */
#include "audit/apart.h"

#include "base/ascii.h"
#include "statement/cues.h"

#define TABLE "schema/cues/apart.txt"

struct side { const char *text; size_t len; struct cue_text found; };

/* Whether b has the words of the cue, too. */
static bool
has_same(const struct side *a, const struct cue *cue, const struct side *b)
{
	for (size_t i = 0; i < b->found.n; i++) {
		const struct cue *other = &b->found.cues[i];
		size_t n = 0;

		while (n < cue->len && other->len == cue->len &&
		    ascii_lower((unsigned char)a->text[cue->start + n]) ==
			ascii_lower((unsigned char)b->text[other->start + n]))
			n++;
		if (n == cue->len)
			return true;
	}
	return false;
}

/* Whether a has a word by which it may be of something else than b. */
static bool
has_own(const struct side *a, const struct side *b, bool number, bool denied)
{
	for (size_t i = 0; i < a->found.n; i++) {
		const struct cue *cue = &a->found.cues[i];

		if (cue_text_is(&a->found, cue, "bounds") ? number
		    : cue_text_is(&a->found, cue, "case") ? denied : !has_same(a, cue, b))
			return true;
	}
	return false;
}

/* Whether a date stands in it as "2024-03-03", "3.3.2024" or "3/3". */
static bool
has_date(const struct side *s)
{
	for (size_t i = 0; i + 2 < s->len; i++) {
		size_t parts = 0, at = i;

		if (!ascii_is_digit(s->text[i]) || (i > 0 && ascii_is_alnum(s->text[i - 1])))
			continue;
		for (; at < s->len && (ascii_is_digit(s->text[at]) ||
		    (strchr("-./", s->text[at]) != NULL && at + 1 < s->len &&
			ascii_is_digit(s->text[at + 1]))); at++)
			parts += !ascii_is_digit(s->text[at]);
		if (parts == 2)
			return true;
		i = at;
	}
	return false;
}

bool
apart_may_be(const struct apart *a, const struct apart *b, bool number, bool denied)
{
	static _Thread_local struct side x, y;

	x.text = a->text;
	x.len = a->len;
	y.text = b->text;
	y.len = b->len;
	cue_text_read(&x.found, TABLE, x.text, x.len);
	cue_text_read(&y.found, TABLE, y.text, y.len);
	return has_own(&x, &y, number, denied) || has_own(&y, &x, number, denied) ||
	    (number && has_date(&x) != has_date(&y));
}
