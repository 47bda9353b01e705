/* question_time.c: whether a question asks for a time and for nothing else. */
#include "rank/question.h"

/* Feasts are days that people also talk about at other times, so their names remain words. */
static bool
is_of_time(const struct question *q, const struct question_term *t)
{
	for (size_t i = 0; i < q->n_spans; i++)
		if (t->start >= q->spans[i].start && t->end <= q->spans[i].end &&
		    (t->time || q->spans[i].grain != GRAIN_DAY))
			return true;
	return false;
}

size_t
question_time_alone(const struct question *q, const char *text, size_t len, int64_t now_us,
	struct time_range out[QUESTION_SPANS])
{
	if (q->n_spans == 0 || q->asks_when || now_us == TIME_NONE)
		return 0;
	for (size_t i = 0; i < q->n_terms; i++) {
		const struct question_term *t = &q->terms[i];
		/* added by a rewrite, or an identifier, or a speaker called June */
		if (t->end == 0 || t->kind == WORD_WHOLE || (t->name && t->time))
			return 0;
		/* a pair of characters says what its two characters say */
		if (!t->name && !t->stop && t->kind != WORD_PAIR && !is_of_time(q, t) &&
		    !timewords_is_filler(text, len, t->start, t->end))
			return 0;
	}
	return timewords_ranges(text, len, q->spans, q->n_spans, now_us, out);
}
