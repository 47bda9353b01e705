/*
 * filter.c: reads the filters that a person types.
 */
#include "records/filter.h"
#include "lexicon/lex.h"
#include "time/timewords.h"

#define TIMES "such as 2026-05-07, 2026-05, 7d, today or 'last week'"

/* Whether the text has nothing but articles and prepositions, such as "la" or "on the". */
static bool
is_particles(const char *text, size_t len)
{
	struct lex_token t;

	for (size_t at = 0; lex_next(text, len, at, &t); at = t.end)
		if (!lex_is(&t, LEX_ARTICLE, LEX_ANY, NULL) &&
		    !lex_is(&t, LEX_PREPOSITION, LEX_ANY, NULL))
			return false;
	return true;
}

bool
filter_words_of_time(const char *text, int64_t now_us, int64_t *us, int64_t *end_us)
{
	struct time_span spans[2];
	size_t len = strlen(text),
	       n = timewords_find(text, len, time_to_local(now_us), spans, NELEM(spans));

	if (n != 1 || strpbrk(text, "/") != NULL || spans[0].end != len ||
	    spans[0].from_us == TIME_NONE || !is_particles(text, spans[0].start))
		return false;
	*us = time_from_local(spans[0].from_us);
	*end_us = time_from_local(spans[0].to_us);
	return true;
}

/* "today", days, months and years of a calendar are those of the zone of the person. */
static bool
days_of_calendar(const char *text, int64_t now_us, int64_t *us, int64_t *end_us)
{
	int64_t from, to;

	if (time_parse_relative(text, time_to_local(now_us), &from, &to) != 0 ||
	    from % US_PER_DAY != 0 || to % US_PER_DAY != 0)
		return false;
	*us = time_from_local(from);
	*end_us = time_from_local(to);
	return true;
}

/* Whether a text with a time of the day, or a number, says in which zone it is. */
static bool
says_zone(const char *text)
{
	static const char *const marks[] = { "+", "-", "Z", "z", "GMT", "UTC", "ST", "DT" };
	const char *clock = strchr(text, ':');

	for (size_t i = 0; clock != NULL && i < NELEM(marks); i++)
		if (strstr(clock, marks[i]) != NULL)
			return true;
	return clock == NULL;
}

int
filter_time(const char *option, const char *text, int64_t now_us, int64_t *us, int64_t *end_us,
	struct err *err)
{
	if (days_of_calendar(text, now_us, us, end_us))
		return 0;
	bool written = time_parse_relative(text, now_us, us, end_us) != 0;
	if (written && filter_words_of_time(text, now_us, us, end_us))
		return 0;
	if (!written || time_parse_written(text, strlen(text), us) == 0) {
		/* a date without a time means its whole day */
		bool day = written && *us % US_PER_DAY == 0, zone = !day && says_zone(text);

		if (written)
			*end_us = *us + (day ? US_PER_DAY : US_PER_S);
		*us = zone ? *us : time_from_local(*us);
		*end_us = zone ? *end_us : time_from_local(*end_us);
		return 0;
	}
	return err_set(err, ERR_USAGE, "%s takes a time " TIMES ", not '%.100s'", option, text);
}

int
filter_parse(const struct filter_words *w, int64_t now_us, struct message_filter *f,
	struct err *err)
{
	int64_t start, end;

	*f = (struct message_filter)MESSAGE_FILTER_ANY;
	if (w->role != NULL) {
		f->role = role_parse(w->role);
		if (f->role == ROLE_OTHER && strcmp(w->role, role_names[ROLE_OTHER]) != 0)
			return err_set(err, ERR_USAGE,
			    "unknown role '%s': user, assistant, system, tool, document or other",
			    w->role);
	}
	if (w->since != NULL &&
	    filter_time("--since", w->since, now_us, &f->since_us, &end, err) != 0)
		return -1;
	if (w->until != NULL &&
	    filter_time("--until", w->until, now_us, &start, &f->until_us, err) != 0)
		return -1;
	if (w->since != NULL && w->until != NULL && f->since_us >= f->until_us)
		return err_set(err, ERR_USAGE, "--since %.100s is later than --until %.100s",
		    w->since, w->until);
	if (w->name != NULL)
		f->said_by = (struct said_by){ &w->name, 1, false };
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
	if (filter_time(option, text, now_us, us, &end, err) != 0)
		return -1;
	*us = end > *us ? end - 1 : *us;
	return 0;
}
