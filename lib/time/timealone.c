/*
 * timealone.c: what a question for a time alone asks for ("what happened in June", "anything from
 * last week?"): ranges of time. A word such as "happened" then says nothing of the text
 * that answers.
 */
#include "time/timespan.h"

bool
timewords_is_filler(const char *text, size_t len, size_t start, size_t end)
{
	struct lex_token t;

	if (!lex_next(text, len, start, &t))
		return false;
	if (!t.unspaced)
		return t.end == end && lex_is(&t, LEX_WHATEVER, LEX_ANY, NULL);
	/* of a script without spaces a character may belong to a word that begins before it */
	for (size_t at = start, k = 0; k < 3; at -= 3, k++) {
		if (lex_next(text, len, at, &t) && t.start == at &&
		    lex_phrase(text, len, &t, LEX_WHATEVER, LEX_ANY, NULL) >= end)
			return true;
		if (at < 3)
			break;
	}
	return false;
}

/* The latest time of this name that has begun by now: June is last year's while it is May. */
static struct time_range
latest(const struct time_span *s, int64_t now_us)
{
	struct time_span from = *s, to = *s;
	struct civil now;
	int months = MAX(s->months, 1);

	if (s->from_us != TIME_NONE)
		return (struct time_range){ s->from_us, s->to_us };
	time_civil(now_us, &now);
	for (int year = now.year; year > now.year - 9; year--) {
		int last = s->month + months - 2;
		if (!timespan_date(&from, year, s->month, s->day) || from.from_us > now_us ||
		    !timespan_date(&to, year + last / 12, last % 12 + 1, s->day))
			continue;
		return (struct time_range){ from.from_us, to.to_us };
	}
	return (struct time_range){ 0, 0 };
}

/* Whether what stands between two times makes one range of them: "from May to July". */
static bool
joins(const char *text, const struct time_span *a, const struct time_span *b, unsigned langs)
{
	size_t n = 0, end = b->start;

	for (size_t i = a->end; i < b->start; i++)
		n += text[i] != ' ';
	while (end > a->end && text[end - 1] == ' ')
		end--;
	return n <= 7 &&
	    (text[end - 1] == '-' ||
		(end > 3 && memcmp(text + end - 3, "\xe2\x80\x93", 3) == 0) ||
		timetoken_ends_in(text, b->start, LEX_RANGE_TO, langs) ||
		(timetoken_ends_in(text, b->start, LEX_RANGE_AND, langs) &&
		    timetoken_ends_in(text, a->start, LEX_BETWEEN, langs)));
}

size_t
timewords_ranges(const char *text, size_t len, const struct time_span *spans, size_t n,
	int64_t now_us, struct time_range *out)
{
	struct lex_token t;
	size_t n_out = 0;

	for (size_t i = 0; i < n; i++) {
		struct time_range r = latest(&spans[i], now_us);
		if (r.from_us >= r.to_us)
			continue;
		unsigned langs = LEX_IN(LEX_EN);
		if (lex_next(text, len, spans[i].start, &t))
			langs |= lex_langs(text, len, &t, LEX_MONTH, LEX_FEAST_YEAR);
		if (i > 0 && n_out > 0 && joins(text, &spans[i - 1], &spans[i], langs)) {
			out[n_out - 1].to_us = MAX(out[n_out - 1].to_us, r.to_us);
			continue;
		}
		if (timetoken_ends_in(text, spans[i].start, LEX_SINCE, langs))
			r.to_us = INT64_MAX;
		else if (timetoken_ends_in(text, spans[i].start, LEX_AFTER, langs))
			r = (struct time_range){ r.to_us, INT64_MAX };
		else if (timetoken_ends_in(text, spans[i].start, LEX_BEFORE, langs))
			r = (struct time_range){ INT64_MIN, r.from_us };
		out[n_out++] = r;
	}
	return n_out;
}
