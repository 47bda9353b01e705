/* references.c: the classes of schema/followup.txt, and a look at both neighbours of each word. */
#include "followup/references.h"

#define BACK ((CLASS(TIME) << 1) - 1)      /* the classes that point back */

/* Whether the word, NULL: none, is that English or German word, whatever its case. */
static bool
is_word(const struct conversation_turn *q, const struct conversation_word *w, const char *word)
{
	return w != NULL && conversation_is(q, w, (const char *const[]){ word, NULL });
}

static bool
is_be(const struct conversation_turn *q, const struct conversation_word *w)
{
	static const char *const be[] = { "is", "are", "was", "were", "be", "been", "isn't",
		"aren't", NULL };

	return w != NULL && conversation_is(q, w, be);
}

/* "At that time", "in that case": a moment, no thing. */
static bool
is_time(const struct conversation_turn *q, const struct conversation_word *w)
{
	static const char *const times[] = { "time", "day", "week", "month", "year", "point",
		"case", "way", "moment", NULL };

	return w != NULL && conversation_is(q, w, times);
}

static bool
is_content(const struct conversation_word *w)
{
	return w != NULL && !(w->flags & CONVERSATION_STOP);
}

/* Whether the neighbours, NULL where there is none, suggest that the word refers back. */
static bool
points_back(const struct conversation_turn *q, enum class_number kind,
	const struct conversation_word *w, const struct conversation_word *before,
	const struct conversation_word *after)
{
	if (w->flags & CONVERSATION_HAN)
		return true;
	switch (kind) {
	/* not in "the house that burnt", nor in "die Lasur"; but in "is that" and "kann die" */
	case CLASS_THAT:
		return q->german
		    ? !is_content(after) &&
			(after == NULL || !(after->classes & (CLASS(OTHER) | CLASSES_ITEMS)))
		    : !is_content(before) && !is_time(q, after);
	case CLASS_PERSON: /* not "Sie", which is a polite "you" */
		return !q->german || w->flags & CONVERSATION_FIRST ||
		    !(w->flags & CONVERSATION_LATIN_CAPITAL);
	case CLASS_IT: /* not in "gibt es", nor "do it", which is no thing */
		return !is_word(q, before, "gibt") && !is_word(q, after, "gibt") &&
		    !(is_word(q, w, "it") && !is_content(after) &&
			(is_word(q, before, "do") || is_word(q, before, "doing")));
	case CLASS_ONE: /* not in "one of them", "one day", "one million" */
		return !is_word(q, after, "of") && !(is_word(q, w, "one") && is_content(after));
	case CLASS_THERE: /* not in "is there a", "there are", "there's" */
		return !is_be(q, before) && !is_be(q, after) &&
		    (w->end == q->len || strchr(" ?.!,", q->text[w->end]) != NULL);
	case CLASS_MORE: /* not in "more than", which compares */
		return !is_word(q, after, "than") && !(is_word(q, w, "too") && is_content(after));
	case CLASS_SAME: /* not in "such as", which lists */
		return !is_word(q, after, "as");
	case CLASS_ORDER: /* in "the first" and "the first thing", not in "the first novel" */
		return before != NULL && (before->classes & CLASS(ARTICLE)) &&
		    (!is_content(after) ||
			(after->classes & (CLASS(LIGHT) | CLASS(VERB) | CLASS(ONE))) ||
			is_word(q, w, "latter"));
	default:
		return true;
	}
}

/* Whether the question itself says who is meant: "how do bees find their way". */
static bool
is_bound(const struct conversation_turn *q, size_t from, size_t i, enum class_number kind)
{
	if (kind != CLASS_THEY || q->words[i].flags & CONVERSATION_HAN)
		return false;
	for (size_t k = i; k-- > from && !(q->words[k + 1].flags & CONVERSATION_FIRST); ) {
		const struct conversation_word *w = &q->words[k];

		if (is_content(w) && !(w->classes & (CLASS(LIGHT) | CLASS(VERB))) &&
		    q->text[w->end - 1] == 's')
			return true;
	}
	return false;
}

size_t
references_find(const struct conversation_turn *q, size_t from, struct reference out[REFERENCES])
{
	size_t n = 0;

	for (size_t i = from; i < q->n && n < REFERENCES; i++) {
		const struct conversation_word *w = &q->words[i],
					       *before = i > from ? w - 1 : NULL,
					       *after = i + 1 < q->n ? w + 1 : NULL;
		classes c = w->classes;
		unsigned kind = 0;

		if (c & CLASSES_ITEMS)
			c |= CLASS(ORDER);
		if ((c & BACK) == 0)
			continue;
		if (before != NULL && (w->start > before->end + 1 || w->flags & CONVERSATION_FIRST))
			before = NULL;
		if (after != NULL &&
		    (after->start > w->end + 1 || after->flags & CONVERSATION_FIRST))
			after = NULL;
		while (!(c & ((classes)1 << kind)))
			kind++;
		if (points_back(q, (enum class_number)kind, w, before, after) &&
		    !is_bound(q, from, i, (enum class_number)kind))
			out[n++] = (struct reference){ (enum class_number)kind, i };
	}
	return n;
}

size_t
references_count(const char *text, size_t len)
{
	struct arena a = ARENA_INIT;
	struct conversation t;
	struct reference found[REFERENCES];
	size_t n;

	conversation_start(&t, &a);
	n = references_find(conversation_add(&t, CONVERSATION_USER, text, len), 0, found);
	arena_release(&a);
	return n;
}
