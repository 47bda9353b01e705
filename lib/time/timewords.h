/*
 * timewords.h: words of time: those of a question as a span of time ("in May", "last week", "two
 * days ago", "on 3 June 2023", 上周, 去年五月), and what it asks about time.
 */
#ifndef TIME_TIMEWORDS_H
#define TIME_TIMEWORDS_H

#include "base/clock.h"

enum time_grain { GRAIN_DAY, GRAIN_WEEK, GRAIN_MONTH, GRAIN_YEAR };

/*
 * What a question says of time. A named month, season or feast without a year has year 0: it means
 * that of any year.
 */
struct time_span {
	/* [from, to); TIME_NONE both for a month or day of any year */
	int64_t from_us, to_us;
	int year, month, day;              /* 0: not named. weekday is resolved into from and to */
	/* of a season or a quarter of any year: how many, from month on; 0 elsewhere */
	int months;
	enum time_grain grain;
	size_t start, end;                 /* bytes of the question */
	/*
	 * of these, the name of a season or a feast, which is a word of the text as well; equal:
	 * none
	 */
	size_t name_start, name_end;
	/*
	 * a weekday that stands alone, 1 for Sunday, and a part of the year with a name and no
	 * year; 0: neither
	 */
	int weekday, part;
};

/*
 * Finds the time words of text, resolved against now_us ("last week" is the calendar week before).
 * At most max spans; returns how many. "may" is the month only with a capital, or with a
 * preposition or a number beside it, "spring" a season only behind a preposition, "last" or before
 * a year. Seasons are those of the northern half of the earth. English and Chinese.
 */
size_t
timewords_find(const char *text, size_t len, int64_t now_us, struct time_span *out, size_t max);

/* The question asks when (when, what date, how long ago, which year, 什么时候, 哪天 ...). */
bool timewords_asks_when(const char *text, size_t len);

/*
 * The question looks back beyond this session: last time, before, previously, earlier, 之前, 以前, 上次.
 */
bool timewords_looks_back(const char *text, size_t len);

/*
 * The question is about what was said or done, no request for something new: did I, have we, you
 * mentioned, our conversations, remember, 我说过, or it looks back.
 */
bool timewords_recalls(const char *text, size_t len);

#endif
