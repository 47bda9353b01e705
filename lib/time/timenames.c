/*
 * timenames.c: named parts of the year: seasons, quarters and feasts; and pairs of spans that mean
 * one time together.
 *
 * A season or a quarter is a row of months; a feast is a calendar day, a weekday of a month, or a
 * day of the lunar year. Without a year, a name whose dates are the same every year means that of
 * any year; a movable feast means the latest one that has begun.
 *
 * Joined are a part of any year and a year beside it ("Christmas last year", "summer of 2024"), a
 * weekday and its week ("Tuesday last week"), and a weekday and its date.
 */
#include "base/ascii.h"
#include "time/timespan.h"

enum how { MONTHS, DAY, NTH, EASTER, MOON };

/*
 * a to d depend on how. MONTHS: the first month, how many. DAY: month, day. NTH: month, weekday,
 * which of them, days after it. EASTER: days after it. MOON: column of the table moon, days after
 * that day, how many days.
 */
static const struct part { enum how how; int a, b, c, d; } parts[LEX_FEASTS_N] = {
	[LEX_FEAST_SPRING] = { MONTHS, 3, 3, 0, 0 }, [LEX_FEAST_SUMMER] = { MONTHS, 6, 3, 0, 0 },
	[LEX_FEAST_AUTUMN] = { MONTHS, 9, 3, 0, 0 }, [LEX_FEAST_WINTER] = { MONTHS, 12, 3, 0, 0 },
	[LEX_FEAST_QUARTER_1] = { MONTHS, 1, 3, 0, 0 }, [LEX_FEAST_QUARTER_2] = { MONTHS, 4, 3, 0, 0 },
	[LEX_FEAST_QUARTER_3] = { MONTHS, 7, 3, 0, 0 }, [LEX_FEAST_QUARTER_4] = { MONTHS, 10, 3, 0, 0 },
	[LEX_FEAST_NEW_YEAR] = { DAY, 1, 1, 0, 0 }, [LEX_FEAST_VALENTINE] = { DAY, 2, 14, 0, 0 },
	[LEX_FEAST_PATRICK] = { DAY, 3, 17, 0, 0 }, [LEX_FEAST_HALLOWEEN] = { DAY, 10, 31, 0, 0 },
	[LEX_FEAST_CHRISTMAS_EVE] = { DAY, 12, 24, 0, 0 }, [LEX_FEAST_CHRISTMAS] = { DAY, 12, 25, 0, 0 },
	[LEX_FEAST_BOXING] = { DAY, 12, 26, 0, 0 }, [LEX_FEAST_NEW_YEARS_EVE] = { DAY, 12, 31, 0, 0 },
	[LEX_FEAST_THANKSGIVING] = { NTH, 11, 4, 4, 0 }, [LEX_FEAST_BLACK_FRIDAY] = { NTH, 11, 4, 4, 1 },
	[LEX_FEAST_MOTHERS] = { NTH, 5, 0, 2, 0 }, [LEX_FEAST_FATHERS] = { NTH, 6, 0, 3, 0 },
	[LEX_FEAST_GOOD_FRIDAY] = { EASTER, -2, 0, 0, 0 }, [LEX_FEAST_EASTER_SUNDAY] = { EASTER, 0, 0, 0, 0 },
	[LEX_FEAST_SPRING_FESTIVAL] = { MOON, 0, -1, 8, 0 }, [LEX_FEAST_SPRING_EVE] = { MOON, 0, -1, 1, 0 },
	[LEX_FEAST_LANTERNS] = { MOON, 0, 14, 1, 0 }, [LEX_FEAST_DRAGON_BOAT] = { MOON, 1, 0, 1, 0 },
	[LEX_FEAST_MID_AUTUMN] = { MOON, 2, 0, 1, 0 }, [LEX_FEAST_TOMBS] = { DAY, 4, 4, 0, 0 },
	[LEX_FEAST_NATIONAL] = { DAY, 10, 1, 0, 0 }, [LEX_FEAST_LABOUR] = { DAY, 5, 1, 0, 0 },
	[LEX_FEAST_SINGLES] = { DAY, 11, 11, 0, 0 }, [LEX_FEAST_YEAR_END] = { MONTHS, 12, 1, 0, 0 },
	[LEX_FEAST_YEAR_START] = { MONTHS, 1, 1, 0, 0 }, [LEX_FEAST_HALF_1] = { MONTHS, 1, 6, 0, 0 },
	[LEX_FEAST_HALF_2] = { MONTHS, 7, 6, 0, 0 }, [LEX_FEAST_LONG_HOLIDAYS] = { MONTHS, 7, 2, 0, 0 },
	[LEX_FEAST_SHORT_HOLIDAYS] = { MONTHS, 1, 2, 0, 0 }, [LEX_FEAST_FOURTH_OF_JULY] = { DAY, 7, 4, 0, 0 },
};

