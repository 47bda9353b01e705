/*
 * forgotten.h: what a store has again of what was forgotten, as it was brought back from a copy.
 */
#pragma once

#include "store/store.h"

/*
 * Tells what the user has in s of what was forgotten in the store at path: messages and records by
 * their ids, sessions without turns by their names. Cost: as
 * buried_each (store/sync.h).
 */
typedef int forgotten_fn(void *arg, const char *id, const char *session);
int forgotten_each(struct store *s, const struct scope *who, const char *path, forgotten_fn *fn,
	void *arg, struct err *err);
