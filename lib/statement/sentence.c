/*
 * sentence.c: goes from mark to mark. What stands in code, in quotation marks or in parentheses is
 * passed over as one; a stop at its end may be that of the whole sentence.
 */
#include "statement/sentence.h"

#include "base/ascii.h"
#include "statement/cues.h"
#include "lexicon/unicode.h"
#include "text/words.h"

#define STOPS   "。 ！ ？ … ! ? ."
#define WORD_BYTES 24

size_t
sentence_mark(const char *p, size_t len, const char *marks)
{
	/* most bytes begin no mark at all */
	if (len == 0 || *p == ' ' || strchr(marks, *p) == NULL)
		return 0;
	for (const char *m = marks; *m != '\0';) {
		size_t n = strcspn(m, " ");
		if (len >= n && memcmp(p, m, n) == 0)
			return n;
		m += n + (m[n] == ' ');
	}
	return 0;
}

static bool
is_letter(char c)
{
	return ascii_is_letter(c) || (unsigned char)c >= 0x80;
}

bool
sentence_asks(const char *text, size_t len)
{
	while (len > 0 && strchr(" \t\r\n\"')*", text[len - 1]) != NULL)
		len--;
	return (len > 0 && text[len - 1] == '?') ||
	    (len >= 3 && sentence_mark(text + len - 3, 3, "？") > 0);
}

bool
sentence_han_before(const char *text, size_t at)
{
	uint32_t cp;
	enum unicode_class cls;

	if (at < 3)
		return false;
	unicode_next(text + at - 3, text + at, &cp, &cls);
	return cls == UNICODE_CJK;
}

/* Whether word is one of list, which has blanks around each. */
static bool
is_one_of(const char *list, const char *word, size_t len)
{
	char key[WORD_BYTES + 3];

	if (len > WORD_BYTES)
		return false;
	snprintf(key, sizeof(key), " %.*s ", (int)len, word);
	return strstr(list, key) != NULL;
}

/* ---- stops inside a sentence ---- */

/* A word with its letters small: [len] bytes of the text. */
struct word_of { char low[WORD_BYTES]; size_t len; const char *text; };

static struct word_of
word_before(const char *text, size_t start, size_t at)
{
	struct word_of w = { .len = 0 };
	size_t from = at;

	while (from > start && !ascii_is_space(text[from - 1]) &&
	    strchr("(\"/", text[from - 1]) == NULL)
		from--;
	w.text = text + from;
	w.len = at - from <= sizeof(w.low) ? at - from : 0;
	for (size_t i = 0; i < w.len; i++)
		w.low[i] = ascii_lower(w.text[i]);
	return w;
}

static struct word_of
word_behind(const char *text, size_t at, size_t end)
{
	struct word_of w = { .text = text + at };

	while (at + w.len < end && w.len < sizeof(w.low) &&
	    (is_letter(text[at + w.len]) || text[at + w.len] == '\'')) {
		w.low[w.len] = ascii_lower(text[at + w.len]);
		w.len++;
	}
	return w;
}

/* Whether a month is named: "12. April". */
static bool
is_month(const struct word_of *w)
{
	return cues_has("schema/cues/statement.txt", "month", w->text, w->len);
}

/* Whether a word with a capital begins a sentence: "The", "Wir", but not "Army". */
static bool
opens_sentence(const struct word_of *w)
{
	static const char *const opening[] = { "subject", "pronoun", "joint", "lead" };
	const struct cues *cues = cues_of("schema/cues/statement.txt");
	struct cue found[8];
	char folded[3 * WORD_BYTES + 1];
	size_t n;

	if (w->len == 0 || !ascii_is_upper(*w->text))
		return false;
	if (words_is_stop(folded, words_fold(w->text, w->len, folded)))
		return true;
	n = cues_find(cues, w->text, w->len, found, NELEM(found), NULL);
	while (n-- > 0)
		for (size_t i = 0; i < NELEM(opening); i++)
			if (found[n].len == w->len &&
			    (int)found[n].class == cues_class(cues, opening[i]))
				return true;
	return false;
}

/* Whether the word is letters with a stop after each but the last: "J.K", "U.S", "p.m", "I.". */
static bool
is_initials(const struct word_of *w)
{
	for (size_t i = 0; i < w->len; i++)
		if (i % 2 == 0 ? !ascii_is_letter(w->text[i]) : w->text[i] != '.')
			return false;
	return w->len % 2 == 1;
}

/* Whether a number with a stop counts: "12. April", "im 3. Stock". w: the number. */
static bool
is_ordinal(const char *text, size_t start, const struct word_of *w, const struct word_of *behind)
{
	static const char *const before = " der die das dem den des im am zum zur beim vom ein "
	    "eine einen einem einer jeder jedes jeden unser unsere mein meine ";
	size_t at = (size_t)(w->text - text);
	struct word_of article;

	for (size_t i = 0; i < w->len; i++)
		if (!ascii_is_digit(w->text[i]))
			return false;
	if (w->len == 0 || w->len > 2 || behind->len == 0)
		return false;
	if ((*behind->text >= 'a' && *behind->text <= 'z') || is_month(behind))
		return true;
	while (at > start && ascii_is_space(text[at - 1]))
		at--;
	article = word_before(text, start, at);
	return is_one_of(before, article.low, article.len);
}

