/*
 * write.h: writes all of it, and lives on where nobody reads it.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/*
 * Writes n bytes, however often a signal interrupts it; waits where the other end is full and fd
 * does not block. 0, or -1 with errno.
 */
int write_whole(int fd, const void *p, size_t n);

/*
 * write(2) to a pipe whose reader may be gone: that is EPIPE then, and no SIGPIPE, as the process
 * may be a program of others that has our library in it.
 */
ssize_t write_quietly(int fd, const void *p, size_t n);

/*
 * A new file without a name in TMPDIR, or else in /tmp, open for reading and writing, for what is
 * too much to be held in memory; -1 with errno. Its bytes are gone when it is closed, or when the
 * process ends.
 */
int temp_file(void);
