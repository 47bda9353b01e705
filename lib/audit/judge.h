/*
 * judge.h: what two claims are to each other: one statement twice, or two that cannot both hold.
 */
#ifndef AUDIT_JUDGE_H
#define AUDIT_JUDGE_H

#include "audit/claim.h"
#include "statement/weigh.h"

#define JUDGE_OPPOSITE "one says the opposite of the other"

struct verdict {
	bool same;                 /* else they contradict each other */
	const char *why;           /* static; NULL: they are neither */
};

/* What is known of two claims from all the others of a memory. */
struct judge_about {
	double sim;                /* calibrated, of their vectors; NAN: there are none */
	/* how much nearer to each other than either is to any other record; NAN likewise */
	double margin;
	bool named;                /* one begins with the name of somebody or something */
	bool others;               /* each begins with another name */
	const struct word_counts *counts;
};

/* Cost: some 5 microseconds. */
void judge_claims(const struct claim *older, const struct claim *newer,
	const struct judge_about *about, struct verdict *out);

/*
 * Whether two that stand on one key speak of one thing: long statements have more than their key is
 * about, so that they must have a thing in common besides; on a key of work (a project has more
 * databases than one) most of what is said, but the value.
 */
bool judge_is_close(const struct said *a, const struct said *b, bool work);

/* Whether some key of both is one, and its value another: they cannot both hold. */
bool judge_keys(const struct claim_key *a, size_t n_a, const struct claim_key *b, size_t n_b);

/*
 * Whether a sentence of a turn says otherwise than a claim: it denies it, or gives it another
 * number, day, side or the like. NULL: it does not; else why, static.
 */
const char *judge_conflict(const struct said *claim, const struct said *turn);

#endif
