/*
 * gz.h: a byte stream from a file or stdin, gzip unpacked where its first two bytes say so; the
 * only door to zlib.
 *
 * Capped: CAP_FILE_BYTES out of one file or packed stream (a plain pipe may run for ever), and a
 * ratio that no honest text reaches. The input must be a regular file, a pipe or a terminal.
 */
#ifndef BASE_GZ_H
#define BASE_GZ_H

#include <signal.h>

#include "base/err.h"

struct gz;

/*
 * When not NULL: set by a signal handler, it ends any read that waits for more, as if the input
 * ended there. For a program that must finish what it holds when it is told to stop.
 */
extern const volatile sig_atomic_t *gz_stop;

/* path "-" is stdin. Errors: ERR_NOINPUT (missing), ERR_PERM, ERR_DATA (a directory), ERR_IO. */
int gz_open(const char *path, struct gz **out, struct err *err);

/*
 * Up to n bytes; 0 at the end; -1 with ERR_DATA (damaged or over a cap) or ERR_IO. Zeros after
 * packed data are passed over.
 */
ptrdiff_t gz_read(struct gz *g, void *p, size_t n, struct err *err);
/* seeks in a plain file, reads past in others */
int gz_skip(struct gz *g, uint64_t n, struct err *err);
/* known at once of a file, of a pipe after the first read */
bool gz_is_packed(const struct gz *g);
/* after an error: what was packed came whole, the fault is in what follows */
bool gz_is_whole(const struct gz *g);
/* gz_read has something without reading from the descriptor */
bool gz_pending(const struct gz *g);
int gz_fd(const struct gz *g);                                 /* for poll and fstat */
void gz_close(struct gz *g);

#endif
