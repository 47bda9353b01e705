/*
 * timespan.h: spans of time from what words name, shared by the English and the Chinese half of
 * timewords. Weeks begin on Monday; all in UTC.
 */
#ifndef TIME_TIMESPAN_H
#define TIME_TIMESPAN_H

#include "time/timewords.h"

enum { MIN_YEAR = 1900, MAX_YEAR = 2100 };

/*
 * A date as named: year, month, day, 0 for what is not. Without a year it has no place in time.
 * False when there is no such date.
 */
bool timespan_date(struct time_span *s, int year, int month, int day);

/* The calendar unit that lies offset units from now: -1 week is the week before this one. */
void timespan_unit(struct time_span *s, int64_t now_us, enum time_grain unit, int offset);

/* The last n units up to and with today; n < 0: the coming ones, from today. */
void timespan_rolling(struct time_span *s, int64_t now_us, enum time_grain unit, int n);

/* The Saturday and Sunday of the week that lies offset weeks from now. */
void timespan_weekend(struct time_span *s, int64_t now_us, int offset);

/*
 * The nearest such day (0 = Sunday): before today (-1), after today (1), up to and with today (0).
 */
void timespan_weekday(struct time_span *s, int64_t now_us, int weekday, int direction);

/* The weekday of the week that lies offset weeks from now. */
void timespan_weekday_of(struct time_span *s, int64_t now_us, int weekday, int offset);

/* The quarter of the year that lies offset quarters from now. */
void timespan_quarter(struct time_span *s, int64_t now_us, int offset);

/*
 * The name of a season, a quarter or a feast at text[at], with the year behind it where there is
 * one; returns where it ends, at when there is none. which: that behind "last" (-1), "this" (0),
 * "next" (1), where at stands behind it.
 */
#define TIMESPAN_NO_WHICH 9
size_t timespan_english_name(const char *text, size_t len, size_t at, int64_t now_us, int which,
	struct time_span *s);

/* The same in Chinese: year 0 for any. Leaves start and end. */
size_t timespan_chinese_name(const char *text, size_t len, size_t at, int64_t now_us, int year,
	struct time_span *s);

/*
 * Makes one of a and of b behind it where they mean one time together: "Christmas last year",
 * "Tuesday last week".
 */
bool timespan_join(const char *text, struct time_span *a, const struct time_span *b);

/*
 * Chinese time words at text[at]: fills s but for start; returns where they end, at when there are
 * none. A number before 年 月 天 belongs to them, so at may be an ASCII digit too.
 */
size_t
timespan_chinese(const char *text, size_t len, size_t at, int64_t now_us, struct time_span *s);

#endif
