/*
 * followup.h: completes a question that depends on the conversation before it, by rules and learnt
 * weights, without a language model. The weights are learnt in English, German and Chinese; in
 * other languages of the lexicon something must point back.
 *
 * A first classifier tells whether the question depends on anything (pronouns, "the second one", a
 * bare "how much?"). "And in Boston?" asks the question before again, with another phrase in it
 * (ellipsis.c). For all else a second classifier chooses the words of the conversation that are
 * meant; these replace the pronoun or go to the end, and no other word of the question is lost.
 */
#pragma once

#include "followup/conversation_terms.h"

#define FOLLOWUP_WORDS 8           /* most words added */
/* a question whose need is lower counts as complete */
#define FOLLOWUP_NEEDED 0.5f

/* A turn of the conversation; an array of them has the oldest first. */
struct followup_said { enum conversation_role role; const char *text; size_t len; };

struct followup_word {
	const char *text;          /* [len], as it was said; points into the conversation's text */
	size_t len;
	float p;                   /* probability that it belongs into the question */
};

struct followup {
	float need;                /* probability that the question needs the conversation */
	bool bare;                 /* it names no topic, whether it needs one or not */
	bool changed;              /* text differs from the question */
	const char *text;          /* [len], the completed question, or the question itself */
	size_t len;
	/* words of text that are not in the question, most likely first */
	struct followup_word added[FOLLOWUP_WORDS];
	size_t n_added;
	const char *reason;        /* "no_context", "whole", "resolved", "unresolved", "unsure" */
	/*
	 * 0.7 * share of ambiguous words resolved + 0.3 * length score; 1 when there was nothing to
	 * do
	 */
	double confidence;
};

/*
 * sure: with a lower confidence the question stays as it was; forced: it is known to depend on what
 * was said, whatever it seems. What f points to is in a, the question or the conversation. Only the
 * newest CONVERSATION_TURNS turns of said are read, and its titles. Cost: linear in what is read,
 * under 1 ms.
 */
void followup_resolve(struct arena *a, const struct followup_said *said, size_t n,
	const char *question, size_t len, double sure, bool forced, struct followup *f);

/*
 * 1 when the result is one to three times as long as the question, falling to 0 at half and at six
 * times.
 */
double followup_length_score(size_t chars_before, size_t chars_after);
