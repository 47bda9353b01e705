/* timetoken.c: a token is a word or a number and its place. All words of time are in one table. */
#include "base/ascii.h"
#include "time/timespan.h"
#include "time/timetoken.h"

/* Sorted for binary search. */
static const struct time_term terms[] = {
	{ "a", NUMERAL, 1, SURE }, { "after", PREPOSITION, OF_NONE, SURE }, { "afternoon", PART_OF_DAY, 0, SURE }, { "ago", AGO, 0, SURE },
	{ "an", NUMERAL, 1, SURE }, { "apr", MONTH, 4, BESIDE }, { "april", MONTH, 4, SURE }, { "aug", MONTH, 8, BESIDE },
	{ "august", MONTH, 8, SURE }, { "back", AGO, 0, SURE }, { "before", PREPOSITION, OF_NONE, SURE },
	{ "between", PREPOSITION, OF_MONTHS, SURE }, { "by", PREPOSITION, OF_BOTH, SURE }, { "coming", WHICH, 2, SURE },
	{ "couple", NUMERAL, 2, SURE }, { "current", WHICH, 0, SURE }, { "day", UNIT, GRAIN_DAY, SURE }, { "days", UNIT, GRAIN_DAY, SURE },
	{ "dec", MONTH, 12, BESIDE }, { "december", MONTH, 12, SURE }, { "during", PREPOSITION, OF_MONTHS, SURE },
	{ "early", PREPOSITION, OF_MONTHS, SURE }, { "eight", NUMERAL, 8, SURE }, { "eleven", NUMERAL, 11, SURE },
	{ "evening", PART_OF_DAY, 0, SURE }, { "feb", MONTH, 2, SURE }, { "february", MONTH, 2, SURE }, { "few", NUMERAL, 3, SURE },
	{ "fifteen", NUMERAL, 15, SURE }, { "five", NUMERAL, 5, SURE }, { "four", NUMERAL, 4, SURE }, { "fri", WEEKDAY, 5, BESIDE }, { "friday", WEEKDAY, 5, SURE },
	{ "from", PREPOSITION, OF_MONTHS, SURE }, { "hour", UNIT, HOUR, SURE }, { "hours", UNIT, HOUR, SURE },
	{ "in", PREPOSITION, OF_MONTHS, SURE }, { "jan", MONTH, 1, BESIDE }, { "january", MONTH, 1, SURE }, { "jul", MONTH, 7, BESIDE },
	{ "july", MONTH, 7, SURE }, { "jun", MONTH, 6, BESIDE }, { "june", MONTH, 6, SURE }, { "last", WHICH, -1, SURE },
	{ "late", PREPOSITION, OF_MONTHS, SURE }, { "mar", MONTH, 3, BESIDE }, { "march", MONTH, 3, CAPITAL }, { "may", MONTH, 5, CAPITAL },
	{ "mid", PREPOSITION, OF_MONTHS, SURE }, { "minutes", UNIT, HOUR, SURE }, { "mon", WEEKDAY, 1, BESIDE }, { "monday", WEEKDAY, 1, SURE },
	{ "month", UNIT, GRAIN_MONTH, SURE }, { "months", UNIT, GRAIN_MONTH, SURE }, { "morning", PART_OF_DAY, 0, SURE },
	{ "next", WHICH, 1, SURE }, { "night", PART_OF_DAY, 0, SURE }, { "nine", NUMERAL, 9, SURE }, { "nov", MONTH, 11, BESIDE },
	{ "november", MONTH, 11, SURE }, { "oct", MONTH, 10, BESIDE }, { "october", MONTH, 10, SURE }, { "of", OF, 0, SURE },
	{ "on", PREPOSITION, OF_DAYS, SURE }, { "one", NUMERAL, 1, SURE }, { "past", WHICH, -2, SURE }, { "previous", WHICH, -1, SURE },
	{ "sat", WEEKDAY, 6, BESIDE }, { "saturday", WEEKDAY, 6, SURE }, { "sep", MONTH, 9, BESIDE }, { "sept", MONTH, 9, SURE },
	{ "september", MONTH, 9, SURE }, { "seven", NUMERAL, 7, SURE }, { "several", NUMERAL, 3, SURE }, { "since", PREPOSITION, OF_BOTH, SURE },
	{ "six", NUMERAL, 6, SURE }, { "sun", WEEKDAY, 0, BESIDE }, { "sunday", WEEKDAY, 0, SURE }, { "ten", NUMERAL, 10, SURE },
	{ "the", THE, 0, SURE }, { "thirty", NUMERAL, 30, SURE }, { "this", WHICH, 0, SURE }, { "three", NUMERAL, 3, SURE }, { "throughout", PREPOSITION, OF_MONTHS, SURE },
	{ "thu", WEEKDAY, 4, BESIDE }, { "thurs", WEEKDAY, 4, SURE }, { "thursday", WEEKDAY, 4, SURE },
	{ "till", PREPOSITION, OF_BOTH, SURE },
	{ "today", RELATIVE_DAY, 0, SURE }, { "tomorrow", RELATIVE_DAY, 1, SURE }, { "tonight", RELATIVE_DAY, 0, SURE },
	{ "tue", WEEKDAY, 2, BESIDE }, { "tues", WEEKDAY, 2, SURE }, { "tuesday", WEEKDAY, 2, SURE }, { "twelve", NUMERAL, 12, SURE },
	{ "twenty", NUMERAL, 20, SURE },
	{ "two", NUMERAL, 2, SURE }, { "until", PREPOSITION, OF_BOTH, SURE }, { "upcoming", WHICH, 1, SURE }, { "wed", WEEKDAY, 3, BESIDE },
	{ "wednesday", WEEKDAY, 3, SURE }, { "week", UNIT, GRAIN_WEEK, SURE }, { "weekend", UNIT, WEEKEND, SURE },
	{ "weeks", UNIT, GRAIN_WEEK, SURE }, { "year", UNIT, GRAIN_YEAR, SURE }, { "years", UNIT, GRAIN_YEAR, SURE },
	{ "yesterday", RELATIVE_DAY, -1, SURE },
};

