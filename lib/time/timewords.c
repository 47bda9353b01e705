/*
 * timewords.c: English time words, by hand-written rules over tokens. What a question asks about
 * time is in timeasks.c.
 *
 * A rule starts at a token, looks at what follows in the same clause, and takes the longest match.
 * Words that also mean something else (may, march, sun, sat, mar) count only beside a preposition
 * or a number, or with a capital inside a sentence.
 */
#include "base/ascii.h"
#include "time/timespan.h"
#include "time/timetoken.h"

static bool
done(struct time_span *s, const struct time_token *first, const struct time_token *last)
{
	s->start = first->start;
	s->end = last->end;
	return true;
}

/* ---- dates ---- */

/*
 * Reads "2024-05-01", "2024-05", "2024/5/1", "5/1/2024" (the month first, unless it is over 12),
 * "1.5.2024" (the day first).
 */
static bool
read_numeric(const struct time_reader *r, const struct time_token *t, struct time_span *s)
{
	int part[3] = { t->number, 0, 0 };
	struct time_token p = *t;
	size_t n = 1;
	char sign = t->end < r->len ? r->text[t->end] : ' ';

	if ((sign != '-' && sign != '/' && sign != '.') || t->ordinal ||
	    (t->start > 0 &&
		(r->text[t->start - 1] == sign || r->text[t->start - 1] == '.' ||
		    ascii_is_letter(r->text[t->start - 1]))))
		return false;
	while (n < 3 && p.end + 1 < r->len && r->text[p.end] == sign &&
	    ascii_is_digit(r->text[p.end + 1])) {
		timetoken_read(r, p.end + 1, &p);
		part[n++] = p.number;
	}
	if (p.end < r->len &&
	    ((r->text[p.end] == sign &&
		 (sign != '.' || (p.end + 1 < r->len && ascii_is_digit(r->text[p.end + 1])))) ||
		(ascii_is_letter(r->text[p.end]) && r->text[p.end] != 'T')))
		return false;
	s->start = t->start;
	s->end = p.end;
	if (timetoken_is_year(t) && n >= 2 && sign != '.')
		return part[1] > 0 && (n == 2 || part[2] > 0) &&
		    (n == 3 || (sign == '-' && p.n_digits == 2)) &&
		    timespan_date(s, part[0], part[1], part[2]);
	if (n == 3 && timetoken_is_year(&p) && part[0] > 0 && part[1] > 0)
		return part[0] > 12 || sign == '.' ? timespan_date(s, part[2], part[1], part[0])
						   : timespan_date(s, part[2], part[0], part[1]);
	return false;
}

/* Reads "June", "June 2023", "June 3", "June 3rd, 2023", "June the 3rd". */
static bool
read_month(const struct time_reader *r, const struct time_token *t, bool sure, struct time_span *s)
{
	struct time_token a, b, c;
	int month = t->term->value;

	if (timetoken_next(r, t, &a)) {
		if (timetoken_is_year(&a) && timespan_date(s, a.number, month, 0))
			return done(s, t, &a);
		if (timetoken_is(&a, OF) && timetoken_next(r, &a, &b) && timetoken_is_year(&b) &&
		    timespan_date(s, b.number, month, 0))
			return done(s, t, &b);
		if (timetoken_is(&a, THE) && timetoken_next(r, &a, &b) && b.ordinal)
			a = b;
		if (timetoken_is_day(&a) && timespan_date(s, 0, month, a.number)) {
			if (timetoken_next(r, &a, &c) && timetoken_is_year(&c) &&
			    timespan_date(s, c.number, month, a.number))
				return done(s, t, &c);
			return done(s, t, &a);
		}
	}
	return sure && timespan_date(s, 0, month, 0) && done(s, t, t);
}