/* Whether the full stop at `at` ends no sentence, as the word before it is cut short or counts. */
static bool
is_inner_stop(const char *text, size_t start, size_t at, size_t end)
{
	/* what is always followed; what a number follows; what may end a sentence, too */
	static const char *const names = " mr mrs ms dr st prof fr hr sr sra srta dra mt bzw ca "
	    "vgl vs eg ie e.g i.e z.b d.h u.a o.g approx ej resp bspw evtl ggf inkl exkl zzgl geb "
	    "dipl ing sog ",
			  *const counts = " no nr str s p pp vol fig art abs ch sec ext kap bd abb "
	    "tel approx jan feb mar apr jun jul aug sep sept oct okt nov dec dez ",
			  *const ends = " etc usw inc ltd co corp jr llc al a.m p.m str ";
	struct word_of w = word_before(text, start, at), behind;
	size_t next = ascii_skip(text, at + 1, end);

	if (w.len == 0 || next >= end)
		return false;
	behind = word_behind(text, next, end);
	if (is_one_of(names, w.low, w.len))
		return true;
	if (ascii_is_digit(text[next]) && is_one_of(counts, w.low, w.len))
		return true;
	if (is_one_of(ends, w.low, w.len) ||
	    (w.len > 3 && memcmp(w.low + w.len - 3, "str", 3) == 0))
		return !opens_sentence(&behind);
	if (w.len == 1 && *w.text >= 'a' && *w.text <= 'z')    /* "z. B.", not "plan b. Then" */
		return behind.len > 0 && next + behind.len < end &&
		    text[next + behind.len] == '.';
	if (is_initials(&w) && !(w.len == 1 && *w.text == 'I'))
		return !opens_sentence(&behind);
	return is_ordinal(text, start, &w, &behind);
}

/* ---- what stands in marks ---- */

/* Where the marks that open at `at` close, their last byte included; 0: they do not, or none is. */
static size_t
inside_end(const char *text, size_t start, size_t at, size_t end)
{
	static const char *const pairs[][2] = { { "(", ")" }, { "（", "）" }, { "“", "”" },
		{ "„", "“" }, { "«", "»" }, { "「", "」" }, { "『", "』" }, { "《", "》" }, { "`", "`" } };
	size_t most = MIN(end, at + SENTENCE_INSIDE), n;
	unsigned deep = 1;

	if (text[at] == '"') {
		if ((at > start && !ascii_is_space(text[at - 1]) && text[at - 1] != '(') ||
		    at + 1 >= end || ascii_is_space(text[at + 1]))
			return 0;
		for (size_t i = at + 1; i < most; i++)
			if (text[i] == '"' && !(i + 1 < end && ascii_is_alnum(text[i + 1])))
				return i + 1;
		return 0;
	}
	for (size_t k = 0; k < NELEM(pairs); k++) {
		const char *open = pairs[k][0], *close = pairs[k][1];
		if ((n = sentence_mark(text + at, end - at, open)) == 0)
			continue;
		for (size_t i = at + n; i < most; i++) {
			size_t shut = sentence_mark(text + i, end - i, close);
			if (shut > 0 && --deep == 0)
				return i + shut;
			deep += shut == 0 && sentence_mark(text + i, end - i, open) > 0;
		}
	}
	return 0;
}

/* Whether the sentence ends with what stands in marks from `open` to `close`. */
static bool
ends_inside(const char *text, size_t start, size_t open, size_t close, size_t end)
{
	size_t next = ascii_skip(text, close, end), last = close, before = open;
	bool round = text[open] == '(' || sentence_mark(text + open, end - open, "（") > 0;

	while (last > open && (text[last - 1] & 0xc0) == 0x80)
		last--;                        /* the closing mark */
	last--;
	if (text[open] == '`' || last < open + 1 ||
	    (sentence_mark(text + last - 1, 1, "! ? .") == 0 &&
		(last < open + 4 || sentence_mark(text + last - 3, 3, "。 ！ ？ …") == 0)))
		return false;
	if (next >= end)
		return true;
	if (text[next] >= 'a' && text[next] <= 'z')
		return open <= start && round;
	if (sentence_mark(text + next, end - next, ", ; : - ， ； ：") > 0)
		return false;
	if (text[last - 1] == '.' && is_inner_stop(text, open + 1, last - 1, last + 1))
		return false;
	while (before > start && ascii_is_space(text[before - 1]))
		before--;
	return before <= start || next > close || strchr(":,", text[before - 1]) != NULL ||
	    (before >= start + 3 && sentence_mark(text + before - 3, 3, "： ，") > 0);
}

size_t
sentence_end(const char *text, size_t start, size_t end)
{
	for (size_t i = start; i < end; i++) {
		size_t n, next, inside;
		if (ascii_is_alnum(text[i]) || text[i] == ' ')
			continue;              /* most bytes are nothing else */
		inside = inside_end(text, start, i, end);
		if (inside > 0 && ends_inside(text, start, i, inside, end))
			return inside;
		if (inside > 0) {
			i = inside - 1;
			continue;
		}
		if ((n = sentence_mark(text + i, end - i, STOPS)) == 0)
			continue;
		next = i + n;
		while (next < end && (n = sentence_mark(text + next, end - next, STOPS)) > 0)
			next += n;
		while (next < end &&
		    (n = sentence_mark(text + next, end - next, "\" ” ’ » ) ） 」 』 * _")) > 0)
			next += n;
		if (strchr(".!?", text[i]) != NULL && next < end && !ascii_is_space(text[next]) &&
		    !sentence_han_before(text, i)) {
			i = next - 1;
			continue;
		}
		if (text[i] == '.' && next == i + 1 && is_inner_stop(text, start, i, end))
			continue;
		return next;
	}
	return end;
}
