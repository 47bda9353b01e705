/*
 * derived.h: what is made anew of what was said. Private to lib/store.
 */
#ifndef STORE_WHOLE_DERIVED_H
#define STORE_WHOLE_DERIVED_H

#include "store/sql/handle.h"

/* Makes derived data anew in place; others see the old data until all of it is made. */
int rebuild_derived(struct store *s, repair_fn *progress, void *arg, struct err *err);

#endif
