/*
 * timewords.h: finds the times that a question names, as spans ("in May", "last week", "two days
 * ago", "on 3 June 2023", "letzte Woche", "hace dos semanas"), and what it asks about time. Its
 * languages are those of schema/lang that have words of time.
 */
#pragma once

#include "base/clock.h"

enum time_grain { GRAIN_DAY, GRAIN_WEEK, GRAIN_MONTH, GRAIN_YEAR };

/*
 * A time named in a question. A month, season or feast without a year has year 0 and means that of
 * any year.
 */
struct time_span {
	/* [from, to); both TIME_NONE for a month or day of any year */
	int64_t from_us, to_us;
	/* 0: not named. A weekday is resolved into from and to. */
	int year, month, day;
	/* of a season or quarter of any year: how many months, from month on; else 0 */
	int months;
	enum time_grain grain;
	size_t start, end;                 /* bytes of the question */
	/*
	 * the part of these that names a season or a feast, which is searched as a word too; equal:
	 * none
	 */
	size_t name_start, name_end;
	/*
	 * weekday: one that stands alone, 1 for Sunday; part: a named part of the year without a
	 * year; 0: neither
	 */
	int weekday, part;
};

/*
 * Finds the time words of text and resolves them relative to now_us ("last week" is the previous
 * calendar week). At most max spans; returns how many. "may" is the month only with a capital, or
 * beside a preposition or a number; "spring" is a season only behind a preposition or "last", or
 * before a year. Seasons are those of the northern hemisphere.
 */
size_t
timewords_find(const char *text, size_t len, int64_t now_us, struct time_span *out, size_t max);

/* Whether the question asks for a time (when, what date, how long ago, which year ...). */
bool timewords_asks_when(const char *text, size_t len);

/* Whether the question refers to earlier sessions: last time, before, previously, earlier. */
bool timewords_looks_back(const char *text, size_t len);

/*
 * Whether the question is about what was said or done, rather than a new request: did I, have we,
 * you mentioned, our conversations, remember; also when timewords_looks_back.
 */
bool timewords_recalls(const char *text, size_t len);

/* Whether the question asks for what holds at present: now, currently, still, these days ... */
bool timewords_asks_now(const char *text, size_t len);

/* A range of time, [from, to). */
struct time_range { int64_t from_us, to_us; };

/*
 * For a question that asks for a time and for nothing else ("what happened in June"): the ranges
 * that its spans [n] mean. A month or a day of any year is the latest that has begun by now_us;
 * "from May to July" is one range; since, after, before and until leave one end open. out [n].
 * Returns how many.
 */
size_t timewords_ranges(const char *text, size_t len, const struct time_span *spans, size_t n,
	int64_t now_us, struct time_range *out);

/*
 * Whether the word at bytes start .. end - 1 only asks for whatever was said or done: happened,
 * anything, talk, show ...
 */
bool timewords_is_filler(const char *text, size_t len, size_t start, size_t end);
