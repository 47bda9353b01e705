/*
 * check.h: checks a store, and does what was asked with it after that.
 */
#ifndef RECORDS_CHECK_H
#define RECORDS_CHECK_H

#include "store/store.h"

struct check_want {
	enum check_level level;
	bool repair;                       /* rebuild what is derived, then check again */
	bool checkpoint;
	const char *backup;                /* a file to write; NULL: none */
};

/* Names of the levels of a finding: ok, warning, derived, base. */
const char *check_level_name(int level);

typedef void check_progress_fn(void *arg, int64_t done, int64_t all);

/*
 * Checks, hands every finding to fn, and returns 0 also when there was damage: *worst is the
 * highest level found (after the repair, when one was asked for). A backup is not written when base
 * data is damaged, as it would replace a good one with the damage.
 */
int check_store(struct store *s, const struct check_want *want, check_fn *fn,
	check_progress_fn *progress, void *arg, int *worst, struct err *err);

#endif
