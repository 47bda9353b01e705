/*
 * join_people.h: says that several names are of one person (records/people.h).
 */
#pragma once

#include "facts/remember.h"

/*
 * Stores the note for names [n], each of somebody who ever spoke; people see the last of them. fn
 * gets it. ERR_NOINPUT, with who may be meant: nobody is called so.
 */
int join_people(struct store *s, const struct scope *who, const char *const *names, size_t n,
	fact_fn *fn, void *arg, struct err *err);