/* Reads "3 June 2023", "3rd of June". */
static bool
read_day_month(const struct time_reader *r, const struct time_token *t, struct time_span *s)
{
	struct time_token a, b;

	if (!timetoken_is_day(t) || !timetoken_next(r, t, &a) ||
	    (timetoken_is(&a, OF) && !timetoken_next(r, &a, &a)) || !timetoken_is(&a, MONTH))
		return false;
	if (timetoken_next(r, &a, &b) && timetoken_is_year(&b) &&
	    timespan_date(s, b.number, a.term->value, t->number))
		return done(s, t, &b);
	return timespan_date(s, 0, a.term->value, t->number) && done(s, t, &a);
}

/* ---- relative ---- */

/* Reads "half a year ago" and "a year and a half ago". */
static bool
read_half(const struct time_reader *r, const struct time_token *t, struct time_span *s)
{
	struct time_token a, b, c, d;
	bool half = timetoken_is_word(r, t, "half");

	if (!timetoken_next(r, t, &a) || !timetoken_next(r, &a, &b) || !timetoken_next(r, &b, &c))
		return false;
	if (half && timetoken_is(&a, NUMERAL) && timetoken_is_word(r, &b, "year") &&
	    timetoken_is(&c, AGO)) {
		timespan_unit(s, r->now_us, GRAIN_MONTH, -6);
		return done(s, t, &c);
	}
	if (half || !timetoken_is_word(r, &a, "year") || !timetoken_is_word(r, &b, "and") ||
	    !timetoken_is(&c, NUMERAL) || !timetoken_next(r, &c, &c) ||
	    !timetoken_is_word(r, &c, "half") || !timetoken_next(r, &c, &d) ||
	    !timetoken_is(&d, AGO))
		return false;
	timespan_unit(s, r->now_us, GRAIN_MONTH, -18);
	return done(s, t, &d);
}

/*
 * Reads "two weeks ago", "3 days back", "a couple of months ago"; "hours ago" means the day on
 * which that was.
 */
static bool
read_ago(const struct time_reader *r, const struct time_token *t, int n, struct time_span *s)
{
	struct time_token a = *t, b;

	if (read_half(r, t, s))
		return true;
	if (!timetoken_next(r, &a, &a))
		return false;
	if (timetoken_is(&a, NUMERAL)) {                         /* a couple, a few */
		n = a.term->value;
		if (!timetoken_next(r, &a, &a))
			return false;
	}
	if (timetoken_is(&a, OF) && !timetoken_next(r, &a, &a))
		return false;
	if (!timetoken_is(&a, UNIT) || !timetoken_next(r, &a, &b) || !timetoken_is(&b, AGO) ||
	    n < 0 || n > 1000)
		return false;
	if (a.term->value == HOUR)
		timespan_unit(s,
		    r->now_us - (timetoken_is_word(r, &a, "minutes") ? 60 : 3600) * US_PER_S * n,
		    GRAIN_DAY, 0);
	else if (a.term->value == WEEKEND)
		timespan_weekend(s, r->now_us, -n);
	else
		timespan_unit(s, r->now_us, (enum time_grain)a.term->value, -n);
	return done(s, t, &b);
}

/* Sets the month in the year before, in this year, or in the next, relative to now. */
static bool
month_near(const struct time_reader *r, int month, int which, struct time_span *s)
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

/*
 * Reads "last week", "this Monday", "next May", "the past three months", "last night", "this
 * morning".
 */