static const struct time_term *
find_term(const char *p, size_t len)
{
	size_t low = 0, high = NELEM(terms);
	char word[TIME_WORD_MAX];

	if (len >= TIME_WORD_MAX)
		return NULL;
	for (size_t i = 0; i < len; i++)
		word[i] = ascii_lower(p[i]);
	word[len] = '\0';
	while (low < high) {
		size_t mid = low + (high - low) / 2, i = 0;
		const char *w = terms[mid].word;

		while (w[i] != '\0' && w[i] == word[i])
			i++;
		if (w[i] == word[i])
			return &terms[mid];
		if (w[i] < word[i])
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

void
timetoken_read(const struct time_reader *r, size_t at, struct time_token *t)
{
	const char *s = r->text;

	*t = (struct time_token){ .start = at, .end = at, .number = -1 };
	if (ascii_is_digit(s[at])) {
		for (t->number = 0; t->end < r->len && ascii_is_digit(s[t->end]);
		     t->end++, t->n_digits++)
			t->number = MIN(t->number * 10 + (s[t->end] - '0'), 9999);
		if (r->len - t->end >= 2 && ascii_is_letter(s[t->end]) &&
		    ascii_is_letter(s[t->end + 1]) &&
		    !(r->len - t->end > 2 && ascii_is_letter(s[t->end + 2]))) {
			char a = ascii_lower(s[t->end]), b = ascii_lower(s[t->end + 1]);

			t->ordinal = (a == 't' && b == 'h') || (a == 's' && b == 't') ||
			    (a == 'n' && b == 'd') || (a == 'r' && b == 'd');
			t->end += t->ordinal ? 2 : 0;
		}
		return;
	}
	while (t->end < r->len && ascii_is_letter(s[t->end]))
		t->end++;
	t->capital = s[at] >= 'A' && s[at] <= 'Z';
	t->term = find_term(s + at, t->end - at);
}

static size_t
skip_gap(const struct time_reader *r, size_t at)
{
	size_t from = at;

	if (at < r->len && (r->text[at] == ',' || r->text[at] == '.'))
		at++;
	while (at < r->len && at - from < 4 && (r->text[at] == ' ' || r->text[at] == '-'))
		at++;
	return at;
}

bool
timetoken_next(const struct time_reader *r, const struct time_token *t, struct time_token *out)
{
	size_t at = skip_gap(r, t->end);

	if (at == t->end || at >= r->len || !ascii_is_alnum(r->text[at]))
		return false;
	timetoken_read(r, at, out);
	return true;
}

bool
timetoken_is(const struct time_token *t, enum time_kind kind)
{
	return t->term != NULL && t->term->kind == kind;
}

bool
timetoken_is_word(const struct time_reader *r, const struct time_token *t, const char *word)
{
	size_t n = strlen(word);

	if (t->end - t->start != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (ascii_lower(r->text[t->start + i]) != word[i])
			return false;
	return true;
}

bool
timetoken_is_year(const struct time_token *t)
{
	return t->n_digits == 4 && !t->ordinal && t->number >= MIN_YEAR && t->number <= MAX_YEAR;
}

bool
timetoken_is_day(const struct time_token *t)
{
	return t->number >= 1 && t->number <= 31 && t->n_digits <= 2;
}
