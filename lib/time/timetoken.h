/*
 * timetoken.h: reads the words and numbers of a text and finds which of them are words of time in
 * a language. Private to lib/time.
 */
#pragma once

#include "lexicon/lex.h"
#include "time/timewords.h"

/* units that are no enum time_grain */
enum { HOUR = 10, WEEKEND, QUARTER_OF_YEAR, MINUTE };
/* which doubtful words are times when the preposition precedes them */
enum { OF_NONE = 0, OF_MONTHS = 1, OF_DAYS = 2, OF_BOTH = 3 };

struct time_reader {
	const char *text;
	size_t len;
	int64_t now_us;
	unsigned lang;             /* the language that is tried, as a bit (LEX_IN) */
	unsigned asked;            /* the text's language; doubtful words are times in it alone */
};

/*
 * Reads the token behind t in the same clause: after spaces, a comma, or the full stop of an
 * abbreviation. False: there is none. t and out may be the same.
 */
bool timetoken_next(const struct time_reader *r, const struct lex_token *t, struct lex_token *out);
/* The same behind byte `at`. */
bool timetoken_behind(const struct time_reader *r, size_t at, struct lex_token *out);

bool timetoken_is(const struct time_reader *r, const struct lex_token *t, enum lex class,
	int *value);
/* The byte behind the longest word or phrase of the class at t; 0: there is none. */
size_t timetoken_phrase(const struct time_reader *r, const struct lex_token *t, enum lex class,
	int *value);
/*
 * The number of figures alone, or of an ordinal ("3rd"); -1: it is none. Whether it is a year; a
 * number from 1 to 31.
 */
int timetoken_number(const struct time_reader *r, const struct lex_token *t, bool *ordinal);
bool timetoken_is_year(const struct time_reader *r, const struct lex_token *t);
bool timetoken_is_day(const struct time_reader *r, const struct lex_token *t);

/*
 * Whether the text before byte `end` ends in a word or phrase of the class in these languages;
 * articles between are passed over.
 */
bool timetoken_ends_in(const char *text, size_t end, enum lex class, unsigned langs);
