/*
 * typed.h: whether two statements give one thing two values of one type, of which it has one at a
 * time: "the port is 8080" and "port: 9090", "we use npm" and "package manager: pnpm"
 * (schema/cues/values.txt). Both must say that it is so now, and nothing but the value, and words
 * for the thing, may stand in one alone. Of a measure a phrase without a verb says so ("shipping
 * from 80 euro"), of a day of the week what comes again ("rehearsal on Tuesdays").
 */
#pragma once

#include "statement/judge.h"

/* Cost: some 20 microseconds, nothing where they give no values of one kind. */
bool typed_differ(const struct judge_side *a, const struct judge_side *b);

/*
 * Of a statement, whose bare text is known: a bit for each group of which it has words, as two may
 * be of one thing although they share no word, and behind these for a day, a measure, a number, a
 * role, and for saying that something is so now. Cost: some 5 microseconds.
 */
uint64_t typed_values(const struct judge_side *s);
#define TYPED_GROUPS 59

/* Whether each has a word of a group of which the other has none: "pytest", "vitest". */
static inline bool
typed_are_of_two(const struct judge_side *a, const struct judge_side *b)
{
	return (a->values & ~b->values) % (UINT64_C(1) << TYPED_GROUPS) != 0 &&
	    (b->values & ~a->values) % (UINT64_C(1) << TYPED_GROUPS) != 0;
}

/* Whether both are forms of one name: "Postgres", "PostgreSQL"; "JS", "JavaScript". */
bool typed_is_form(const char *a, size_t a_len, const char *b, size_t b_len);
