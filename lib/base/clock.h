/*
 * clock.h: time as microseconds since 1970 UTC in an int64, and its text forms. MEM_NOW, in any
 * form that time_parse reads, fixes the wall clock, for tests and for asking as of another day.
 */
#pragma once

#include "base/base.h"

#define TIME_NONE INT64_MIN        /* no time is known */
#define TIME_TEXT 40               /* enough bytes for any time as text, with its NUL */
#define US_PER_S  1000000ll
#define US_PER_DAY (86400ll * US_PER_S)

int64_t clock_now_us(void);        /* the wall clock, or MEM_NOW */
/*
 * sets what clock_now_us returns from now on; TIME_NONE: the wall clock. conf.c calls this for the
 * setting "now"
 */
void clock_fix(int64_t us);
int64_t clock_mono_us(void);       /* is never set back; for durations only */

/*
 * Reads a time: "2024-05-01", "2024-05", "2024", "2024-05-01T12:30", "2024-05-01
 * 12:30:15.25+02:00", "...Z" (without a zone it is UTC), an RFC 2822 date ("Wed, 1 May 2024
 * 12:30:15 +0200"), or digits since 1970, which are seconds, milliseconds, microseconds or
 * nanoseconds by their size. end_us, if not NULL, gets the first moment after the span that the
 * text names (a day, month, year or second). Returns 0; -1: it is none of these.
 */
int time_parse(const char *s, size_t len, int64_t *us, int64_t *end_us);

/*
 * Reads a date with a year, and perhaps a time and a zone (UTC without one), as people write it: "8
 * May 2023, 1:56 pm", "1:56 pm on 8 May, 2023", "2023/05/20 (Sat) 02:21", "March 1st, 2026
 * 10:00am", "Sun Mar 1 10:00:00 2026", "1.3.2026 10:00", "13/3/2026". Names are English; the
 * Chinese characters for year, month, day, am and pm are known, too. -1: it is no date, or one like
 * "5/1/2026", which may be in May or January.
 */
int time_parse_written(const char *s, size_t len, int64_t *us);

/*
 * Reads what time_parse reads, and what a person types: "now", "today", "yesterday", and "7d",
 * "2w", "12h", "3mo", "1y" before now_us.
 */
int time_parse_relative(const char *s, int64_t now_us, int64_t *us, int64_t *end_us);

/* Reads "30s", "30m", "6h", "2d" or "1w" as microseconds; -1: it is none of these. */
int64_t time_parse_span(const char *s);

/* Whether the time lies in the years 1 to 9999, which is all that text can name. */
bool time_has_text(int64_t us);

/*
 * Writes "2024-05-01T12:30:15Z", with a fraction only if there is one; TIME_NONE and what has no
 * text give "". Returns out.
 */
char *time_format(int64_t us, char out[TIME_TEXT]);

/* Writes the same without a fraction, for people. */
char *time_format_second(int64_t us, char out[TIME_TEXT]);

/* Writes the day of a time in UTC: "2024-05-01". */
char *time_format_day(int64_t us, char out[TIME_TEXT]);

/*
 * For people, in their own zone (TZ): the time as it stands on their clock there, as if that were
 * UTC, and back; and texts: "2024-05-01T14:30:15+02:00", with Z where the zone is UTC, and the day.
 */
int64_t time_to_local(int64_t us);
int64_t time_from_local(int64_t local_us);
char *time_format_local(int64_t us, char out[TIME_TEXT]);
char *time_format_day_local(int64_t us, char out[TIME_TEXT]);

struct civil { int year, month, day, hour, minute, second, weekday /* 0 = Sunday */; };
void time_civil(int64_t us, struct civil *c);
/* midnight UTC; month and day may overflow */
int64_t time_from_civil(int year, int month, int day);
/* midnight UTC of the day that us is in */
int64_t time_midnight(int64_t us);
