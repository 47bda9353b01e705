/*
 * things.c: one pass over the words of a text; of the words before each only a few are remembered.
 */
#include "rank/things.h"

#include "lexicon/lex.h"

#define NEVER         100              /* words ago */
#define DONE_WITHIN   2                /* words behind I or we: "I just painted" */
#define FIRST_THING   LEX_ASK_NUMBER
#define LAST_THING    LEX_PAST
#define BIT(id)       ((uint64_t)1 << (LEX_##id - FIRST_THING))
#define LEAST_PAST    4                /* bytes of a verb in the past */

struct words {
	const char *text;
	size_t len;
	unsigned langs;
	struct lex_token t;
	uint64_t is;                           /* a bit for each class */
};

/* phrases: whether those that begin with the word count, too. */
static bool
next_word(struct words *w, bool phrases)
{
	if (!lex_next(w->text, w->len, w->t.end, &w->t))
		return false;
	w->is = lex_token_classes(&w->t, FIRST_THING, LAST_THING, w->langs);
	/* of what is said only plans have phrases */
	if (w->t.more > 1 && (phrases || (w->is & BIT(PLAN_OPENS))))
		w->is = lex_phrase_classes(w->text, w->len, &w->t, FIRST_THING, LAST_THING,
		    w->langs);
	return true;
}

unsigned
things_asked(const char *text, size_t len, unsigned langs)
{
	static const struct { enum lex class; enum thing thing; } rows[] = {
		{ LEX_ASK_SPAN, THING_SPAN }, { LEX_ASK_NUMBER, THING_NUMBER },
		{ LEX_PLACE_WORD, THING_PLACE }, { LEX_ASK_PERSON, THING_PERSON },
		{ LEX_TITLED, THING_TITLE }, { LEX_PLAN_ASKED, THING_PLAN },
		{ LEX_PAST_ASKED, THING_DONE },
	};
	struct words w = { .text = text, .len = len, .langs = langs };
	unsigned found = 0;

	while (next_word(&w, true))
		for (size_t i = 0; i < NELEM(rows); i++)
			found |= w.is >> (rows[i].class - FIRST_THING) & 1 ? (unsigned)rows[i].thing
									    : 0;
	return found;
}

/* English verbs end alike; those of other languages, and the irregular ones, are listed. */
static bool
is_past(const struct words *w)
{
	const struct lex_token *t = &w->t;

	return (w->is & BIT(PAST)) != 0 ||
	    ((w->langs & LEX_IN(LEX_EN)) && t->len >= LEAST_PAST &&
		memcmp(t->folded + t->len - 2, "ed", 2) == 0);
}

static bool
is_quoted(const char *text, size_t at)
{
	return at > 0 && (text[at - 1] == '"' ||
			     (at > 2 && memcmp(text + at - 3, "\xe2\x80\x9c", 3) == 0));
}

unsigned
things_said(const char *text, size_t len, unsigned langs)
{
	struct words w = { .text = text, .len = len, .langs = langs };
	bool capital = false, before_place = false, place, article = false;
	unsigned found = 0, since_doer = NEVER;

	while (next_word(&w, false)) {
		if (w.t.figures || (w.is & BIT(SOME_NUMBER)))
			found |= THING_NUMBER;
		if ((w.is & BIT(SPAN)))
			found |= THING_SPAN;
		if (w.t.capital && !capital && before_place)
			found |= THING_PLACE;
		if ((w.is & BIT(PEOPLE)))
			found |= THING_PERSON;
		if (w.t.capital && is_quoted(text, w.t.start))
			found |= THING_TITLE;
		if ((w.is & BIT(PLAN_SAID)) && (w.t.tick || !(w.is & BIT(IF_TICK))))
			found |= THING_PLAN;
		if (++since_doer <= DONE_WITHIN && is_past(&w))
			found |= THING_DONE;
		if ((w.is & BIT(DOER)))
			since_doer = 0;
		article = before_place && lex_is(&w.t, LEX_ARTICLE, w.langs, NULL);
		place = (w.is & BIT(BEFORE_PLACE)) != 0;
		before_place = place || article;
		capital = w.t.capital;
	}
	return found;
}
