/*
 * timespan_zh.c: Chinese time words: fixed ones, counted ones, dates, weekdays, and named parts of
 * the year (timenames.c) with their year. Words and signs are those of the lexicon: Chinese has no
 * spaces, so the longest that begins at a character is taken.
 */
#include "base/ascii.h"
#include "time/timespan.h"

struct reader {
	const struct time_reader *of;
	size_t at;
	size_t known_at;                   /* where `known` begin; their number */
	size_t n_known;
	struct lex_match known[LEX_MATCHES];
};

/* Finds what begins at r->at. */
static void
look(struct reader *r)
{
	struct lex_token t;

	if (r->known_at == r->at && r->n_known != SIZE_MAX)
		return;
	r->known_at = r->at;
	r->n_known = lex_next(r->of->text, r->of->len, r->at, &t) && t.start == r->at
	    ? lex_matches(r->of->text, r->of->len, &t, r->known)
	    : 0;
}

static bool
read_word(struct reader *r, enum lex class, int *value)
{
	look(r);
	size_t end = lex_match(r->known, r->n_known, class, r->of->lang, value);
	if (end == 0)
		return false;
	r->at = end;
	return true;
}

/* Reads ASCII digits, or a numeral up to ninety-nine. */
static bool
read_number(struct reader *r, int *value)
{
	const char *text = r->of->text;
	size_t len = r->of->len;
	int tens = 1, ones = 0, x;
	bool any = false;

	for (*value = 0; r->at < len && ascii_is_digit(text[r->at]); any = true) {
		if (*value > 9999)
			return false;
		*value = *value * 10 + (text[r->at++] - '0');
	}
	if (any)
		return true;
	if (read_word(r, LEX_NUMERAL, &ones))
		any = true;
	if (!read_word(r, LEX_TEN, &x)) {
		*value = ones;
		return any;
	}
	if (any)
		tens = ones;
	ones = 0;
	(void)read_word(r, LEX_NUMERAL, &ones);
	*value = 10 * tens + ones;
	return true;
}

/* Reads month and day behind a year, where they are given. */
static void
read_month_day(struct reader *r, int *month, int *day)
{
	size_t before = r->at;
	int n, x;

	*month = *day = 0;
	if (!read_number(r, &n) || !read_word(r, LEX_MONTH_SIGN, &x) || n < 1 || n > 12) {
		r->at = before;
		return;
	}
	*month = n;
	before = r->at;
	if (!read_number(r, &n) || !read_word(r, LEX_DAY_SIGN, &x) || n < 1 || n > 31) {
		r->at = before;
		return;
	}
	*day = n;
}

/* Reads the name of a part of the year, in the given year or in any. */
static bool
read_name(struct reader *r, int64_t now_us, int year, struct time_span *s)
{
	size_t start = r->at;
	int feast;

	if (!read_word(r, LEX_FEAST, &feast) &&
	    (year == 0 || !read_word(r, LEX_FEAST_YEAR, &feast)))
		return false;
	if (!timespan_feast(s, feast, year, now_us)) {
		r->at = start;
		return false;
	}
	s->part = year == 0 ? feast + 1 : 0;
	s->name_start = start;
	s->name_end = r->at;
	return true;
}

/* Reads a year digit by digit. */
static bool
read_year_digits(struct reader *r, int *year)
{
	int digit;

	*year = 0;
	for (int i = 0; i < 4; i++) {
		if (!read_word(r, LEX_NUMERAL, &digit))
			return false;
		*year = 10 * *year + digit;
	}
	return true;
}

/* Reads a year, a month, a day, or a named part of the year, as many as there are. */
static bool
read_date(struct reader *r, int64_t now_us, struct time_span *s)
{
	struct reader year = *r;
	int n, x, month, day;
	struct civil now;

	time_civil(now_us, &now);
	if (read_word(&year, LEX_NEAR_YEAR, &n)) {
		*r = year;
		read_month_day(r, &month, &day);
		if (month)
			return timespan_date(s, now.year + n, month, day);
		if (read_name(r, now_us, now.year + n, s))
			return true;
		timespan_unit(s, now_us, GRAIN_YEAR, n);
		return true;
	}
	if (read_number(&year, &n) && n >= MIN_YEAR && n <= MAX_YEAR &&
	    read_word(&year, LEX_YEAR_SIGN, &x)) {
		*r = year;
		read_month_day(r, &month, &day);
		return (month == 0 && read_name(r, now_us, n, s)) ||
		    timespan_date(s, n, month, day);
	}
	year = *r;
	if (read_year_digits(&year, &n) && n >= MIN_YEAR && n <= MAX_YEAR &&
	    read_word(&year, LEX_YEAR_SIGN, &x)) {
		*r = year;
		read_month_day(r, &month, &day);
		return (month == 0 && read_name(r, now_us, n, s)) ||
		    timespan_date(s, n, month, day);
	}
	if (read_name(r, now_us, 0, s))
		return true;
	read_month_day(r, &month, &day);
	return month && timespan_date(s, 0, month, day);
}

