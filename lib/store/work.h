/*
 * work.h: the lists of work: which turns have to do with a file, a program or an error. They are
 * made of the messages as these are stored, go with them, and hold numbers only
 * (calls/work_keys.h).
 */
#ifndef STORE_WORK_H
#define STORE_WORK_H

#include "calls/work_keys.h"
#include "store/store.h"

struct work_row {
	int64_t row;
	uint64_t key;
	int64_t session_us;                /* of the session's newest message, or TIME_NONE */
};

/*
 * The turns of the user that have one of keys [n], a turn once for each; keys NULL: all of the
 * kind. Those of the sessions with the newest messages come first, in each the last turn first.
 * *out [*n_out] is the caller's to free. Cost: all of the user's lists, 8 bytes an entry at 1 GB/s,
 * and a look at each session found.
 */
int work_rows(struct store *s, const struct scope *who, enum work_kind kind, const uint64_t *keys,
	size_t n, struct work_row **out, size_t *n_out, struct err *err);

/*
 * For a proof that something is gone: the rows that a page of the table "work", with this id and
 * these bytes, speaks of.
 */
typedef void work_page_fn(void *arg, int64_t row);
void work_page_each(int64_t id, const void *bytes, size_t len, work_page_fn *fn, void *arg);

#endif
