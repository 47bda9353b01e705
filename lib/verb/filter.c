/*
 * filter.c: what a person types as a filter.
 */
#include "verb/filter.h"

int
filter_parse(const struct filter_words *w, int64_t now_us, struct message_filter *f, struct err *err)
{
	int64_t start;

	*f = (struct message_filter)MESSAGE_FILTER_ANY;
	if (w->role != NULL) {
		f->role = role_parse(w->role);
		if (f->role == ROLE_OTHER && strcmp(w->role, role_names[ROLE_OTHER]) != 0)
			return err_set(err, ERR_USAGE, "unknown role '%s'", w->role);
	}
	if (w->since != NULL && time_parse_relative(w->since, now_us, &f->since_us, NULL) != 0)
		return err_set(err, ERR_USAGE, "--since: no time: '%s'", w->since);
	if (w->until != NULL && time_parse_relative(w->until, now_us, &start, &f->until_us) != 0)
		return err_set(err, ERR_USAGE, "--until: no time: '%s'", w->until);
	if (w->since != NULL && w->until != NULL && f->since_us >= f->until_us)
		return err_set(err, ERR_USAGE, "--since %s is later than --until %s", w->since, w->until);
	f->name = w->name;
	f->min_trust = (int)w->min_trust;
	return 0;
}

int
filter_moment(const char *option, const char *text, int64_t now_us, int64_t *us, struct err *err)
{
	int64_t end;

	*us = TIME_NONE;
	if (text == NULL)
		return 0;
	if (time_parse_relative(text, now_us, us, &end) != 0)
		return err_set(err, ERR_USAGE, "%s takes a time such as 2024-05-01 or 7d, not '%s'", option, text);
	*us = end > *us ? end - 1 : *us;
	return 0;
}
