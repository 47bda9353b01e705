/*
 * things.c: one pass over the words of a text; of the words before each only a few are remembered.
 */
#include "rank/things.h"

#include "lexicon/lex.h"

#define NEVER         100              /* words ago */
#define DONE_WITHIN   2                /* words behind I or we: "I just painted" */
#define PLURAL_WITHIN 5                /* words behind which: "what kinds of musical instruments" */
#define LEAST_PLURAL  4                /* bytes of a plural, of a verb in the past */

struct words {
	const char *text;
	size_t len;
	unsigned langs;
	struct lex_token t;
	struct lex_match found[LEX_MATCHES];
	size_t n;
};

static bool
next_word(struct words *w)
{
	if (!lex_next(w->text, w->len, w->t.end, &w->t))
		return false;
	w->n = w->t.more > 1 ? lex_matches(w->text, w->len, &w->t, w->found) : 0;
	return true;
}

static bool
is(const struct words *w, enum lex class)
{
	return lex_is(&w->t, class, w->langs, NULL) ||
	    (w->n > 0 && lex_match(w->found, w->n, class, w->langs, NULL) > 0);
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

	while (next_word(&w))
		for (size_t i = 0; i < NELEM(rows); i++)
			found |= is(&w, rows[i].class) ? (unsigned)rows[i].thing : 0;
	return found;
}

/* English verbs end alike; those of other languages, and the irregular ones, are listed. */
static bool
is_past(const struct words *w)
{
	const struct lex_token *t = &w->t;

	return is(w, LEX_PAST) ||
	    ((w->langs & LEX_IN(LEX_EN)) && t->len >= LEAST_PLURAL &&
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

	while (next_word(&w)) {
		if (w.t.figures || is(&w, LEX_SOME_NUMBER))
			found |= THING_NUMBER;
		if (is(&w, LEX_SPAN))
			found |= THING_SPAN;
		if (w.t.capital && !capital && before_place)
			found |= THING_PLACE;
		if (is(&w, LEX_PEOPLE))
			found |= THING_PERSON;
		if (w.t.capital && is_quoted(text, w.t.start))
			found |= THING_TITLE;
		if (is(&w, LEX_PLAN_SAID) && (w.t.tick || !is(&w, LEX_IF_TICK)))
			found |= THING_PLAN;
		if (++since_doer <= DONE_WITHIN && is_past(&w))
			found |= THING_DONE;
		if (is(&w, LEX_DOER))
			since_doer = 0;
		article = before_place && is(&w, LEX_ARTICLE);
		place = is(&w, LEX_BEFORE_PLACE);
		before_place = place || article;
		capital = w.t.capital;
	}
	return found;
}

/* As English writes one; other languages list the words that ask for several. */
static bool
is_plural(const struct words *w)
{
	const struct lex_token *t = &w->t;

	return (w->langs & LEX_IN(LEX_EN)) && t->len >= LEAST_PLURAL &&
	    t->folded[t->len - 1] == 's' && t->folded[t->len - 2] != 's' && !t->capital &&
	    !t->owns && !is(w, LEX_NO_PLURAL);
}

bool
things_several(const char *text, size_t len, unsigned langs)
{
	struct words w = { .text = text, .len = len, .langs = langs };
	unsigned since_which = NEVER;

	while (next_word(&w)) {
		if ((++since_which <= PLURAL_WITHIN && is_plural(&w)) || is(&w, LEX_SEVERAL))
			return true;
		if (is(&w, LEX_WHICH_OF))
			since_which = 0;
	}
	return false;
}
