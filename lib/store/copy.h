/*
 * copy.h: a store moved as it is, row by row, from a file to a database on a server or back: with
 * the index, vectors, figures of searches and of model calls, which an export (transfer.h) has not;
 * and a copy in a file that becomes the store again.
 */
#pragma once

#include "store/store.h"

struct store_copied {
	int64_t n_rows;                    /* in both */
	int64_t n_written;                 /* the rest was there from an earlier try */
	uint8_t sha256[SHA256_BYTES];      /* of all rows, the same in both */
};

/*
 * Copies the store, as it is now, to a name that has none yet. Others may use it meanwhile; the
 * copy is of the moment when it began. Until all of it is there and was read again and compared,
 * it is no store for any program: of a file it is TO.copy. Half of a copy that was killed is
 * completed by the next: rows that are right stay. Cost: memory for about 8 MB of rows.
 *
 * progress is told how many rows were read. ERR_USAGE: there is a store already, or both are
 * files; ERR_CONFIG: another version; ERR_PERM: the role does not see all users; ERR_BUSY: another
 * process copies to this name; ERR_IO: what was read back differs.
 */
typedef void copy_progress_fn(void *arg, int64_t n_rows);
int store_copy(const char *from, const char *to, copy_progress_fn *progress, void *arg,
	struct store_copied *out, struct err *err);

/*
 * The copy, a store in a file or one that gzip or zstd has packed, is checked, and becomes the
 * store of that name in one commit: who has the store open sees it with the next transaction, and
 * who is killed meanwhile leaves all of the one or of the other. What the store was is kept in a
 * file beside it, *kept ("" if there was none; free it). A copy of an earlier version is brought up
 * to date on the way; its own file stays as it is.
 *
 * fn is told what is not in order with the copy. ERR_NOINPUT: no copy; ERR_CONFIG: it is no store,
 * or a newer one; ERR_IO: it is damaged; ERR_USAGE: it is the store itself, or a database on a
 * server. Cost: room for three times the store, and the time of a full check.
 */
int store_restore(const char *path, const char *copy, enum check_level level, check_fn *fn,
	void *arg, char **kept, struct err *err);
