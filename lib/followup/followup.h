/*
 * followup.h: a question that leans on what was said before it, made whole: by rule and by what was
 * learnt, without a language model.
 *
 * First a guess whether it leans on anything (pronouns, "the second one", nothing but "how much?");
 * then which words of the talk it means; then they take the place of the pronoun or go to the end.
 * Words of the question are never lost but for the pronoun that was replaced.
 */
#ifndef FOLLOWUP_FOLLOWUP_H
#define FOLLOWUP_FOLLOWUP_H

#include "followup/conversation_terms.h"
#include "text/ambiguity.h"

#define FOLLOWUP_WORDS 8           /* added at most */
/* a question that is less likely to need what was said is whole */
#define FOLLOWUP_NEEDED 0.5f

/* What was said, oldest first. */
struct followup_said { enum conversation_role role; const char *text; size_t len; };

struct followup_word {
	const char *text;          /* [len], as it was said; of the talk's text */
	size_t len;
	float p;                   /* that it belongs into the question */
};

struct followup {
	float need;                /* that the question needs what was said */
	bool changed;              /* text is not the question */
	const char *text;          /* [len], the question made whole, or itself */
	size_t len;
	/* those that are in text and not in the question; most likely first */
	struct followup_word added[FOLLOWUP_WORDS];
	size_t n_added;
	const char *reason;        /* "no_context", "whole", "resolved", "unresolved", "unsure" */
	/* 0.7 * share of ambiguous words resolved + 0.3 * length score; 1 when nothing was to do */
	double confidence;
};

/*
 * sure: below this confidence the question stays as it was. What f points at is in the arena, the
 * question or the talk. Of said the newest CONVERSATION_TURNS are read, and its titles. Cost:
 * linear in what is read; under 1 ms.
 */
void followup_resolve(struct arena *a, const struct followup_said *said, size_t n,
	const char *question, size_t len, double sure, struct followup *f);

/* 1 when the result is one to three times as long, falling to 0 at half and at six times. */
double followup_length_score(size_t chars_before, size_t chars_after);

#endif
