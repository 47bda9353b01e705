/*
 * clash.h: whether a sentence says what a claim says, but for a number, a name or a negation.
 */
#pragma once

#include "statement/likeness_words.h"

struct clash {
	bool bears;                /* it has all numbers and names, and denies as much */
	const char *why;           /* static: another value stands in the claim; NULL: none does */
	bool number, denied;       /* ... a number is; or one of them denies it */
	size_t n_shared;           /* content words that both have, by which the best is chosen */
};

/* known: words that the sentence may lack, as who speaks is known. Cost: some microseconds. */
void clash_find(const struct said *claim, const struct said *text, const struct said *known,
	struct clash *out);
