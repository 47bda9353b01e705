/*
 * timewords.c: English time words, by hand-written rules over tokens. What a question asks about time is in timeasks.c.
 *
 * A token is a word or a number with where it stands. Words of time are in one table; a rule starts at a token, looks at what follows within the same
 * clause (spaces, a comma, a full stop after an abbreviation) and takes the longest reading. Words that are also something else (may, march, sun, sat, mar)
 * count only beside a preposition, a number or with a capital inside a sentence.
 */
#include "base/ascii.h"
#include "text/timewords.h"

#include "text/timespan.h"

#define WORD_MAX 12

enum kind { NOTHING, MONTH, WEEKDAY, RELATIVE_DAY, WHICH, UNIT, NUMERAL, PREPOSITION, AGO, OF, THE, PART_OF_DAY };

/* How sure the word alone is. */
enum doubt { SURE, CAPITAL /* with a capital or more */, BESIDE /* only beside a preposition or a number */ };

struct term {
	char word[WORD_MAX];
	enum kind kind;
	int value;
	enum doubt doubt;
};

enum { HOUR = 10, WEEKEND };               /* units without a grain */
enum { OF_NONE = 0, OF_MONTHS = 1, OF_DAYS = 2, OF_BOTH = 3 };      /* what a preposition makes of a doubtful word behind it */

