/*
 * typed.h: whether two statements give one thing two values of one type, of which it has one at a
 * time: "the port is 8080" and "port: 9090", "we use npm" and "package manager: pnpm"
 * (schema/cues/values.txt). Both must say that it is so now, and nothing but the value, and words
 * for the thing, may stand in one alone.
 */
#ifndef STATEMENT_TYPED_H
#define STATEMENT_TYPED_H

#include "statement/judge.h"

/* Cost: some 20 microseconds, less where neither names a value. */
bool typed_differ(const struct judge_side *a, const struct judge_side *b);

/*
 * Numbers for the groups [at most max] of which the text has words: two statements may be of one
 * thing although they share no word. Returns how many. Cost: linear.
 */
size_t typed_groups(const char *text, size_t len, uint64_t *out, size_t max);

#endif
