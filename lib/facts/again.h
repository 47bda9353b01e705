/*
 * again.h: facts that were extracted by rules, extracted again by today's: which of them would come
 * out otherwise.
 */
#pragma once

#include "store/records.h"

/* The reason of steps that put a record in place of what it was made of. */
#define AGAIN_WHY "made again"

struct again {
	const struct fact *was;
	const struct fact *now;                /* NULL: it would not come out at all */
	const char *why;
};
/* Returns 0 to go on, another value to stop; negative for -1. Its argument lasts for the call. */
typedef int again_fn(void *arg, const struct again *v);

/*
 * Calls fn for each fact that holds, was made by rules, was not changed by hand since, and rests on
 * a turn that is gone or from which today's rules make something else. all: facts that today's
 * rules made are extracted again as well; else their turn only has to be there. *n_unknown, if not
 * NULL, receives how many derived facts do not say what made them. Cost: the sessions of the facts
 * that are extracted again are read.
 */
int facts_again(struct store *s, const struct scope *who, bool all, again_fn *fn, void *arg,
	size_t *n_unknown, struct err *err);

/* Whether somebody changed the record by hand since it was made. */
int again_by_hand(struct store *s, const struct scope *who, int64_t row, bool *by_hand,
	struct err *err);
