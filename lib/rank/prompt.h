/*
 * prompt.h: which part of a prompt asks. A question to an assistant is seldom bare: people say what
 * they are doing, paste lines, say how the answer should look, give thanks, and ask for something
 * else besides. What asks is told by the shape of a clause, not by its subject.
 *
 * A prompt is divided into sentences, and these into clauses. The weight of a clause is the
 * estimated probability that one of its words belongs to the question, against that of the clause
 * that asks most. The words that stand before a question which names nothing count for more, since
 * they tell what is meant: "I met Ana at the fair. What did she buy?". A single sentence asks as a
 * whole, so a bare question is left alone, unless a statement stands before it: "I promised to look
 * it up, where did Ana live?".
 *
 * The estimate is a logistic regression over the words of 120 prompts that people wrote around
 * questions of ten memories; where all prompts of a memory are left out, the area under the curve
 * is .75, and .98 for prompts that were no part of it. Cost: 100 MB/s.
 */
#pragma once

#include "base/base.h"

#define PROMPT_ASKS    0.5f     /* the least weight of a clause that is a question of its own */
#define PROMPT_CLAUSES 64        /* what comes behind them belongs to the last */

struct prompt {
	/* 0: the text asks as a whole */
	size_t n;
	struct prompt_clause {
		uint32_t start, end;   /* bytes of the text, one clause behind the other */
		float weight;          /* 0-1, 1 for the one that asks most */
		/* 0-1, what its words count: more than weight where it tells what is meant */
		float words;
		float sentence;        /* the greatest weight in its sentence */
	} clauses[PROMPT_CLAUSES];
};

void prompt_read(struct prompt *a, const char *text, size_t len);

/* Whether any clause of the text asks: with a question mark, or as "where did Ana live". */
bool prompt_asks(const char *text, size_t len);
/* Whether it asks, and a clause that does speaks of one who asks: "where do I work?", not "we". */
bool prompt_is_of_asker(const char *text, size_t len);

/* The clause at a byte of the text; NULL when the text asks as a whole. */
const struct prompt_clause *prompt_clause_at(const struct prompt *a, size_t at);
/* Its weight, or 1; and what its words count, or 1. */
float prompt_weight(const struct prompt *a, size_t at);
float prompt_words(const struct prompt *a, size_t at);
