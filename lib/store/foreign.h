/*
 * foreign.h: reads the database of another program, an agent that keeps its conversations in one,
 * and never writes to it, nor beside it. A statement gives one column of JSON text a row.
 */
#pragma once

#include "base/err.h"

struct foreign;

/* Whether these are the first bytes of such a file. */
bool foreign_is(const char *bytes, size_t len);

/*
 * Opens the file for reading, also while its program writes to it, and where nothing can be
 * written. ERR_DATA: it is damaged; ERR_BUSY.
 */
int foreign_open(const char *path, struct foreign **out, struct err *err);
void foreign_close(struct foreign *f);

/*
 * Whether all tables and columns of the statement are there, and stored. text [len], as in all of
 * this file.
 */
bool foreign_takes(struct foreign *f, const char *text, size_t len);
/*
 * Whether a statement may not have been taken because what it reads is computed by what the file
 * says, a view or a generated column, which is not run.
 */
bool foreign_refused(const struct foreign *f);

/*
 * Calls fn with the first column of each row; the pointer is borrowed until it returns, and NULL
 * values are left out. When fn does not return 0, that is the end, and the value is returned. -1:
 * ERR_DATA, what is read is damaged, has a value of more than four times the setting line_bytes, or
 * does not end; ERR_BUSY, also when its program began to write where nobody was: what fn got may be
 * wrong then, and is right when all is read again.
 */
typedef int foreign_fn(void *arg, const char *row, size_t len);
int foreign_each(struct foreign *f, const char *text, size_t len, foreign_fn *fn, void *arg,
	struct err *err);
