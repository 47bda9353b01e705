/*
 * timespan.c: calendar arithmetic. Days are counted from midnight UTC, months and years by the
 * calendar.
 */
#include "time/timespan.h"

void
timespan_set(struct time_span *s, int64_t from_us, int64_t to_us, enum time_grain grain)
{
	*s = (struct time_span){ .from_us = from_us,
		.to_us = to_us,
		.grain = grain,
		.start = s->start,
		.end = s->end };
}

static int
month_after(int year, int month, int day)
{
	struct civil c;

	time_civil(time_from_civil(year, month, day), &c);
	return c.month;
}

bool
timespan_date(struct time_span *s, int year, int month, int day)
{
	static const int days[] = { 0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	enum time_grain grain = day ? GRAIN_DAY : month ? GRAIN_MONTH : GRAIN_YEAR;

	if ((year != 0 && (year < MIN_YEAR || year > MAX_YEAR)) || month < 0 || month > 12 ||
	    day < 0 || (month && day > days[month]) || (day && !month))
		return false;
	if (year == 0)
		timespan_set(s, TIME_NONE, TIME_NONE, grain);
	/* 29 February in a year that has none */
	else if (day && month_after(year, month, day) != month)
		return false;
	else
		timespan_set(s, time_from_civil(year, month ? month : 1, day ? day : 1),
		    time_from_civil(month ? year : year + 1, month ? (day ? month : month + 1) : 1,
			day ? day + 1 : 1),
		    grain);
	s->year = year;
	s->month = month;
	s->day = day;
	return true;
}

static int64_t
monday_of(int64_t us)
{
	struct civil c;

	time_civil(us, &c);
	return time_from_civil(c.year, c.month, c.day - (c.weekday + 6) % 7);
}

void
timespan_unit(struct time_span *s, int64_t now_us, enum time_grain unit, int offset)
{
	struct civil c;
	int64_t day;

	time_civil(now_us, &c);
	switch (unit) {
	case GRAIN_DAY:
		day = time_from_civil(c.year, c.month, c.day + offset);
		timespan_set(s, day, day + US_PER_DAY, unit);
		break;
	case GRAIN_WEEK:
		day = monday_of(now_us) + 7 * US_PER_DAY * offset;
		timespan_set(s, day, day + 7 * US_PER_DAY, unit);
		break;
	case GRAIN_MONTH:
		timespan_set(s, time_from_civil(c.year, c.month + offset, 1),
		    time_from_civil(c.year, c.month + offset + 1, 1), unit);
		break;
	case GRAIN_YEAR:
		timespan_set(s, time_from_civil(c.year + offset, 1, 1),
		    time_from_civil(c.year + offset + 1, 1, 1), unit);
		break;
	}
}

void
timespan_rolling(struct time_span *s, int64_t now_us, enum time_grain unit, int n)
{
	int64_t today = time_midnight(now_us), other;
	struct civil c;

	time_civil(now_us, &c);
	switch (unit) {
	case GRAIN_MONTH:
		other = time_from_civil(c.year, c.month - n, c.day);
		break;
	case GRAIN_YEAR:
		other = time_from_civil(c.year - n, c.month, c.day);
		break;
	default:
		other = today - (unit == GRAIN_WEEK ? 7 : 1) * US_PER_DAY * n;
		break;
	}
	if (n < 0)
		timespan_set(s, today, other + US_PER_DAY, unit);
	else
		timespan_set(s, other, today + US_PER_DAY, unit);
}

void
timespan_weekend(struct time_span *s, int64_t now_us, int offset)
{
	int64_t saturday = monday_of(now_us) + (5 + 7 * offset) * US_PER_DAY;

	timespan_set(s, saturday, saturday + 2 * US_PER_DAY, GRAIN_WEEK);
}

void
timespan_weekday(struct time_span *s, int64_t now_us, int weekday, int direction)
{
	struct civil c;

	time_civil(now_us, &c);
	int back = (c.weekday - weekday + 7) % 7;
	if (direction < 0 && back == 0)
		back = 7;
	else if (direction > 0)
		back -= 7;
	timespan_unit(s, now_us, GRAIN_DAY, -back);
}

void
timespan_weekday_of(struct time_span *s, int64_t now_us, int weekday, int offset)
{
	int64_t day = monday_of(now_us) + ((weekday + 6) % 7 + 7 * offset) * US_PER_DAY;

	timespan_set(s, day, day + US_PER_DAY, GRAIN_DAY);
}