/*
 * For each year from 2000 on, the day of the year, 1 for 1 January, of three lunar dates: the first
 * day of the year, the fifth of the fifth month, the fifteenth of the eighth.
 */
enum { MOON_FROM = 2000 };
static const uint16_t moon[][3] = {
	{ 36, 158, 256 }, { 24, 176, 274 }, { 43, 166, 264 }, { 32, 155, 254 }, { 22, 174, 272 }, { 40, 162, 261 }, { 29, 151, 279 }, { 49, 170, 268 }, { 38, 160, 258 },
	{ 26, 148, 276 }, { 45, 167, 265 }, { 34, 157, 255 }, { 23, 175, 274 }, { 41, 163, 262 }, { 31, 153, 251 }, { 50, 171, 270 }, { 39, 161, 259 }, { 28, 150, 277 },
	{ 47, 169, 267 }, { 36, 158, 256 }, { 25, 177, 275 }, { 43, 165, 264 }, { 32, 154, 253 }, { 22, 173, 272 }, { 41, 162, 261 }, { 29, 151, 279 }, { 48, 170, 268 },
	{ 37, 160, 258 }, { 26, 149, 277 }, { 44, 167, 265 }, { 34, 156, 255 }, { 23, 175, 274 }, { 42, 164, 263 }, { 31, 152, 251 }, { 50, 171, 270 }, { 39, 161, 259 },
	{ 28, 151, 278 }, { 46, 169, 267 }, { 35, 158, 256 }, { 24, 147, 275 }, { 43, 166, 264 }, { 32, 154, 253 }, { 22, 173, 271 }, { 41, 162, 260 }, { 30, 152, 279 },
	{ 48, 170, 268 }, { 37, 159, 258 }, { 26, 149, 277 }, { 45, 167, 266 }, { 33, 155, 254 }, { 23, 174, 273 },
};

/* ---- where they lie ---- */

/*
 * Returns Easter Sunday as a day of March, over 31 in April, by the formulas of Gauss and
 * Lichtenberg for the Gregorian calendar.
 */
static int
easter(int year)
{
	int k = year / 100, m = 15 + (3 * k + 3) / 4 - (8 * k + 13) / 25, s = 2 - (3 * k + 3) / 4,
	    a = year % 19, d = (19 * a + m) % 30;
	int r = (d + a / 11) / 29, og = 21 + d - r, sz = 7 - (year + year / 4 + s) % 7;

	return og + 7 - (og - sz) % 7;
}

/* Sets the part of the given year; false when its date is not known. */
static bool
in_year(struct time_span *s, int number, int year)
{
	const struct part *p = &parts[number];
	struct civil first;
	int64_t day;

	if (year < MIN_YEAR || year > MAX_YEAR ||
	    (p->how == MOON && (year < MOON_FROM || year >= MOON_FROM + (int)NELEM(moon))))
		return false;
	switch (p->how) {
	case MONTHS:
		timespan_set(s, time_from_civil(year, p->a, 1),
		    time_from_civil(year, p->a + p->b, 1), GRAIN_MONTH);
		return true;
	case DAY:
		day = time_from_civil(year, p->a, p->b);
		break;
	case NTH:
		time_civil(time_from_civil(year, p->a, 1), &first);
		day = time_from_civil(year, p->a,
		    1 + (p->b - first.weekday + 7) % 7 + 7 * (p->c - 1) + p->d);
		break;
	case EASTER:
		day = time_from_civil(year, 3, easter(year) + p->a);
		break;
	default:
		day = time_from_civil(year, 1, moon[year - MOON_FROM][p->a] + p->b);
		break;
	}
	timespan_set(s, day, day + (p->how == MOON ? p->c : 1) * US_PER_DAY,
	    p->how == MOON && p->c > 1 ? GRAIN_WEEK : GRAIN_DAY);
	return true;
}

