/*
 * subject.h: who or what a fact is about, so that what one person says of themselves is never taken
 * for news of another.
 */
#ifndef FACTS_SUBJECT_H
#define FACTS_SUBJECT_H

#include "store/records.h"

/*
 * Returns, in a, the name in the fact's key "about" ("other:Tess", "project:mem"); of a fact about
 * the user, or without that key, who spoke the message that it rests on, "" when that has no name.
 * *out is NULL when the fact rests on no message: it may be about anybody. Cost: one message read.
 */
int fact_subject(struct store *s, const struct scope *who, const struct fact *f, struct arena *a,
	const char **out, struct err *err);

/*
 * Declares that fact_subject will be asked for these [n], of which some may be NULL: see
 * store_gather.
 */
int subjects_want(struct store *s, const struct scope *who, const struct fact *const *facts,
	size_t n, struct err *err);

/* Whether both may be about the same; case does not matter. */
bool subjects_agree(const char *a, const char *b);

#endif
