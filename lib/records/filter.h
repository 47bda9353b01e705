/*
 * filter.h: the words of the options --role, --name, --since, --until, --min-trust as a filter of
 * messages, and of --now.
 */
#ifndef RECORDS_FILTER_H
#define RECORDS_FILTER_H

#include "store/store.h"

struct filter_words {
	const char *role, *name, *since, *until;       /* NULL: not given */
	/* the same; not of the filter: for who asks */
	const char *now;
	int64_t min_trust;
};

/* until includes the day, month or year that it names. ERR_USAGE names the option. */
int filter_parse(const struct filter_words *w, int64_t now_us, struct message_filter *f,
	struct err *err);

/*
 * A TIME as a person types it: as time_parse_relative, as time_parse_written, or words of time that
 * timewords.h knows ("last week", "7 days ago", 上周). end_us is the first moment after it. ERR_USAGE
 * names the option and says what would do.
 */
int filter_time(const char *option, const char *text, int64_t now_us, int64_t *us, int64_t *end_us,
	struct err *err);

/*
 * The moment that an option such as --as-of names: of a day, month or year its last; TIME_NONE for
 * NULL. ERR_USAGE.
 */
int
filter_moment(const char *option, const char *text, int64_t now_us, int64_t *us, struct err *err);

#endif
