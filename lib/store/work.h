/*
 * work.h: the lists of work: which turns have to do with a file, a program or an error. They are
 * made when messages are stored, are removed with them, and hold numbers only (calls/work_keys.h).
 */
#pragma once

#include "calls/work_keys.h"
#include "store/store.h"

struct work_row {
	int64_t row;
	uint64_t key;
	int64_t session_us;                /* time of the session's newest message, or TIME_NONE */
};

/*
 * The user's turns that have one of keys [n], once for each key; keys NULL: all of the kind.
 * Sessions with the newest messages come first, and in each the last turn. *out [*n_out] is freed
 * by the caller. Cost: all of the user's lists are read, 8 bytes an entry at 1 GB/s, and a row for
 * each session found.
 */
int work_rows(struct store *s, const struct scope *who, enum work_kind kind, const uint64_t *keys,
	size_t n, struct work_row **out, size_t *n_out, struct err *err);

/*
 * The rows of messages that a page of the table "work", with this id and these bytes, names: for a
 * proof that something is gone.
 */
typedef void work_page_fn(void *arg, int64_t row);
void work_page_each(int64_t id, const void *bytes, size_t len, work_page_fn *fn, void *arg);
