/*
 * compare.h: which records of a memory say the same, and which cannot both hold.
 */
#pragma once

#include "audit/claim.h"

struct compared {
	size_t a, b;               /* claims: b was said later, as far as that is known */
	bool same;                 /* else they contradict each other */
	const char *why;           /* static */
};

struct compared_list {
	struct compared *pairs;    /* [n], by record; of two records at most one pair */
	size_t n, cap;
};

/*
 * Compares all claims that have a word in common. Of records that repeat an earlier one only that
 * is compared further. Cost: some 200 microseconds a claim.
 */
void compare_claims(const struct memories *m, const struct claims *c, struct compared_list *out);

/* Which of two claims is the newer: -1, 1, or 0 when it is not known. */
int compare_times(const struct memories *m, const struct claim *a, const struct claim *b);
