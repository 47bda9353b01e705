/*
 * write.h: writes all of it.
 */
#ifndef BASE_WRITE_H
#define BASE_WRITE_H

#include <stddef.h>

/*
 * Writes n bytes, however often a signal interrupts it; waits where the other end is full and fd
 * does not block. 0, or -1 with errno.
 */
int write_whole(int fd, const void *p, size_t n);

#endif
