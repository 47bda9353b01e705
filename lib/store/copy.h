/*
 * copy.h: a store moved as it is, row by row, from a file to a database on a server or back: with
 * the index, vectors, figures of searches and of model calls, which an export (transfer.h) has not.
 */
#ifndef STORE_COPY_H
#define STORE_COPY_H

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

#endif
