/*
 * chosen.h: whether two decisions, each marked as one, choose another value in the same words: "go
 * with Stripe for payments", "go with Mollie for payments"; "release on the 17th", "on the 24th".
 */
#ifndef STATEMENT_CHOSEN_H
#define STATEMENT_CHOSEN_H

#include "statement/end_part.h"
#include "statement/judge.h"

/* Sets the bare text; a label may say that it was decided. ends: words of an end in its text. */
void chosen_bare(struct judge_side *s, const struct end_part *ends);

/* Cost: some 20 microseconds where one value is another in the same words, else nothing. */
bool chosen_differ(const struct judge_side *a, const struct judge_side *b);

/* Whether each begins with another who does it: "Ruth soll Vim nutzen", "Ines soll Vim nutzen". */
bool chosen_by_others(const struct judge_side *a, const struct judge_side *b);

#endif