/*
 * Sets the latest that is over (which -1), the latest that has begun (0), or the next that will
 * begin (1).
 */
static bool
in_year_near_now(struct time_span *s, int number, int which, int64_t now_us)
{
	struct civil now;
	struct time_span best = { .from_us = TIME_NONE };

	time_civil(now_us, &now);
	for (int year = now.year - 2; year <= now.year + 2; year++) {
		struct time_span at = *s;

		if (!in_year(&at, number, year))
			continue;
		if (which > 0 ? at.from_us > now_us && best.from_us == TIME_NONE
			      : (which < 0 ? at.to_us : at.from_us) <= now_us)
			best = at;
	}
	if (best.from_us == TIME_NONE)
		return false;
	*s = best;
	return true;
}

/* Sets the part of any year; for a movable feast, the latest that has begun. */
static bool
in_any_year(struct time_span *s, int number, int64_t now_us)
{
	const struct part *p = &parts[number];

	if (p->how != MONTHS && p->how != DAY)
		return in_year_near_now(s, number, 0, now_us);
	timespan_set(s, TIME_NONE, TIME_NONE, p->how == DAY ? GRAIN_DAY : GRAIN_MONTH);
	s->month = p->a;
	s->day = p->how == DAY ? p->b : 0;
	s->months = p->how == DAY ? 0 : p->b;
	return true;
}

/* Sets the season or feast that includes now, or else is nearest to it: "this winter". */
static bool
in_nearest_year(struct time_span *s, int number, int64_t now_us)
{
	struct time_span before = *s, after = *s;
	bool is_before = in_year_near_now(&before, number, 0, now_us),
	     is_after = in_year_near_now(&after, number, 1, now_us);

	if (!is_before && !is_after)
		return false;
	*s = is_before &&
		(!is_after || before.to_us > now_us ||
		    now_us - before.to_us < after.from_us - now_us)
	    ? before
	    : after;
	return true;
}

bool
timespan_feast(struct time_span *s, int feast, int year, int64_t now_us)
{
	return year != 0 ? in_year(s, feast, year) : in_any_year(s, feast, now_us);
}

/* ---- as they are written ---- */

/*
 * Reads a year behind byte `at`: a number, "last year", with "of" or "in" before it. Returns where
 * it ends, 0 when there is none.
 */
static size_t
read_year(const struct time_reader *r, size_t at, int *year)
{
	struct lex_token t;
	struct civil now;
	size_t end;

	for (int k = 0; timetoken_behind(r, at, &t); k++) {
		if (timetoken_is_year(r, &t) && (t.end == r->len || r->text[t.end] != '-')) {
			*year = t.number;
			return t.end;
		}
		if ((end = timetoken_phrase(r, &t, LEX_NEAR_YEAR, year)) > 0) {
			time_civil(r->now_us, &now);
			*year += now.year;
			return end;
		}
		if (k > 1 || !timetoken_is(r, &t, LEX_JOINT, NULL))
			return 0;
		at = t.end;
	}
	return 0;
}

/* Which of the classes names a part of the year at t; returns where the name ends, 0: none does. */
static size_t
name_at(const struct time_reader *r, const struct lex_token *t, enum lex *class, int *feast)
{
	struct lex_match m[LEX_MATCHES];
	size_t end, n;

	if (t->senses == NULL && t->more < 2)
		return 0;
	n = lex_matches(r->text, r->len, t, m);
	for (*class = LEX_FEAST; *class <= LEX_FEAST_YEAR; (*class)++)
		if ((end = lex_match(m, n, *class, r->lang, feast)) > 0)
			return end;
	return 0;
}

/* Whether what stands before a season's name makes it a time; in the text's own language alone. */
static bool
is_place(const struct time_reader *r, const struct lex_token *t)
{
	return (r->lang == r->asked || r->lang == LEX_IN(LEX_EN)) &&
	    timetoken_ends_in(r->text, t->start, LEX_BEFORE_SEASON, r->lang);
}

