/*
 * gz.h: reads bytes from a file or stdin, and unpacks them where the first bytes say that they are
 * gzip, or that a file is zstd. A member of a zip archive (zip.h) is read as a file; zlib is used
 * in these two only. Input has caps: CAP_FILE_BYTES for a file or packed stream (a plain pipe may
 * run for ever), and a ratio that no honest text reaches. It must be a regular file, a pipe or a
 * terminal.
 */
#pragma once

#include <signal.h>

#include "base/buf.h"
#include "base/err.h"

struct gz;

/*
 * If not NULL: when a signal handler sets it, every read that waits ends as if the input ended
 * there. It is for programs that must finish what they hold before they stop.
 */
extern const volatile sig_atomic_t *gz_stop;

/*
 * Opens path; "-" is stdin. Errors: ERR_NOINPUT (missing), ERR_PERM, ERR_DATA (a directory),
 * ERR_IO.
 */
int gz_open(const char *path, struct gz **out, struct err *err);

/*
 * Reads up to n bytes; 0 at the end; -1 with ERR_DATA (damaged or over a cap) or ERR_IO. Zeros
 * behind packed data are skipped.
 */
ptrdiff_t gz_read(struct gz *g, void *p, size_t n, struct err *err);
/* skips n bytes: seeks in a plain file, reads them elsewhere */
int gz_skip(struct gz *g, uint64_t n, struct err *err);
/* whether the input is packed: known at once for a file, for a pipe after the first read */
bool gz_is_packed(const struct gz *g);
/* after an error: whether the packed data came whole and the fault is in what follows */
bool gz_is_whole(const struct gz *g);
/* whether gz_read can return bytes without reading from the descriptor */
bool gz_pending(const struct gz *g);
int gz_fd(const struct gz *g);                                 /* for poll and fstat */
void gz_close(struct gz *g);

/*
 * Appends the bytes of a file, as far as out may grow: it is full when there are more. What could
 * be read is in it also with -1.
 */
int gz_add_file(const char *path, struct buf *out, struct err *err);
/* The same of one that need not be there. 1; 0: it is not; -1. */
int gz_add_if_there(const char *path, struct buf *out, struct err *err);
