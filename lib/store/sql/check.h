/*
 * check.h: what a check of the store tells. Private to lib/store.
 */
#ifndef STORE_SQL_CHECK_H
#define STORE_SQL_CHECK_H

#include "store/sql/handle.h"

struct check {
	struct store *store;
	check_fn *fn;
	void *arg;
	struct err *err;
	unsigned n_damaged;
};
/* Tells a finding; what is formatted is its message. -1: nobody wants to hear more. */
int PRINTF_LIKE(4, 5)
check_tell(struct check *c, int level, const char *what, const char *fmt, ...);

#endif
