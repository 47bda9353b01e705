/* reading_times.c: when a statement holds: the words of time are those of time/timewords.h. */
#include "statement/reading_parts.h"

#include "base/ascii.h"
#include "statement/end_part.h"
#include "time/timewords.h"

/* GAP: bytes between "to" and a time, with an article: "auf den 3. Juli". */
enum { SPANS_MOST = 8, GAP = 5 };

/* "From June", said in August, is no June to come. */
static const int64_t ahead_most = 183 * US_PER_DAY;

/* Whether a cue of the class ends right before byte `at`. */
static bool
stands_before(const struct reader *r, const char *class, size_t at)
{
	int c = cues_class(r->says.of, class);

	at = ascii_end(r->text, at);
	for (size_t i = 0; i < r->says.n; i++)
		if ((int)r->says.cues[i].class == c && cue_end(&r->says.cues[i]) == at)
			return true;
	return false;
}

/* Whether one stands in the span. */
static bool
stands_in(const struct reader *r, const char *class, const struct time_span *s)
{
	int c = cues_class(r->says.of, class);

	for (size_t i = 0; i < r->says.n; i++)
		if ((int)r->says.cues[i].class == c && r->says.cues[i].start >= s->start &&
		    r->says.cues[i].start < s->end)
			return true;
	return false;
}

/*
 * Gives a month or a day of any year the year that is meant: the last one of something that has
 * happened, else the next.
 */
static void
choose_year(const struct reader *r, struct time_span *s)
{
	int64_t now = r->by->time_us;
	struct civil c;
	/* "we have got a concert in June" is to come */
	bool past = reader_has(r, "past") || reader_has(r, "since") ||
	    (reader_has(r, "ended") && !stands_before(r, "from", s->start)) ||
	    (reader_has(r, "began") && !reader_has(r, "have"));

	time_civil(now, &c);
	for (int year = c.year + 1; year >= c.year - 1; year--) {
		int months = MAX(s->months, 1);
		s->from_us = time_from_civil(year, s->month, MAX(s->day, 1));
		s->to_us = s->day > 0 ? s->from_us + US_PER_DAY
				      : time_from_civil(year, s->month + months, 1);
		if (past ? s->from_us <= now
			 : s->to_us > now && time_from_civil(year - 1, s->month, s->day) <= now)
			return;
	}
}

/*
 * What lasts until Friday lasts until the next one, and a time in the text is the last one of its
 * name. TIME_NONE: an end that is over says nothing of what is told as present.
 */
static int64_t
end_of(const struct reader *r, const struct time_span *s)
{
	int64_t now = r->by->time_us, week = 7 * US_PER_DAY;

	if (s->to_us > now || reader_has(r, "past") || reader_has(r, "ended") ||
	    stands_in(r, "over", s))
		return s->to_us;
	return now - s->to_us < week ? s->to_us + week : TIME_NONE;
}

/* Whether what stands before it makes it an end: "until", 到; but not 搬到. */
static bool
is_until(const struct reader *r, const struct time_span *s)
{
	return stands_before(r, "until", s->start) && !stands_before(r, "until_not", s->start);
}

/* Whether it is the beginning, to come, of what is told as so: "I live in Ulm from next Monday". */
static bool
is_ahead(const struct reader *r, const struct time_span *s)
{
	int64_t now = r->by->time_us;

	return stands_before(r, "from", s->start) && s->from_us > now &&
	    (s->year > 0 || s->from_us - now < ahead_most) &&
	    r->out->polarity != POLARITY_PAST && r->out->polarity != POLARITY_WISHED;
}

/* Whether something was moved to it: "the audit was moved to 9 June" holds before that, too. */
static bool
is_moved_to(const struct reader *r, const struct time_span *s)
{
	static const char *const moves[] = { "moved", "moves", "shift" };
	static _Thread_local struct end_part p;
	const struct cue *to = NULL;
	bool moved = false;

	end_part_read(&p, (struct end_span){ r->text, r->len });
	for (size_t i = 0; i < NELEM(moves); i++)
		moved |= end_part_find(&p, moves[i], 0) != NULL;
	for (size_t i = 0; moved && i < p.found.n && to == NULL; i++)
		if (cue_text_is(&p.found, &p.found.cues[i], "to") &&
		    cue_end(&p.found.cues[i]) <= s->start &&
		    s->start - cue_end(&p.found.cues[i]) <= GAP)
			to = &p.found.cues[i];
	return to != NULL;
}

/* Whether a word that ends something does: "I quit", but not "I did not quit". */
static bool
says_end(const struct reader *r)
{
	int ended = cues_class(r->says.of, "ended");

	for (size_t i = 0; i < r->says.n; i++) {
		size_t start = r->says.cues[i].start, end = start + r->says.cues[i].len;
		if ((int)r->says.cues[i].class == ended &&
		    polarity_of(r->text, r->len, start, end) != POLARITY_DENIED)
			return true;
	}
	return false;
}

void
reader_times(struct reader *r)
{
	struct time_span spans[SPANS_MOST];
	struct reading *out = r->out;
	size_t n;

	out->from_us = out->to_us = out->ahead_us = TIME_NONE;
	out->ends = (says_end(r) && out->polarity != POLARITY_DENIED) ||
	    out->polarity == POLARITY_ENDED;
	if (r->by->time_us == TIME_NONE)
		return;
	n = timewords_find(r->text, r->len, r->by->time_us, spans, NELEM(spans));
	for (size_t i = 0; i < n; i++) {
		if (spans[i].from_us == TIME_NONE && spans[i].month == 0)
			continue;
		if (spans[i].from_us == TIME_NONE)
			choose_year(r, &spans[i]);
		if (out->ahead_us == TIME_NONE && is_ahead(r, &spans[i]))
			out->ahead_us = spans[i].from_us;
		if (is_until(r, &spans[i]))
			out->to_us = end_of(r, &spans[i]);
		else if (out->from_us == TIME_NONE &&
		    (reader_has(r, "since") || !reader_has(r, "habit")) &&
		    (reader_has(r, "changed") || reader_has(r, "began") || out->ends) &&
		    !is_moved_to(r, &spans[i]))
			out->from_us = spans[i].from_us;
	}
	if (out->polarity == POLARITY_PAST && out->to_us == TIME_NONE)
		out->to_us = r->by->time_us;
}
