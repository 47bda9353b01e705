/*
 * values.c: numbers and identifiers are told by their letters, names by their capitals (not in
 * German, where all nouns have them), times by time/timewords.h.
 */
#include "statement/values.h"

#include "statement/likeness.h"
#include "time/timewords.h"

#define SPANS_MOST  8
#define VALUE_BYTES 2000                   /* of a longer text, the rest is not looked at */
#define FRAME_SAME  .5                     /* of the words: of two that say it of another thing */
#define BARE_WORDS  3                      /* "dark green": a value and nothing else */

unsigned
values_own(const struct said *s, const struct said *other, bool inside)
{
	unsigned types = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct said_word *w = &s->w[i];

		if (said_has(other, w) || w->person || w->mine)
			continue;
		types |= w->number ? VALUE_NUMBER : 0;
		types |= w->whole && !w->number ? VALUE_SIGN : 0;
		types |= (w->name || (w->first && w->content && (inside || i > 0))) && !s->german &&
			!w->number ? VALUE_NAME : 0;
	}
	return types;
}

void
values_read_untimed(struct said *s, const char *text, size_t len)
{
	struct time_span spans[SPANS_MOST];
	char bare[VALUE_BYTES];
	size_t n;

	len = MIN(len, sizeof(bare));
	memcpy(bare, text, len);
	n = timewords_find(text, len, 0, spans, NELEM(spans));
	for (size_t i = 0; i < n; i++)
		memset(bare + spans[i].start, ' ', spans[i].end - spans[i].start);
	said_read(s, bare, len);
}

bool
values_own_time(const char *text, size_t len, const struct said *other)
{
	static _Thread_local struct said s;
	struct time_span spans[SPANS_MOST];
	size_t n = timewords_find(text, len, 0, spans, NELEM(spans));

	for (size_t i = 0; i < n; i++) {
		said_read(&s, text + spans[i].start, spans[i].end - spans[i].start);
		for (size_t k = 0; k < s.n; k++)
			if (s.w[k].content && !said_has(other, &s.w[k]))
				return true;
	}
	return false;
}

bool
values_differ(const struct said *a, const struct said *b)
{
	struct likeness l;
	size_t n = 0, m = 0;

	if ((values_own(a, b, false) & values_own(b, a, false)) != 0)
		return true;
	likeness(a, b, &l);
	for (size_t i = 0; i < a->n; i++)
		n += a->w[i].content;
	for (size_t i = 0; i < b->n; i++)
		m += b->w[i].content;
	/* the same but for one thing, the opposite, or bare values: "vim", "emacs" */
	return l.opposite || (l.exchanged >= FRAME_SAME && l.differs != NULL) ||
	    (n > 0 && m > 0 && n <= BARE_WORDS && m <= BARE_WORDS && l.dice <= 0 &&
		a->n <= BARE_WORDS && b->n <= BARE_WORDS);
}
