/*
 * timetoken.h: the words and numbers of an English text, and which of them are words of time.
 * Private to timewords.c.
 */
#ifndef TIME_TIMETOKEN_H
#define TIME_TIMETOKEN_H

#include "time/timewords.h"

#define TIME_WORD_MAX 12

enum time_kind {
	NOTHING,
	MONTH,
	WEEKDAY,
	RELATIVE_DAY,
	WHICH,
	UNIT,
	NUMERAL,
	PREPOSITION,
	AGO,
	OF,
	THE,
	PART_OF_DAY
};

/* How sure the word alone is. */
enum time_doubt {
	SURE,
	CAPITAL /* with a capital or more */,
	BESIDE /* only beside a preposition or a number */
};

struct time_term {
	char word[TIME_WORD_MAX];
	enum time_kind kind;
	int value;
	enum time_doubt doubt;
};

enum { HOUR = 10, WEEKEND };               /* units without a grain */
/* what a preposition makes of a doubtful word behind it */
enum { OF_NONE = 0, OF_MONTHS = 1, OF_DAYS = 2, OF_BOTH = 3 };

struct time_token {
	size_t start, end;
	const struct time_term *term;   /* NULL: another word, or a number */
	int number;                /* -1: no number; at most 9999 */
	size_t n_digits;
	bool ordinal, capital, first;      /* 3rd; a capital letter; the first of its sentence */
};

struct time_reader {
	const char *text;
	size_t len;
	int64_t now_us;
};

/* The token that starts at at, where a letter or a digit is. */
void timetoken_read(const struct time_reader *r, size_t at, struct time_token *t);
/*
 * The token after t, in the same clause: behind spaces, a comma, a full stop after an abbreviation.
 * false: there is none.
 */
bool
timetoken_next(const struct time_reader *r, const struct time_token *t, struct time_token *out);

/* Whether it is a word of time of that kind; this word, in small letters; a year; 1 to 31. */
bool timetoken_is(const struct time_token *t, enum time_kind kind);
bool timetoken_is_word(const struct time_reader *r, const struct time_token *t, const char *word);
bool timetoken_is_year(const struct time_token *t);
bool timetoken_is_day(const struct time_token *t);

#endif
