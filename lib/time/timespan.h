/*
 * timespan.h: computes the spans of time that words name; shared by the Chinese and the
 * other half of timewords. Weeks begin on Monday; everything is in UTC.
 */
#pragma once

#include "time/timetoken.h"

enum { MIN_YEAR = 1900, MAX_YEAR = 2100 };

/* Sets all of s but start and end: its place in the text. */
void timespan_set(struct time_span *s, int64_t from_us, int64_t to_us, enum time_grain grain);
/*
 * Sets a date from the parts that are named; 0 for a part that is not. Without a year it has no
 * span. False when there is no such date.
 */
bool timespan_date(struct time_span *s, int year, int month, int day);

/*
 * Sets the calendar unit that lies offset units from now: with -1, a week is the week before this
 * one.
 */
void timespan_unit(struct time_span *s, int64_t now_us, enum time_grain unit, int offset);

/* Sets the last n units up to and including today; n < 0: the coming ones, from today. */
void timespan_rolling(struct time_span *s, int64_t now_us, enum time_grain unit, int n);

/* Sets the Saturday and Sunday of the week that lies offset weeks from now. */
void timespan_weekend(struct time_span *s, int64_t now_us, int offset);

/*
 * Sets the nearest such day (0 = Sunday): before today (-1), after today (1), or today at the
 * latest (0).
 */
void timespan_weekday(struct time_span *s, int64_t now_us, int weekday, int direction);

/* Sets the weekday in the week that lies offset weeks from now. */
void timespan_weekday_of(struct time_span *s, int64_t now_us, int weekday, int offset);

/* Sets the quarter that lies offset quarters from now. */
void timespan_quarter(struct time_span *s, int64_t now_us, int offset);

/*
 * Reads the name of a season, a quarter or a feast that begins with token t, and a year behind it
 * if there is one; returns where it ends, 0 when there is none. which: -1, 0 or 1 when "last",
 * "this" or "next" stands beside it, else TIMESPAN_NO_WHICH.
 */
#define TIMESPAN_NO_WHICH 9
size_t timespan_name(const struct time_reader *r, const struct lex_token *t, int which,
	struct time_span *s);

/* Sets the named part, a value of LEX_FEAST, of the year; 0: of any year. */
bool timespan_feast(struct time_span *s, int feast, int year, int64_t now_us);

/*
 * When a, and b behind it, mean one time together, makes one span of them in a: "Christmas last
 * year", "Tuesday last week". Returns whether they do.
 */
bool timespan_join(const char *text, struct time_span *a, const struct time_span *b);

/*
 * Reads Chinese time words that begin with token t into s, except for start; returns where they
 * end, 0 when there are none. A number before a unit belongs to them, so t may be a number, too.
 */
size_t timespan_chinese(const struct time_reader *r, const struct lex_token *t,
	struct time_span *s);
