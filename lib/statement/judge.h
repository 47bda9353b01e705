/*
 * judge.h: what a statement is to an older one: the same, its end, or one that can hardly hold
 * beside it. One rule for what is remembered (facts/alike.h) and what is audited
 * (audit/compare.h).
 */
#pragma once

#include "statement/likeness.h"

struct judged {
	struct likeness like;
	bool ends;                 /* the newer one says that the older holds no more (ended.h) */
	/* why hardly both can hold, static: no proof that the older has ended; NULL: they can */
	const char *against;
};

/* A statement: all that is told by it alone, so that it can be compared with many others. */
struct judge_side {
	const char *text;          /* [len], borrowed, as said, its words, is */
	size_t len;
	const struct said *said;
	bool may_end;              /* it has words of an end (end_part.h) */
	const char *bare;          /* what stands behind a label, or "we decided to" */
	size_t bare_len;
	uint64_t values;           /* what kinds of values it gives (typed.h) */
};

/* Cost: some 10 microseconds. */
struct judge_side judge_side(const char *text, size_t len, const struct said *said);

/* Cost: some microseconds; 100 where one may end the other, or gives it another value. */
void judge(const struct judge_side *older, const struct judge_side *newer, struct judged *out);

/*
 * Of that only whether they give one thing two values of a type (typed.h): why, or NULL. So may two
 * whose subjects are not known to be one, as the words for the thing must be the same.
 */
const char *judge_values(const struct judge_side *older, const struct judge_side *newer);
