/* timetoken.c: words of time are those of the lexicon in the language that is tried. */
#include "time/timetoken.h"

#include "base/ascii.h"
#include "time/timespan.h"

bool
timetoken_behind(const struct time_reader *r, size_t at, struct lex_token *out)
{
	size_t from = at;

	if (at < r->len && (r->text[at] == ',' || r->text[at] == '.'))
		at++;
	while (at < r->len && at - from < 4 && (r->text[at] == ' ' || r->text[at] == '-'))
		at++;
	return lex_next(r->text, r->len, at, out) && out->start == at;
}

bool
timetoken_next(const struct time_reader *r, const struct lex_token *t, struct lex_token *out)
{
	return timetoken_behind(r, t->end, out);
}

bool
timetoken_is(const struct time_reader *r, const struct lex_token *t, enum lex class, int *value)
{
	return lex_is(t, class, r->lang, value);
}

size_t
timetoken_phrase(const struct time_reader *r, const struct lex_token *t, enum lex class, int *value)
{
	return lex_phrase(r->text, r->len, t, class, r->lang, value);
}

int
timetoken_number(const struct time_reader *r, const struct lex_token *t, bool *ordinal)
{
	*ordinal = t->n_digits > 0 && t->whole > t->n_digits &&
	    lex_word(t->folded + t->n_digits, (size_t)t->whole - t->n_digits, LEX_ORDINAL, r->lang,
		NULL);
	return *ordinal || t->whole == t->n_digits ? t->number : -1;
}

bool
timetoken_is_year(const struct time_reader *r, const struct lex_token *t)
{
	bool ordinal;
	int n = timetoken_number(r, t, &ordinal);

	return t->n_digits == 4 && !ordinal && n >= MIN_YEAR && n <= MAX_YEAR;
}

bool
timetoken_is_day(const struct time_reader *r, const struct lex_token *t)
{
	bool ordinal;
	int n = timetoken_number(r, t, &ordinal);

	return n >= 1 && n <= 31 && t->n_digits <= 2;
}

/* The start of the word that ends before byte `end`, blanks and a hyphen passed over. */
static size_t
word_before(const char *text, size_t end)
{
	while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '-' || text[end - 1] == '\''))
		end--;
	if (end > 2 && (unsigned char)text[end - 1] >= 0x80 && (unsigned char)text[end - 3] >= 0xe3)
		return end - 3;
	while (end > 0 && (ascii_is_alnum(text[end - 1]) || (unsigned char)text[end - 1] >= 0x80))
		end--;
	return end;
}

bool
timetoken_ends_in(const char *text, size_t end, enum lex class, unsigned langs)
{
	enum { WORDS = 4 };
	struct lex_token t;
	size_t at = end;

	for (int k = 0; k < WORDS && at > 0; k++) {
		at = word_before(text, at);
		if (!lex_next(text, end, at, &t) || t.start != at)
			return false;
		size_t found = lex_phrase(text, end, &t, class, langs, NULL);
		if (found > 0 && (found == end || word_before(text, end) < found))
			return true;
		if (lex_is(&t, LEX_ARTICLE, langs, NULL))
			end = at;
	}
	return false;
}
