/* references.c: the classes of words, and a look at both neighbours of each. */
#include "followup/references.h"

#include "base/ascii.h"

#define BACK ((CLASS(THEN) << 1) - 1)      /* the classes that point back */

/* Whether the word, NULL: none, is that English or German word, whatever its case. */
static bool
is_word(const struct conversation_turn *q, const struct conversation_word *w, const char *word)
{
	size_t n = strlen(word), i = 0;

	if (w == NULL || w->end - w->start != n)
		return false;
	while (i < n && ascii_lower(q->text[w->start + i]) == word[i])
		i++;
	return i == n;
}

static bool
is_be(const struct conversation_turn *q, const struct conversation_word *w)
{
	return w != NULL && conversation_is(q, w, LEX_BE);
}

/* "At that time", "in that case": a moment, no thing. */
static bool
is_time(const struct conversation_turn *q, const struct conversation_word *w)
{
	return w != NULL && conversation_is(q, w, LEX_MOMENT);
}

static bool
is_content(const struct conversation_word *w)
{
	return w != NULL && !(w->flags & CONVERSATION_STOP);
}

/* Whether the neighbours, NULL where there is none, suggest that the word refers back. */
static bool
points_back(const struct conversation_turn *q, enum lex kind,
	const struct conversation_word *w, const struct conversation_word *before,
	const struct conversation_word *after)
{
	if (w->flags & CONVERSATION_HAN)
		return true;
	switch (kind) {
	/* not in "the house that burnt", nor in "die Lasur"; but in "is that" and "kann die" */
	case LEX_THAT:
		return q->foreign
		    ? !is_content(after) &&
			(after == NULL || !(after->classes & (CLASS(OTHER) | CLASSES_ITEMS)))
		    : !is_content(before) && !is_time(q, after);
	case LEX_THIS: /* not in "this year" */
		return after == NULL || !(after->classes & (CLASS(CLOCK) | CLASS(A_DAY)));
	case LEX_PERSON: /* not "Sie", which is a polite "you" */
		return !q->german || w->flags & CONVERSATION_FIRST ||
		    !(w->flags & CONVERSATION_LATIN_CAPITAL);
	case LEX_IT: /* not in "gibt es", nor "do it", which is no thing */
		return !is_word(q, before, "gibt") && !is_word(q, after, "gibt") &&
		    !(is_word(q, w, "it") && !is_content(after) &&
			(is_word(q, before, "do") || is_word(q, before, "doing")));
	case LEX_ONE: /* not in "one of them", "one day", "one million" */
		return !is_word(q, after, "of") && !(is_word(q, w, "one") && is_content(after));
	case LEX_THERE: /* not in "is there a", "there are", "there's" */
		return !is_be(q, before) && !is_be(q, after) &&
		    (w->end == q->len || strchr(" ?.!,", q->text[w->end]) != NULL);
	case LEX_MORE: /* not in "more than", which compares */
		return !is_word(q, after, "than") && !(is_word(q, w, "too") && is_content(after));
	case LEX_SAME: /* not in "such as", which lists */
		return !is_word(q, after, "as");
	case LEX_ORDER: /* in "the first" and "the first thing", not in "the first novel" */
		return before != NULL && (before->classes & CLASS(DETERMINER)) &&
		    (!is_content(after) ||
			(after->classes & (CLASS(LIGHT) | CLASS(VERB) | CLASS(ONE))) ||
			is_word(q, w, "latter"));
	default:
		return true;
	}
}

/* ---- an "it" that stands for nothing ---- */

/* The words of a sentence, of which `at` is "it". */
struct place { const struct conversation_turn *q; size_t from, at, to; };

static bool
has_class(const struct place *p, size_t i, classes c)
{
	return i >= p->from && i < p->to && (p->q->words[i].classes & c) != 0;
}

static bool
is_at(const struct place *p, size_t i, const char *word)
{
	return i >= p->from && i < p->to && is_word(p->q, &p->q->words[i], word);
}

/* "Is it raining", "will it snow", but not "does it work in the rain". */
static bool
is_weather(const struct place *p)
{
	for (size_t i = p->from; i < p->to; i++)
		if (has_class(p, i, CLASS(WEATHER)) &&
		    (i == p->from || (!is_content(&p->q->words[i - 1]) &&
			(is_at(p, i - 1, "to") ||
				!has_class(p, i - 1, CLASS(DETERMINER) | CLASS(PLACE))))))
			return true;
	return false;
}

/* "Is it cold outside", "ist es kalt in Wien": behind it stands where or when. */
static bool
is_climate(const struct place *p)
{
	bool adjective = false, where = false;

	for (size_t i = p->at + 1; i < p->to; i++) {
		const struct conversation_word *w = &p->q->words[i];
		adjective |= has_class(p, i, CLASS(CLIMATE));
		where |= conversation_is(p->q, w, LEX_OUTSIDE) || has_class(p, i, CLASS(A_DAY)) ||
		    (has_class(p, i - 1, CLASS(PLACE)) && (w->flags & CONVERSATION_CAPITAL));
	}
	return adjective && where;
}