static bool
read_which(const struct time_reader *r, const struct time_token *t, struct time_span *s)
{
	bool rolling = t->term->value == 2 || t->term->value == -2;
	int which = t->term->value < 0 ? -1 : t->term->value > 0 ? 1 : 0, n = 0;
	struct time_token a, last;

	if (!timetoken_next(r, t, &a))
		return false;
	if (timespan_english_name(r->text, r->len, a.start, r->now_us, which, s) > a.start) {
		s->start = t->start;
		return true;
	}
	if (a.number > 0 && a.number <= 1000 && !a.ordinal && !timetoken_is_year(&a))
		n = a.number;
	else if (timetoken_is(&a, NUMERAL))
		n = a.term->value;
	if (n > 0) {
		if (!timetoken_next(r, &a, &a) ||
		    (timetoken_is(&a, OF) && !timetoken_next(r, &a, &a)) ||
		    !timetoken_is(&a, UNIT) || a.term->value > GRAIN_YEAR || which == 0)
			return false;
		timespan_rolling(s, r->now_us, (enum time_grain)a.term->value, which < 0 ? n : -n);
		return done(s, t, &a);
	}
	last = a;
	if (timetoken_is(&a, UNIT) && a.term->value <= (int)GRAIN_YEAR) {
		/* "the last day" and "next day" do not say of what */
		if (which != 0 && a.term->value == GRAIN_DAY)
			return false;
		if (which == 0 && a.term->value == GRAIN_DAY)
			timespan_unit(s, r->now_us, GRAIN_DAY, 0);
		else if (rolling)
			timespan_rolling(s, r->now_us, (enum time_grain)a.term->value, -1 * which);
		else
			timespan_unit(s, r->now_us, (enum time_grain)a.term->value, which);
	} else if (timetoken_is(&a, UNIT) && a.term->value == WEEKEND) {
		timespan_weekend(s, r->now_us,
		    which > 0 && !timetoken_is_word(r, t, "next") ? 0 : which);
	} else if (timetoken_is_word(r, &a, "quarter")) {
		timespan_quarter(s, r->now_us, which);
	} else if (timetoken_is(&a, WEEKDAY)) {
		if (which == 0)
			timespan_weekday_of(s, r->now_us, a.term->value, 0);
		else
			timespan_weekday(s, r->now_us, a.term->value, which);
	} else if (timetoken_is(&a, PART_OF_DAY)) {
		timespan_unit(s, r->now_us, GRAIN_DAY, which);
	} else if (!timetoken_is(&a, MONTH) ||
	    (which == 0 && a.term->doubt != SURE && !a.capital) ||
	    !month_near(r, a.term->value, which, s)) {
		return false;                                  /* this includes "this may be" */
	}
	/* "the last week of May" is not last week */
	return !(timetoken_next(r, &last, &a) && timetoken_is(&a, OF)) && done(s, t, &last);
}

/* Reads "the day before yesterday" and "the day after tomorrow" from "day" on. */
static bool
read_day_beside(const struct time_reader *r, const struct time_token *t, struct time_span *s)
{
	struct time_token a, b;

	if (!timetoken_next(r, t, &a) || !timetoken_next(r, &a, &b) ||
	    !timetoken_is(&b, RELATIVE_DAY) || b.term->value == 0)
		return false;
	if (timetoken_is_word(r, &a, "before") || timetoken_is_word(r, &a, "after")) {
		timespan_unit(s, r->now_us, GRAIN_DAY,
		    b.term->value + (timetoken_is_word(r, &a, "before") ? -1 : 1));
		return done(s, t, &b);
	}
	return false;
}

