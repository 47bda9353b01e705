/*
 * timetoken.h: reads the words and numbers of an English text and finds which of them are words of
 * time. Private to timewords.c and timetoken.c.
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

/* How far the word alone means a time. */
enum time_doubt {
	SURE,
	CAPITAL /* if it has a capital, or more */,
	BESIDE /* only beside a preposition or a number */
};

struct time_term {
	char word[TIME_WORD_MAX];
	enum time_kind kind;
	int value;
	enum time_doubt doubt;
};

enum { HOUR = 10, WEEKEND };               /* units that are no enum time_grain */
/* which doubtful words are times when the preposition precedes them */
enum { OF_NONE = 0, OF_MONTHS = 1, OF_DAYS = 2, OF_BOTH = 3 };

struct time_token {
	size_t start, end;
	const struct time_term *term;   /* NULL: another word, or a number */
	int number;                /* -1: no number; at most 9999 */
	size_t n_digits;
	/*
	 * ordinal: "3rd"; capital: it begins with a capital letter; first: it begins its sentence
	 */
	bool ordinal, capital, first;
};

struct time_reader {
	const char *text;
	size_t len;
	int64_t now_us;
};

/* Reads the token that starts at `at`, where a letter or a digit must be. */
void timetoken_read(const struct time_reader *r, size_t at, struct time_token *t);
/*
 * Reads the token behind t in the same clause: after spaces, a comma, or the full stop of an
 * abbreviation. False: there is none.
 */
bool
timetoken_next(const struct time_reader *r, const struct time_token *t, struct time_token *out);

/*
 * Whether the token is a word of time of this kind; is this word, given in lower case; is a year;
 * is a number from 1 to 31.
 */
bool timetoken_is(const struct time_token *t, enum time_kind kind);
bool timetoken_is_word(const struct time_reader *r, const struct time_token *t, const char *word);
bool timetoken_is_year(const struct time_token *t);
bool timetoken_is_day(const struct time_token *t);

#endif