/* Reads "last month", with a day or without. */
static bool
read_month_word(struct reader *r, int64_t now_us, struct time_span *s)
{
	struct reader day = *r;
	struct civil c;
	int offset, n, x;

	if (!read_word(r, LEX_NEAR_MONTH, &offset))
		return false;
	timespan_unit(s, now_us, GRAIN_MONTH, offset);
	time_civil(s->from_us, &c);
	day = *r;
	if (read_number(&day, &n) && read_word(&day, LEX_DAY_SIGN, &x) &&
	    timespan_date(s, c.year, c.month, n))
		*r = day;
	return true;
}

/* Reads "three days ago", "the last two weeks", "half a year ago". */
static bool
read_count(struct reader *r, int64_t now_us, struct time_span *s)
{
	int recent = 0, n, unit, x;

	if (read_word(r, LEX_HALF_YEAR, &n)) {
		timespan_unit(s, now_us, GRAIN_MONTH, -6);
		return read_word(r, LEX_AGO, &x);
	}

	(void)read_word(r, LEX_RECENT, &recent);
	if (!read_number(r, &n) || !read_word(r, LEX_UNIT, &unit) || n < 1 || n > 1000)
		return false;
	if (recent != 0) {
		timespan_rolling(s, now_us, (enum time_grain)unit, recent * n);
		return true;
	}
	if (!read_word(r, LEX_AGO, &x))
		return false;
	timespan_unit(s, now_us, (enum time_grain)unit, -n);
	return true;
}

/* Whether a count precedes, so that no week or Monday is meant: "every Monday". */
static bool
counted_before(const struct reader *r)
{
	struct time_reader until = *r->of;
	struct reader before = { .of = &until, .at = r->at - 3, .n_known = SIZE_MAX };
	int n;

	until.len = r->at;
	return r->at >= 3 &&
	    (read_word(&before, LEX_NUMERAL, &n) || read_word(&before, LEX_EVERY, &n));
}

/* Reads "last week", "Wednesday of last week", "the weekend", "Sunday". */
static bool
read_week(struct reader *r, int64_t now_us, struct time_span *s)
{
	int offset, day;

	if (read_word(r, LEX_NEAR_WEEK, &offset)) {
		if (!read_word(r, LEX_WEEKDAY_SIGN, &day))
			timespan_unit(s, now_us, GRAIN_WEEK, offset);
		else if (day == 7)
			timespan_weekend(s, now_us, offset);
		else
			timespan_weekday_of(s, now_us, day, offset);
		return true;
	}
	if (counted_before(r) || !read_word(r, LEX_WEEK_SIGN, &offset) ||
	    !read_word(r, LEX_WEEKDAY_SIGN, &day))
		return false;
	if (day == 7) {
		timespan_weekend(s, now_us, 0);
	} else {
		timespan_weekday(s, now_us, day, 0);
		s->weekday = day + 1;
	}
	return true;
}

size_t
timespan_chinese(const struct time_reader *of, const struct lex_token *t, struct time_span *s)
{
	struct reader r = { .of = of, .at = t->start, .n_known = SIZE_MAX }, whole = r;
	int64_t now_us = of->now_us;
	int n;

	look(&r);
	if (t->n_digits == 0 && r.n_known == 0)
		return 0;
	whole = r;
	if (read_word(&r, LEX_NUMERAL, &n) && counted_before(&whole))
		/* not inside a number either */
		return 0;
	r = whole;
	if (read_word(&r, LEX_DAY, &n)) {
		timespan_unit(s, now_us, GRAIN_DAY, n);
		return r.at;
	}
	if (read_month_word(&r, now_us, s))
		return r.at;
	if (read_week(&r, now_us, s))
		return r.at;
	r = whole;
	if (read_date(&r, now_us, s))
		return r.at;
	r = whole;
	return read_count(&r, now_us, s) ? r.at : 0;
}