/* In alphabetical order. */
static const struct term terms[] = {
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

struct token {
	size_t start, end;
	const struct term *term;   /* NULL: another word, or a number */
	int number;                /* -1: no number; at most 9999 */
	size_t n_digits;
	bool ordinal, capital, first;      /* 3rd; a capital letter; the first of its sentence */
};

struct reader {
	const char *text;
	size_t len;
	int64_t now_us;
};

static const struct term *
find_term(const char *p, size_t len)
{
	size_t low = 0, high = NELEM(terms);
	char word[WORD_MAX];

	if (len >= WORD_MAX)
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

/* The token that starts at at, where a letter or a digit is. */
static void
read_token(const struct reader *r, size_t at, struct token *t)
{
	const char *s = r->text;

	*t = (struct token){ .start = at, .end = at, .number = -1 };
	if (ascii_is_digit(s[at])) {
		for (t->number = 0; t->end < r->len && ascii_is_digit(s[t->end]); t->end++, t->n_digits++)
			t->number = MIN(t->number * 10 + (s[t->end] - '0'), 9999);
		if (r->len - t->end >= 2 && ascii_is_letter(s[t->end]) && ascii_is_letter(s[t->end + 1]) && !(r->len - t->end > 2 && ascii_is_letter(s[t->end + 2]))) {
			char a = ascii_lower(s[t->end]), b = ascii_lower(s[t->end + 1]);

			t->ordinal = (a == 't' && b == 'h') || (a == 's' && b == 't') || (a == 'n' && b == 'd') || (a == 'r' && b == 'd');
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
skip_gap(const struct reader *r, size_t at)
{
	size_t from = at;

	if (at < r->len && (r->text[at] == ',' || r->text[at] == '.'))
		at++;
	while (at < r->len && at - from < 4 && (r->text[at] == ' ' || r->text[at] == '-'))
		at++;
	return at;
}

/* The token after t, in the same clause. */
static bool
next(const struct reader *r, const struct token *t, struct token *out)
{
	size_t at = skip_gap(r, t->end);

	if (at == t->end || at >= r->len || !ascii_is_alnum(r->text[at]))
		return false;
	read_token(r, at, out);
	return true;
}

static bool
is(const struct token *t, enum kind kind)
{
	return t->term != NULL && t->term->kind == kind;
}

static bool
is_word(const struct reader *r, const struct token *t, const char *word)
{
	size_t n = strlen(word);

	if (t->end - t->start != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (ascii_lower(r->text[t->start + i]) != word[i])
			return false;
	return true;
}

static bool
is_year(const struct token *t)
{
	return t->n_digits == 4 && !t->ordinal && t->number >= MIN_YEAR && t->number <= MAX_YEAR;
}

static bool
is_day(const struct token *t)
{
	return t->number >= 1 && t->number <= 31 && t->n_digits <= 2;
}

static bool
done(struct time_span *s, const struct token *first, const struct token *last)
{
	s->start = first->start;
	s->end = last->end;
	return true;
}

/* ---- dates ---- */

/* "2024-05-01", "2024-05", "2024/5/1", "5/1/2024" (month first unless it is over 12), "1.5.2024" (day first). */
static bool
read_numeric(const struct reader *r, const struct token *t, struct time_span *s)
{
	int part[3] = { t->number, 0, 0 };
	struct token p = *t;
	size_t n = 1;
	char sign = t->end < r->len ? r->text[t->end] : ' ';

	if ((sign != '-' && sign != '/' && sign != '.') || t->ordinal || (t->start > 0 && (r->text[t->start - 1] == sign || r->text[t->start - 1] == '.' || ascii_is_letter(r->text[t->start - 1]))))
		return false;
	while (n < 3 && p.end + 1 < r->len && r->text[p.end] == sign && ascii_is_digit(r->text[p.end + 1])) {
		read_token(r, p.end + 1, &p);
		part[n++] = p.number;
	}
	if (p.end < r->len && ((r->text[p.end] == sign && (sign != '.' || (p.end + 1 < r->len && ascii_is_digit(r->text[p.end + 1])))) || (ascii_is_letter(r->text[p.end]) && r->text[p.end] != 'T')))
		return false;
	s->start = t->start;
	s->end = p.end;
	if (is_year(t) && n >= 2 && sign != '.')
		return part[1] > 0 && (n == 2 || part[2] > 0) && (n == 3 || (sign == '-' && p.n_digits == 2)) && timespan_date(s, part[0], part[1], part[2]);
	if (n == 3 && is_year(&p) && part[0] > 0 && part[1] > 0)
		return part[0] > 12 || sign == '.' ? timespan_date(s, part[2], part[1], part[0]) : timespan_date(s, part[2], part[0], part[1]);
	return false;
}

/* "June", "June 2023", "June 3", "June 3rd, 2023", "June the 3rd". */
static bool
read_month(const struct reader *r, const struct token *t, bool sure, struct time_span *s)
{
	struct token a, b, c;
	int month = t->term->value;

	if (next(r, t, &a)) {
		if (is_year(&a) && timespan_date(s, a.number, month, 0))
			return done(s, t, &a);
		if (is(&a, OF) && next(r, &a, &b) && is_year(&b) && timespan_date(s, b.number, month, 0))
			return done(s, t, &b);
		if (is(&a, THE) && next(r, &a, &b) && b.ordinal)
			a = b;
		if (is_day(&a) && timespan_date(s, 0, month, a.number)) {
			if (next(r, &a, &c) && is_year(&c) && timespan_date(s, c.number, month, a.number))
				return done(s, t, &c);
			return done(s, t, &a);
		}
	}
	return sure && timespan_date(s, 0, month, 0) && done(s, t, t);
}

/* "3 June 2023", "3rd of June". */
static bool
read_day_month(const struct reader *r, const struct token *t, struct time_span *s)
{
	struct token a, b;

	if (!is_day(t) || !next(r, t, &a) || (is(&a, OF) && !next(r, &a, &a)) || !is(&a, MONTH))
		return false;
	if (next(r, &a, &b) && is_year(&b) && timespan_date(s, b.number, a.term->value, t->number))
		return done(s, t, &b);
	return timespan_date(s, 0, a.term->value, t->number) && done(s, t, &a);
}

/* ---- relative ---- */

/* "half a year ago", at "half"; "a year and a half ago". */
static bool
read_half(const struct reader *r, const struct token *t, struct time_span *s)
{
	struct token a, b, c, d;
	bool half = is_word(r, t, "half");

	if (!next(r, t, &a) || !next(r, &a, &b) || !next(r, &b, &c))
		return false;
	if (half && is(&a, NUMERAL) && is_word(r, &b, "year") && is(&c, AGO)) {
		timespan_unit(s, r->now_us, GRAIN_MONTH, -6);
		return done(s, t, &c);
	}
	if (half || !is_word(r, &a, "year") || !is_word(r, &b, "and") || !is(&c, NUMERAL) || !next(r, &c, &c) || !is_word(r, &c, "half") || !next(r, &c, &d) || !is(&d, AGO))
		return false;
	timespan_unit(s, r->now_us, GRAIN_MONTH, -18);
	return done(s, t, &d);
}

/* "two weeks ago", "3 days back", "a couple of months ago"; hours ago are the day they fall on. */
static bool
read_ago(const struct reader *r, const struct token *t, int n, struct time_span *s)
{
	struct token a = *t, b;

	if (read_half(r, t, s))
		return true;
	if (!next(r, &a, &a))
		return false;
	if (is(&a, NUMERAL)) {                         /* a couple, a few */
		n = a.term->value;
		if (!next(r, &a, &a))
			return false;
	}
	if (is(&a, OF) && !next(r, &a, &a))
		return false;
	if (!is(&a, UNIT) || !next(r, &a, &b) || !is(&b, AGO) || n < 0 || n > 1000)
		return false;
	if (a.term->value == HOUR)
		timespan_unit(s, r->now_us - (is_word(r, &a, "minutes") ? 60 : 3600) * US_PER_S * n, GRAIN_DAY, 0);
	else if (a.term->value == WEEKEND)
		timespan_weekend(s, r->now_us, -n);
	else
		timespan_unit(s, r->now_us, (enum time_grain)a.term->value, -n);
	return done(s, t, &b);
}

/* The month of the year before, of this year, or of the next, seen from now. */
static bool
month_near(const struct reader *r, int month, int which, struct time_span *s)
{
	struct civil now;
	int year;

	time_civil(r->now_us, &now);
	year = now.year;
	if (which < 0 && month >= now.month)
		year--;
	else if (which > 0 && month <= now.month)
		year++;
	return timespan_date(s, year, month, 0);
}

/* "last week", "this Monday", "next May", "the past three months", "last night", "this morning". */
static bool
read_which(const struct reader *r, const struct token *t, struct time_span *s)
{
	bool rolling = t->term->value == 2 || t->term->value == -2;
	int which = t->term->value < 0 ? -1 : t->term->value > 0 ? 1 : 0, n = 0;
	struct token a, last;

	if (!next(r, t, &a))
		return false;
	if (timespan_english_name(r->text, r->len, a.start, r->now_us, which, s) > a.start) {
		s->start = t->start;
		return true;
	}
	if (a.number > 0 && a.number <= 1000 && !a.ordinal && !is_year(&a))
		n = a.number;
	else if (is(&a, NUMERAL))
		n = a.term->value;
	if (n > 0) {
		if (!next(r, &a, &a) || (is(&a, OF) && !next(r, &a, &a)) || !is(&a, UNIT) || a.term->value > GRAIN_YEAR || which == 0)
			return false;
		timespan_rolling(s, r->now_us, (enum time_grain)a.term->value, which < 0 ? n : -n);
		return done(s, t, &a);
	}
	last = a;
	if (is(&a, UNIT) && a.term->value <= (int)GRAIN_YEAR) {
		if (which != 0 && a.term->value == GRAIN_DAY)      /* "the last day", "next day": of what? */
			return false;
		if (which == 0 && a.term->value == GRAIN_DAY)
			timespan_unit(s, r->now_us, GRAIN_DAY, 0);
		else if (rolling)
			timespan_rolling(s, r->now_us, (enum time_grain)a.term->value, -1 * which);
		else
			timespan_unit(s, r->now_us, (enum time_grain)a.term->value, which);
	} else if (is(&a, UNIT) && a.term->value == WEEKEND) {
		timespan_weekend(s, r->now_us, which > 0 && !is_word(r, t, "next") ? 0 : which);
	} else if (is_word(r, &a, "quarter")) {
		timespan_quarter(s, r->now_us, which);
	} else if (is(&a, WEEKDAY)) {
		if (which == 0)
			timespan_weekday_of(s, r->now_us, a.term->value, 0);
		else
			timespan_weekday(s, r->now_us, a.term->value, which);
	} else if (is(&a, PART_OF_DAY)) {
		timespan_unit(s, r->now_us, GRAIN_DAY, which);
	} else if (!is(&a, MONTH) || (which == 0 && a.term->doubt != SURE && !a.capital) || !month_near(r, a.term->value, which, s)) {
		return false;                                  /* also "this may be" */
	}
	/* "the last week of May" is not last week */
	return !(next(r, &last, &a) && is(&a, OF)) && done(s, t, &last);
}

/* "the day before yesterday", "the day after tomorrow"; at "day". */
static bool
read_day_beside(const struct reader *r, const struct token *t, struct time_span *s)
{
	struct token a, b;

	if (!next(r, t, &a) || !next(r, &a, &b) || !is(&b, RELATIVE_DAY) || b.term->value == 0)
		return false;
	if (is_word(r, &a, "before") || is_word(r, &a, "after")) {
		timespan_unit(s, r->now_us, GRAIN_DAY, b.term->value + (is_word(r, &a, "before") ? -1 : 1));
		return done(s, t, &b);
	}
	return false;
}

/* "the week before last", "the Friday before last"; at "week". */
static bool
read_before_last(const struct reader *r, const struct token *t, struct time_span *s)
{
	struct token a, b, c;
	int what = t->term->value;

	if (!next(r, t, &a) || !is_word(r, &a, "before") || !next(r, &a, &b) || !is_word(r, &b, "last"))
		return false;
	if (next(r, &b, &c) && (is(&c, UNIT) || is(&c, WEEKDAY) || is(&c, MONTH) || timespan_english_name(r->text, r->len, c.start, r->now_us, -1, s) > c.start))
		return false;                                  /* "the week before last Christmas" */
	if (is(t, WEEKDAY)) {
		timespan_weekday(s, r->now_us, what, -1);
		timespan_unit(s, s->from_us, GRAIN_DAY, -7);
	} else if (is(t, PART_OF_DAY)) {
		timespan_unit(s, r->now_us, GRAIN_DAY, -2);
	} else if (what == WEEKEND) {
		timespan_weekend(s, r->now_us, -2);
	} else if (what >= (int)GRAIN_WEEK && what <= (int)GRAIN_YEAR) {
		timespan_unit(s, r->now_us, (enum time_grain)what, -2);
	} else {
		return false;
	}
	return done(s, t, &b);
}

/* "on the 5th": the latest such day. */
static bool
read_day_alone(const struct reader *r, const struct token *t, const struct token *before, struct time_span *s)
{
	struct civil now;
	struct token a;

	if (!t->ordinal || !is(before, THE) || before->start < 3 || !is_word(r, &(struct token){ .start = before->start - 3, .end = before->start - 1 }, "on") || next(r, t, &a))
		return false;
	time_civil(r->now_us, &now);
	for (int back = t->number > now.day; back <= 2; back++) {
		int month = (now.month + 11 - back) % 12 + 1;

		if (timespan_date(s, month > now.month ? now.year - 1 : now.year, month, t->number))
			return done(s, t, t);
	}
	return false;
}

/* A word that may be something else is a time word here. */
static bool
is_meant(const struct reader *r, const struct token *t, const struct token *before)
{
	int wants = is(t, MONTH) ? OF_MONTHS : OF_DAYS;
	struct token a;

	if (t->term->doubt == SURE || (next(r, t, &a) && a.number > 0 && (a.ordinal || is_year(&a))))
		return true;
	if ((is(before, WHICH) && before->term->value != 0) || (is(before, OF) && wants == OF_MONTHS) || (is(before, PREPOSITION) && (before->term->value & wants)))
		return true;
	return t->term->doubt == CAPITAL && t->capital && !t->first;
}

/* The time words that start with t. */
static bool
read_span(const struct reader *r, const struct token *t, const struct token *before, struct time_span *s)
{
	if (t->number >= 0) {
		if (read_numeric(r, t, s) || read_day_month(r, t, s) || read_ago(r, t, t->number, s) || read_day_alone(r, t, before, s))
			return true;
		return is_year(t) && (is(before, PREPOSITION) || is(before, OF) || is_word(r, before, "year")) && timespan_date(s, t->number, 0, 0)
			&& done(s, t, t);
	}
	if (timespan_english_name(r->text, r->len, t->start, r->now_us, TIMESPAN_NO_WHICH, s) > t->start)
		return true;
	if (t->term == NULL)
		return is_word(r, t, "half") && read_half(r, t, s);
	switch (t->term->kind) {
	case MONTH:
		return read_month(r, t, is_meant(r, t, before), s);
	case WEEKDAY:
		if (!is_meant(r, t, before))
			return false;
		if (read_before_last(r, t, s))
			return true;
		timespan_weekday(s, r->now_us, t->term->value, 0);
		s->weekday = t->term->value + 1;
		return done(s, t, t);
	case RELATIVE_DAY:
		timespan_unit(s, r->now_us, GRAIN_DAY, t->term->value);
		return done(s, t, t);
	case WHICH:
		return read_which(r, t, s);
	case NUMERAL:
		return read_ago(r, t, t->term->value, s);
	case PART_OF_DAY:
		return read_before_last(r, t, s);
	case UNIT:
		return t->term->value == GRAIN_DAY ? read_day_beside(r, t, s) : read_before_last(r, t, s);
	default:
		return false;
	}
}

size_t
timewords_find(const char *text, size_t len, int64_t now_us, struct time_span *out, size_t max)
{
	struct reader r = { text, len, now_us };
	struct token before = { .number = -1 }, t;
	bool first = true;
	size_t at = 0, n = 0;

	while (at < len && n < max) {
		out[n] = (struct time_span){ .grain = GRAIN_DAY };
		bool high = (unsigned char)text[at] >= 0x80;

		if (high || ascii_is_digit(text[at])) {
			size_t end = timespan_chinese(text, len, at, now_us, &out[n]);

			if (end > at && (high || end > at + 3)) {
				out[n].start = at;
				out[n].end = at = end;
				n += n == 0 || !timespan_join(text, &out[n - 1], &out[n]);
				continue;
			}
		}
		if (!ascii_is_alnum(text[at])) {
			first = first || text[at] == '.' || text[at] == '!' || text[at] == '?' || text[at] == '\n' || text[at] == ':' || text[at] == '"';
			if (text[at] != ' ')
				before = (struct token){ .number = -1 };
			at++;
			continue;
		}
		read_token(&r, at, &t);
		t.first = first;
		first = false;
		if (read_span(&r, &t, &before, &out[n])) {
			at = out[n].end;
			n += n == 0 || !timespan_join(text, &out[n - 1], &out[n]);
			before = (struct token){ .number = -1 };
			continue;
		}
		before = t;
		at = t.end;
	}
	return n;
}