/* "What time is it", "is it Monday", "wie spät ist es in Rom", but not "what time is it on". */
static bool
is_clock(const struct place *p)
{
	size_t next = p->at + 1;
	bool named = has_class(p, p->at - 2, CLASS(CLOCK)) && p->at >= p->from + 2;

	if (is_at(p, next, "is"))
		next++;
	if (is_at(p, next, "going"))           /* "how is it going" */
		return next + 1 == p->to && p->at <= p->from + 2;
	if (next < p->to && (p->q->words[next].flags & CONVERSATION_NUMBER) &&
	    p->q->words[next].end == p->q->words[next].start + 4)      /* "it is 2026" */
		return true;
	if (has_class(p, next, CLASS(CLOCK) | CLASS(A_DAY)))
		return next + 1 == p->to || (p->q->words[next].end < p->q->len &&
			p->q->text[p->q->words[next].end] == ',');
	return named && (next == p->to || is_at(p, next, "now") || is_at(p, next, "right") ||
		is_at(p, next, "jetzt") || has_class(p, next, CLASS(A_DAY)) ||
		(next + 1 < p->to && (p->q->words[next + 1].flags & CONVERSATION_CAPITAL)));
}

/* "Is it safe to eat", "how long does it take to", "stimmt es, dass", "dauert es, bis". */
static bool
is_ahead(const struct place *p)
{
	const struct conversation_turn *q = p->q;
	bool dummy = false, comma = false;

	for (size_t i = p->from; i < p->to; i++)
		dummy |= has_class(p, i, CLASS(DUMMY)) && i + 3 >= p->at && i <= p->at + 3;
	for (size_t i = p->at + 1; dummy && i < p->to; i++) {
		const struct conversation_word *w = &q->words[i];
		const char *gap = q->text + w[-1].end;
		bool last = i + 1 == p->to;
		comma |= w[-1].end < w->start && memchr(gap, ',', w->start - w[-1].end) != NULL;
		if (q->foreign ? comma && conversation_is(q, w, LEX_CLAUSE_START) &&
			    (!last || is_word(q, w, "zu"))
			      : !last && (is_word(q, w, "that") || is_word(q, w, "if")))
			return true;
		if (!q->foreign && is_word(q, w, "to") && !last &&
		    !has_class(p, i + 1, CLASS(DETERMINER)) &&
		    !(w[1].flags & (CONVERSATION_LATIN_CAPITAL | CONVERSATION_NUMBER)) &&
		    (i + 2 < p->to || i > p->at + 2))
			return true;
	}
	return false;
}

/* Whether the "it" at `at` stands for nothing. */
static bool
is_dummy(const struct conversation_turn *q, size_t at)
{
	struct place p = { q, at, at, at + 1 };
	bool far = false;

	while (p.from > 0 && !(q->words[p.from].flags & CONVERSATION_FIRST))
		p.from--;
	while (p.to < q->n && !(q->words[p.to].flags & CONVERSATION_FIRST))
		p.to++;
	if (q->words[at].flags & CONVERSATION_HAN ||
	    !(is_word(q, &q->words[at], "it") || is_word(q, &q->words[at], "es")))
		return false;
	if (p.to > at + 1 && conversation_is(q, &q->words[at + 1], LEX_YOU_DATIVE))
		return is_at(&p, at - 1, "geht");
	for (size_t i = p.from; i < p.to; i++) {   /* "how far is it from Rome to Milan" */
		far |= i < at && (is_at(&p, i, "far") || is_at(&p, i, "weit"));
		if (far && i > at && (is_at(&p, i, "from") || is_at(&p, i, "von")))
			return true;
	}
	return is_weather(&p) || is_climate(&p) || is_clock(&p) || is_ahead(&p);
}

bool
references_none(const struct conversation_turn *q)
{
	for (size_t i = 0; i < q->n; i++)
		if ((q->words[i].classes & CLASS(IT)) && is_dummy(q, i))
			return true;
	return false;
}

size_t
references_find(const struct conversation_turn *q, struct reference out[REFERENCES])
{
	size_t n = 0;

	for (size_t i = 0; i < q->n && n < REFERENCES; i++) {
		const struct conversation_word *w = &q->words[i],
					       *before = i > 0 ? w - 1 : NULL,
					       *after = i + 1 < q->n ? w + 1 : NULL;
		classes c = w->classes;
		enum lex kind = LEX_IT;

		if (c & CLASSES_ITEMS)
			c |= CLASS(ORDER);
		if ((c & BACK) == 0)
			continue;
		if (before != NULL && (w->start > before->end + 1 || w->flags & CONVERSATION_FIRST))
			before = NULL;
		if (after != NULL &&
		    (after->start > w->end + 1 || after->flags & CONVERSATION_FIRST))
			after = NULL;
		while (!(c & CLASS_OF(kind)))
			kind++;
		if (points_back(q, kind, w, before, after) &&
		    !(kind == LEX_IT && is_dummy(q, i)))
			out[n++] = (struct reference){ kind, i };
	}
	return n;
}

size_t
references_count(const char *text, size_t len)
{
	LOCAL(arena) a = ARENA_INIT;
	struct conversation t;
	struct reference found[REFERENCES];

	conversation_start(&t, &a);
	return references_find(conversation_add(&t, CONVERSATION_USER, text, len), found);
}
