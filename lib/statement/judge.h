/*
 * judge.h: what a statement is to an older one: the same, its end, or one that can hardly hold
 * beside it. One rule for what is remembered (facts/alike.h) and what is audited
 * (audit/compare.h).
 */
#ifndef STATEMENT_JUDGE_H
#define STATEMENT_JUDGE_H

#include "statement/likeness.h"

struct judged {
	struct likeness like;
	bool ends;                 /* the newer one says that the older holds no more (ended.h) */
	/* why hardly both can hold, static: no proof that the older has ended; NULL: they can */
	const char *against;
};

/* A statement, its words as they were read, and whether it is known to be a decision. */
struct judge_side { const char *text; size_t len; const struct said *said; bool decided; };

/* Cost: some 100 microseconds. */
void judge(const struct judge_side *older, const struct judge_side *newer, struct judged *out);

/*
 * Of that only whether they give one thing two values of a type (typed.h): why, or NULL. So may two
 * whose subjects are not known to be one, as the words for the thing must be the same.
 */
const char *judge_values(const struct judge_side *older, const struct judge_side *newer);

#endif
