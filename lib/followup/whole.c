/*
 * whole.c: questions that are complete whatever was said before: those about who asks ("Where do I
 * live?"), commands ("run the tests"), the time and the weather. None points back, begins with
 * "and", or asks an earlier one again.
 */
#include "followup/followup_parts.h"

static bool
is_content(const struct conversation_word *w)
{
	return !(w->flags & CONVERSATION_STOP);
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
		return (q->words[0].classes & (CLASS(CLOCK) | CLASS(WEATHER))) != 0;
	return references_none(q) || is_own(q) || is_command(q);
}
