/*
 * system.h: what Linux, macOS and FreeBSD call by other names. Only this and base/cpu.c ask which
 * system it is.
 */
#pragma once

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* fsync(2), to the disk itself: macOS leaves what was written in the cache of the disk. */
static inline int
system_sync(int fd)
{
#ifdef F_FULLFSYNC
	if (fcntl(fd, F_FULLFSYNC) == 0)
		return 0;
#endif
	return (fsync)(fd);
}

/* When a file was written, in microseconds since 1970. */
static inline int64_t
system_written_us(const struct stat *st)
{
#ifdef __APPLE__
	const struct timespec *at = &st->st_mtimespec;
#else
	const struct timespec *at = &st->st_mtim;
#endif
	return (int64_t)at->tv_sec * 1000000 + at->tv_nsec / 1000;
}

/* No other process of the user may read the memory of this one. */
static inline void
system_keep_private(void)
{
#ifdef __linux__
	prctl(PR_SET_DUMPABLE, 0);
#endif
}

/* Writes the directory of the running program, without a slash. false: the system does not tell. */
bool system_program_dir(char *dir, size_t size);

/* What the linker of the system calls a library of that version. */
#ifdef __APPLE__
#define SYSTEM_LIBRARY(name, version) name "." version ".dylib"
#else
#define SYSTEM_LIBRARY(name, version) name ".so." version
#endif
