/*
 * logtime.h: days and times as chat programs write them before their lines: in the order of some
 * country, and often with the year or the whole day said only elsewhere.
 */
#pragma once

#include "base/arena.h"
#include "base/base.h"
#include "base/keyed.h"
#include "formats/turns.h"

/* What the days in a file tell about the order of day and month. Zeroed before the first day. */
struct log_order {
	/* the order is certain: a number over 12 was seen, or points, which put the day first */
	bool sure, month_first;
	/* seen: "PM"; a number under 10; one with a zero before it; a year of two digits */
	bool halves, small, padded, short_year;
	/* seen: a day that either order allows, with different meanings */
	bool two;
	/*
	 * [0] read with the day first, [1] with the month first: the day before, and how often the
	 * days go back
	 */
	int last[2], back[2];
	/* the sum of days between one line and the next, read in either way */
	int64_t apart[2];
};

void log_order_see(struct log_order *o, const char *day, const char *clock);

/*
 * Decides the order. A number over 12 tells; else the order in which days go back less often; else
 * the one in which they lie closer together; else the habits of those who put the month first:
 * "3/1/26, 2:05 PM" (in India it is "pm") and, where the program speaks English, "3/1/26, 14:05".
 */
bool log_order_month_first(const struct log_order *o, bool english);

/* Whether none of these told the order, so that the day was put first by default. */
bool log_order_in_doubt(const struct log_order *o, bool english);

struct log_day {
	bool month_first;
	/* the day of lines that have only a time; year 0: not known */
	int year, month, day;
};

/*
 * Reads a day: "3/1/26", "2026. 3. 1.", "1 March 2026", "Sunday, March 1st". Without a year it has
 * that of the day before. false: it is no day, and nothing is changed.
 */
bool log_day_set(struct log_day *d, const char *s);

/* Reads a day in the file's name: "znc-2026-03-01.log", "20260301.log" */
void log_day_of_name(struct log_day *d, const char *name);

/*
 * The moment of a time such as "10.01.05 p. m." or "14:05" on the day in d; in Chinese, Japanese
 * and Korean am or pm stands before the numbers. It is as written, without a zone. TIME_NONE: the
 * day is not known, or this is no time.
 */
int64_t log_day_time(const struct log_day *d, const char *clock);

/*
 * Reads a text that is a day and a time and nothing else, as written, without a zone: "3/1/2026,
 * 10:32:11 AM". false: it is not.
 */
bool log_moment(const struct log_day *d, const char *s, size_t len, int64_t *us);
/* the same text, for log_order_see */
void log_order_see_in(struct log_order *o, const char *s, size_t len);

/*
 * Reads the time of day at the start of a text, in seconds; *len is its length. -1: there is none.
 */
int log_clock(const char *s, size_t *len);

/*
 * Sets the ids of a turn, in the arena: the hash of its words and of its time as it is written, and
 * how many equal turns came before in the file. Who said it does not count, as an export has the
 * name that somebody has in the address book then; without a day the whole unit does. Earlier
 * versions hashed the unit and the moment, which is another in each zone: was_id. n_of counts equal
 * turns, and is empty before the first.
 */
void log_id(struct keyed *n_of, const char *unit, size_t len, struct turn *out, struct arena *a);
