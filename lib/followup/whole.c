/*
 * whole.c: questions that are complete whatever was said before: those about who asks ("Where do I
 * live?"), commands ("run the tests"), the time and the weather; in Chinese those that begin with
 * what they are about. None points back, begins with "and", or asks an earlier one again.
 */
#include "followup/followup_parts.h"

#define WEAK (CLASS(LIGHT) | CLASS(VERB) | CLASS(RELATION))

static bool
is_content(const struct conversation_word *w)
{
	return !(w->flags & CONVERSATION_STOP);
}

static bool
was_said(const struct conversation *t, size_t at, uint32_t term)
{
	for (size_t i = 0; i < at; i++)
		for (size_t k = 0; k < t->turns[i].n; k++)
			if (t->turns[i].words[k].term == term)
				return true;
	return false;
}

/*
 * Whether they ask about themselves, and what: "my birthday", "do I work", "wohne ich"; not "I need
 * the address", which tells, nor "can I have the address", which asks for something.
 */
static bool
is_own(const struct conversation_turn *q)
{
	size_t n = 0;
	bool own = false;

	if (conversation_is(q, &q->words[0], LEX_MAY))
		return false;
	for (size_t i = 0; i < q->n; i++) {
		own |= i > 0 && conversation_is(q, &q->words[i], LEX_OWNER);
		n += is_content(&q->words[i]);
	}
	return own && n > 0;
}

/* "run the tests", "commit and push": no more than what to do, and with what. */
static bool
is_command(const struct conversation_turn *q)
{
	return !q->asks && q->n > 1 && (q->words[0].classes & CLASS(ACT));
}

/* Whether a piece of Chinese names a thing. */
static bool
is_thing(const struct conversation_word *w)
{
	return is_content(w) && !(w->classes & WEAK) && w->end - w->start >= 6;
}

/*
 * Chinese that begins with me, a time, a command or what it is about, and says something of it.
 * A short first word alone may be a part of something.
 */
static bool
is_whole_han(const struct conversation *t, size_t at)
{
	const struct conversation_turn *q = &t->turns[at];
	const struct conversation_word *w = q->words;
	size_t n = 0;

	if (w->classes & (CLASS(ME) | CLASS(CLOCK) | CLASS(WEATHER) | CLASS(POLITE) | CLASS(ACT)))
		return true;
	for (size_t i = 0; i < q->n; i++)
		n += is_content(&q->words[i]);
	for (size_t i = 0; i < q->n; i++)
		if (q->words[i].classes & CLASS(WEATHER))
			return true;
	if (conversation_is(q, w, LEX_WHO))
		return n > 0;
	return is_thing(w) && !was_said(t, at, w->term) && (n >= 2 || w->end - w->start >= 9);
}

/* "ok", "thanks, that's all", "good morning": nothing is asked. */
static bool
is_phatic(const struct conversation_turn *q, const struct lack *l)
{
	bool polite = false;

	if (l->kinds & ~(CLASS(THAT) | CLASS(THIS)))
		return false;
	for (size_t i = 0; i < q->n; i++) {
		polite |= (q->words[i].classes & (CLASS(POLITE) | CLASS(REPLY))) != 0;
		if (is_content(&q->words[i]) &&
		    !(q->words[i].classes & (CLASS(LIGHT) | CLASS(REPLY))))
			return false;
	}
	return polite && !q->asks;
}

bool
question_is_whole(const struct conversation *t, size_t at, const struct lack *l)
{
	const struct conversation_turn *q = &t->turns[at];

	if (is_phatic(q, l))
		return true;
	if (l->n > 0 || q->n == 0 || (q->words[0].classes & CLASS(JOIN)))
		return false;
	if (l->han)
		return is_whole_han(t, at);
	return references_none(q) || is_own(q) || is_command(q);
}