size_t
timespan_name(const struct time_reader *r, const struct lex_token *t, int which,
	struct time_span *s)
{
	enum lex class;
	int feast, year = 0;
	size_t name_end = name_at(r, t, &class, &feast), end = name_end;
	bool done;

	if (name_end == 0)
		return 0;
	if (which == TIMESPAN_NO_WHICH && (end = read_year(r, name_end, &year)) == 0)
		end = name_end;
	if (year != 0)
		done = in_year(s, feast, year);
	else if (which != TIMESPAN_NO_WHICH)
		done = class != LEX_FEAST_YEAR &&
		    (which == 0 ? in_nearest_year(s, feast, r->now_us)
				: in_year_near_now(s, feast, which, r->now_us));
	else
		done = (class == LEX_FEAST || (class == LEX_FEAST_PLACE && is_place(r, t))) &&
		    in_any_year(s, feast, r->now_us);
	if (!done)
		return 0;
	s->part = year == 0 && which == TIMESPAN_NO_WHICH ? feast + 1 : 0;
	s->start = s->name_start = t->start;
	s->name_end = name_end;
	return s->end = end;
}

void
timespan_quarter(struct time_span *s, int64_t now_us, int offset)
{
	struct civil now;

	time_civil(now_us, &now);
	int64_t from = time_from_civil(now.year, (now.month - 1) / 3 * 3 + 1 + 3 * offset, 1);
	time_civil(from, &now);
	timespan_set(s, from, time_from_civil(now.year, now.month + 3, 1), GRAIN_MONTH);
}

/* ---- together ---- */

/*
 * Whether nothing but blanks, a comma, "of" or the like separates two spans, so that they may
 * belong together.
 */
static bool
may_join_across(const char *text, size_t from, size_t to)
{
	struct lex_token t;

	for (size_t at = from; at < to; at++)
		if (ascii_is_alnum(text[at]) ? at - from > 9 : strchr(" ,'", text[at]) == NULL &&
		    (unsigned char)text[at] < 0x80)
			return false;
	for (size_t at = from; at < to && lex_next(text, to, at, &t); at = t.end)
		if (!lex_is(&t, LEX_JOINT, LEX_ANY, NULL))
			return false;
	return true;
}

static bool
is_week(const struct time_span *s)
{
	struct civil c;

	if (s->grain != GRAIN_WEEK || s->from_us == TIME_NONE ||
	    s->to_us - s->from_us != 7 * US_PER_DAY)
		return false;
	time_civil(s->from_us, &c);
	return c.weekday == 1;
}

/* Sets *out to what a and b mean together; false when they do not belong together. */
static bool
join_spans(const struct time_span *a, const struct time_span *b, struct time_span *out)
{
	struct civil c;

	*out = *a;
	if (a->weekday > 0 && is_week(b)) {
		int64_t day = b->from_us + (a->weekday + 5) % 7 * US_PER_DAY;

		timespan_set(out, day, day + US_PER_DAY, GRAIN_DAY);
		return true;
	}
	if (a->weekday > 0 && b->grain == GRAIN_DAY && b->day > 0) {
		*out = *b;
		return true;
	}
	if (b->grain != GRAIN_YEAR || b->from_us == TIME_NONE)
		return false;
	time_civil(b->from_us, &c);
	if (c.month != 1 || c.day != 1 || b->to_us != time_from_civil(c.year + 1, 1, 1))
		return false;
	if (a->part > 0) {
		if (!in_year(out, a->part - 1, c.year))
			return false;
		out->name_start = a->name_start;
		out->name_end = a->name_end;
		return true;
	}
	return a->from_us == TIME_NONE && a->month > 0 &&
	    timespan_date(out, c.year, a->month, a->day);
}

bool
timespan_join(const char *text, struct time_span *a, const struct time_span *b)
{
	struct time_span one;
	size_t start = a->start, end = b->end;

	if (!may_join_across(text, a->end, b->start) ||
	    (!join_spans(a, b, &one) && !join_spans(b, a, &one)))
		return false;
	*a = one;
	a->start = start;
	a->end = end;
	return true;
}
