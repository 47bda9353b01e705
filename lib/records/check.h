/*
 * check.h: checks a store, and then repairs it, backs it up or empties its log, as asked.
 */
#pragma once

#include "store/store.h"

struct check_want {
	enum check_level level;
	/* rebuild what is derived from messages, then check again */
	bool repair;
	bool checkpoint;
	const char *backup;                /* a file to write; NULL: none */
};

/* Names of the levels of a finding: ok, warning, derived, base. */
const char *check_level_name(int level);

typedef void check_progress_fn(void *arg, int64_t done, int64_t all);

/*
 * Checks, and hands every finding to fn. Returns 0 also when there was damage: *worst is the
 * highest level found, after the repair if one was asked for. No backup is written when base data
 * is damaged, as it would replace a good one.
 */
int check_store(struct store *s, const struct check_want *want, check_fn *fn,
	check_progress_fn *progress, void *arg, int *worst, struct err *err);