/* Reads "the week before last" and "the Friday before last" from "week" on. */
static bool
read_before_last(const struct time_reader *r, const struct time_token *t, struct time_span *s)
{
	struct time_token a, b, c;
	int what = t->term->value;

	if (!timetoken_next(r, t, &a) || !timetoken_is_word(r, &a, "before") ||
	    !timetoken_next(r, &a, &b) || !timetoken_is_word(r, &b, "last"))
		return false;
	if (timetoken_next(r, &b, &c) &&
	    (timetoken_is(&c, UNIT) || timetoken_is(&c, WEEKDAY) || timetoken_is(&c, MONTH) ||
		timespan_english_name(r->text, r->len, c.start, r->now_us, -1, s) > c.start))
		/* "the week before last Christmas" is something else */
		return false;
	if (timetoken_is(t, WEEKDAY)) {
		timespan_weekday(s, r->now_us, what, -1);
		timespan_unit(s, s->from_us, GRAIN_DAY, -7);
	} else if (timetoken_is(t, PART_OF_DAY)) {
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

/* Reads "on the 5th": the latest such day. */
static bool
read_day_alone(const struct time_reader *r, const struct time_token *t,
	const struct time_token *before, struct time_span *s)
{
	struct civil now;
	struct time_token a;

	if (!t->ordinal || !timetoken_is(before, THE) || before->start < 3 ||
	    !timetoken_is_word(r,
		&(struct time_token){ .start = before->start - 3, .end = before->start - 1 },
		"on") ||
	    timetoken_next(r, t, &a))
		return false;
	time_civil(r->now_us, &now);
	for (int back = t->number > now.day; back <= 2; back++) {
		int month = (now.month + 11 - back) % 12 + 1;

		if (timespan_date(s, month > now.month ? now.year - 1 : now.year, month, t->number))
			return done(s, t, t);
	}
	return false;
}

/* Whether a word that may also mean something else means a time here. */
static bool
means_time(const struct time_reader *r, const struct time_token *t, const struct time_token *before)
{
	int wants = timetoken_is(t, MONTH) ? OF_MONTHS : OF_DAYS;
	struct time_token a;

	if (t->term->doubt == SURE ||
	    (timetoken_next(r, t, &a) && a.number > 0 && (a.ordinal || timetoken_is_year(&a))))
		return true;
	if ((timetoken_is(before, WHICH) && before->term->value != 0) ||
	    (timetoken_is(before, OF) && wants == OF_MONTHS) ||
	    (timetoken_is(before, PREPOSITION) && (before->term->value & wants)))
		return true;
	return t->term->doubt == CAPITAL && t->capital && !t->first;
}

/* Reads the time words that start with t. */
static bool
read_span(const struct time_reader *r, const struct time_token *t, const struct time_token *before,
	struct time_span *s)
{
	if (t->number >= 0) {
		if (read_numeric(r, t, s) || read_day_month(r, t, s) ||
		    read_ago(r, t, t->number, s) || read_day_alone(r, t, before, s))
			return true;
		return timetoken_is_year(t) &&
		    (timetoken_is(before, PREPOSITION) || timetoken_is(before, OF) ||
			timetoken_is_word(r, before, "year")) &&
		    timespan_date(s, t->number, 0, 0) && done(s, t, t);
	}
	if (timespan_english_name(r->text, r->len, t->start, r->now_us, TIMESPAN_NO_WHICH, s) >
	    t->start)
		return true;
	if (t->term == NULL)
		return timetoken_is_word(r, t, "half") && read_half(r, t, s);
	switch (t->term->kind) {
	case MONTH:
		return read_month(r, t, means_time(r, t, before), s);
	case WEEKDAY:
		if (!means_time(r, t, before))
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
		return t->term->value == GRAIN_DAY ? read_day_beside(r, t, s)
						   : read_before_last(r, t, s);
	default:
		return false;
	}
}

size_t
timewords_find(const char *text, size_t len, int64_t now_us, struct time_span *out, size_t max)
{
	struct time_reader r = { text, len, now_us };
	struct time_token before = { .number = -1 }, t;
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
			first = first || text[at] == '.' || text[at] == '!' || text[at] == '?' ||
			    text[at] == '\n' || text[at] == ':' || text[at] == '"';
			if (text[at] != ' ')
				before = (struct time_token){ .number = -1 };
			at++;
			continue;
		}
		timetoken_read(&r, at, &t);
		t.first = first;
		first = false;
		if (read_span(&r, &t, &before, &out[n])) {
			at = out[n].end;
			n += n == 0 || !timespan_join(text, &out[n - 1], &out[n]);
			before = (struct time_token){ .number = -1 };
			continue;
		}
		before = t;
		at = t.end;
	}
	return n;
}

