/*
 * zst.h: unpacks a file that zstd packed, by the program zstd as a child process. Codex packs its
 * old sessions so; the library would be one more for every program to load.
 */
#pragma once

#include <sys/types.h>

#include "base/err.h"

/* Whether these are the first bytes of a zstd frame (RFC 8878, 3.1.1). */
bool zst_is(const unsigned char *p, size_t len);

/*
 * Starts the program on the regular file fd, from its first byte. *out_fd is a pipe with the
 * unpacked bytes, which the caller closes. ERR_CONFIG: the program is not installed; ERR_IO.
 */
int zst_begin(int fd, const char *name, pid_t *child, int *out_fd, struct err *err);

/* Waits for the child, once its pipe is at its end or closed. ERR_DATA: the file is damaged. */
int zst_end(pid_t child, const char *name, struct err *err);
