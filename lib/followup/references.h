/*
 * references.h: finds words of a question that mean nothing without what was said before:
 * pronouns, demonstratives, "the second one", "there", "what else", er, dort.
 */
#pragma once

#include "followup/conversation_terms.h"

#define REFERENCES 16              /* of one question; further ones are ignored */

struct reference {
	enum lex kind;    /* LEX_IT to LEX_THEN */
	size_t word;               /* in the turn */
};

/*
 * Finds the references, in their order; returns how many. What is found is a suspicion only: "it"
 * may be explained in the question itself.
 */
size_t references_find(const struct conversation_turn *q, struct reference out[REFERENCES]);

/* Whether the question has an "it" that stands for nothing: "Is it raining?", "Wie spät ist es?" */
bool references_none(const struct conversation_turn *q);

/* Counts the references of a text. */
size_t references_count(const char *text, size_t len);
