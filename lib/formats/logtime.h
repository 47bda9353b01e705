/*
 * logtime.h: days and times as programs that people write to each other with put them before their
 * lines: in the order of a country, with half of what makes a date standing elsewhere.
 */
#ifndef FORMATS_LOGTIME_H
#define FORMATS_LOGTIME_H

#include "base/arena.h"
#include "base/base.h"

/* What the days of a file tell of the order of day and month. Zeroed before the first. */
struct log_order {
	/* a number over 12 was seen, or points, which put the day first */
	bool sure, month_first;
	/* "PM"; a number under 10, with a zero before it; "26" */
	bool halves, small, padded, short_year;
	bool two;                          /* a day that may be two */
	/* of the day first, of the month first: the day before, and how often days go back */
	int last[2], back[2];
	int64_t apart[2];                  /* days between the lines, all together */
};

void log_order_see(struct log_order *o, const char *day, const char *clock);

/*
 * A number over 12 tells; else the days do not go back; else they lie as near each other as may be;
 * else how those write who put the month first: "3/1/26, 2:05 PM" (in India it is "pm"), and, where
 * the program spoke English, "3/1/26, 14:05".
 */
bool log_order_month_first(const struct log_order *o, bool english);

/* That nothing of this told, and the day was put first. */
bool log_order_in_doubt(const struct log_order *o, bool english);

struct log_day {
	bool month_first;
	int year, month, day;              /* of the lines that say only a time; 0: not known */
};

/*
 * "3/1/26", "2026. 3. 1.", "1 March 2026", "Sunday, March 1st": without its year that of the day
 * before. false: no day, and nothing is changed.
 */
bool log_day_set(struct log_day *d, const char *s);

/* A day in the file's name: "znc-2026-03-01.log", "20260301.log" */
void log_day_of_name(struct log_day *d, const char *name);

/*
 * "10.01.05 p. m.", "14:05" and, in the languages of China, Japan and Korea, the half of the day
 * before it, on the day that is known; TIME_NONE.
 */
int64_t log_day_time(const struct log_day *d, const char *clock);

/* A day and a time behind it, and nothing else: "3/1/2026, 10:32:11 AM". false: it is none. */
bool log_moment(const struct log_day *d, const char *s, size_t len, int64_t *us);
void log_order_see_in(struct log_order *o, const char *s, size_t len);         /* such a one */

/* The time of day that a text begins with, in seconds; *len is what it takes. -1: none. */
int log_clock(const char *s, size_t *len);

/*
 * What tells turns apart that have no id: a table of how often each was there. Zeroed before the
 * first.
 */
struct log_ids {
	/* [room], a power of two; n 0: free */
	struct log_seen { uint64_t hash; unsigned n; } *seen;
	size_t room, n_seen;
};

void log_ids_release(struct log_ids *l);

/*
 * The turn's hash, and how many like it of the same moment, or of none, were in the file before; in
 * the arena.
 */
const char *
log_id(struct log_ids *l, const char *unit, size_t len, int64_t time_us, struct arena *a);

#endif
