/*
 * filter.h: reads the options --role, --name, --since, --until and --min-trust into a filter of
 * messages, and the option --now.
 */
#pragma once

#include "store/store.h"

struct filter_words {
	const char *role, *name, *since, *until;       /* NULL: not given */
	/* NULL: not given; no part of the filter: the caller reads it */
	const char *now;
	int64_t min_trust;
	bool mine;
};

/* Whether one of them chooses by who speaks. */
static inline bool
filter_is_of_people(const struct filter_words *w)
{
	return w->role != NULL || w->name != NULL || w->mine;
}

/*
 * Reads the options. until includes the day, month or year that it names. ERR_USAGE names the
 * option.
 */
int filter_parse(const struct filter_words *w, int64_t now_us, struct message_filter *f,
	struct err *err);

/*
 * Reads a TIME as a person types it: what time_parse_relative or time_parse_written reads, or words
 * of time that timewords.h knows ("last week", "7 days ago", 上周). end_us is the first moment after
 * it. ERR_USAGE names the option and says what is possible.
 */
int filter_time(const char *option, const char *text, int64_t now_us, int64_t *us, int64_t *end_us,
	struct err *err);

/*
 * Reads words that name one span of time, with no more than articles and prepositions before it:
 * "last week", "la semaine dernière", "March 2026", 上周. A month or day without a year names many
 * spans, and in "1/3/2026" nobody knows which number is the month. [*us, *end_us) is in the zone of
 * the person.
 */
bool filter_words_of_time(const char *text, int64_t now_us, int64_t *us, int64_t *end_us);

/*
 * Reads the moment that an option such as --as-of names: the last one of a day, month or year;
 * TIME_NONE for NULL. ERR_USAGE.
 */
int
filter_moment(const char *option, const char *text, int64_t now_us, int64_t *us, struct err *err);
