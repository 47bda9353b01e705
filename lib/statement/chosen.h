/*
 * chosen.h: whether two decisions, each marked as one, choose another value in the same words: "go
 * with Stripe for payments", "go with Mollie for payments"; "release on the 17th", "on the 24th".
 */
#ifndef STATEMENT_CHOSEN_H
#define STATEMENT_CHOSEN_H

#include "statement/judge.h"

/* What is decided, without a label or "we decided to" in front, nor the reason behind. */
struct judge_side chosen_bare(const struct judge_side *s);

/* Of two that chosen_bare has read. Cost: some 20 microseconds; most others less. */
bool chosen_differ(const struct judge_side *a, const struct judge_side *b);

#endif
