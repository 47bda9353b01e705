/*
 * clock.h: time, as int64 microseconds since 1970 UTC; and its text forms.
 *
 * MEM_NOW (any form time_parse takes) fixes the wall clock, for tests and for asking as of another
 * day.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include "base/base.h"

#define TIME_NONE INT64_MIN        /* the source does not say */
#define TIME_TEXT 40               /* bytes that hold any time as text, NUL included */
#define US_PER_S  1000000ll
#define US_PER_DAY (86400ll * US_PER_S)

int64_t clock_now_us(void);        /* wall clock, or MEM_NOW */
/*
 * what clock_now_us says from now on; TIME_NONE: the wall clock. conf.c calls it for the setting
 * "now"
 */
void clock_fix(int64_t us);
int64_t clock_mono_us(void);       /* never set back; for durations only */

/*
 * Reads a time: "2024-05-01", "2024-05", "2024", "2024-05-01T12:30", "2024-05-01
 * 12:30:15.25+02:00", "...Z" (no zone: UTC), or seconds, milliseconds, microseconds or nanoseconds
 * since 1970 as digits, told apart by size. Also RFC 2822 dates ("Wed, 1 May 2024 12:30:15 +0200").
 * When end_us is not NULL it gets the first moment after the span that the text names (a day, a
 * month, a year, a second). Returns 0, or -1 when it is none of these.
 */
int time_parse(const char *s, size_t len, int64_t *us, int64_t *end_us);

/*
 * A date with a year, and perhaps a time and a zone (none: UTC), as people write it: "8 May 2023,
 * 1:56 pm", "1:56 pm on 8 May, 2023", "2023/05/20 (Sat) 02:21", "March 1st, 2026 10:00am", "Sun Mar
 * 1 10:00:00 2026", "1.3.2026 10:00", "13/3/2026". Names are English; of Chinese the signs for
 * year, month, day and the halves of the day. -1: it is none, or "5/1/2026", which may be May or
 * January.
 */
int time_parse_written(const char *s, size_t len, int64_t *us);

/*
 * As time_parse, and also what a person types: "now", "today", "yesterday", "7d", "2w", "12h",
 * "3mo", "1y" (ago, from now_us).
 */
int time_parse_relative(const char *s, int64_t now_us, int64_t *us, int64_t *end_us);

/* "30s", "30m", "6h", "2d", "1w" as microseconds; -1 when it is none of these. */
int64_t time_parse_span(const char *s);

/* Whether it lies in the years 1 to 9999, which is all that text can name. */
bool time_has_text(int64_t us);

/*
 * "2024-05-01T12:30:15Z", with a fraction only where there is one. TIME_NONE gives "". Returns out.
 */
char *time_format(int64_t us, char out[TIME_TEXT]);

/* The same for people, to the second. */
char *time_format_second(int64_t us, char out[TIME_TEXT]);

/* "2024-05-01" of a time, UTC. */
char *time_format_day(int64_t us, char out[TIME_TEXT]);

struct civil { int year, month, day, hour, minute, second, weekday /* 0 = Sunday */; };
void time_civil(int64_t us, struct civil *c);
/* midnight UTC; month and day may overflow */
int64_t time_from_civil(int year, int month, int day);
int64_t time_midnight(int64_t us);                             /* UTC, of the day that it is in */

#endif
