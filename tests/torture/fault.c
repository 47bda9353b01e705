/*
 * fault.c: preloaded into a program, makes the n-th call that changes a file fail.
 *
 * FAULT_PATH   files whose names hold this text count, others do not
 * FAULT_AT     number of the call, from 1; 0: none fails
 * FAULT_MODE   eio     it and all later ones fail with EIO
 *              once    it alone fails with EIO
 *              full    it and all later ones that need room fail with ENOSPC
 *              short   half of it is written, then as full
 *              kill    half of it is written, then the program is killed
 *              nolink  none of these, but link fails with EPERM, as on FAT
 *              slow    none fails, but fsync and fdatasync take a second, as on a busy disk
 * FAULT_COUNT  a file that gets the number of calls at the end
 *
 * What counts: write, pwrite, fsync, fdatasync, ftruncate, fallocate, unlink, rename, mkdir, open
 * with O_CREAT.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FDS 1024

enum kind { NEEDS_ROOM, OTHER };

static unsigned char watched[FDS];
static long count, at;
static const char *mode, *part;
static int ready;

static void
start(void)
{
	const char *s = getenv("FAULT_AT");

	ready = 1;
	at = s == NULL ? 0 : strtol(s, NULL, 10);
	mode = getenv("FAULT_MODE");
	part = getenv("FAULT_PATH");
	if (mode == NULL)
		mode = "eio";
}

static int
is_watched(int fd)
{
	return fd > 2 && fd < FDS && watched[fd];
}

/* Whether this call fails: 0 no, 1 yes with errno set, 2 after half of it. */
static int
fails(enum kind kind)
{
	int full = strcmp(mode, "full") == 0 || strcmp(mode, "short") == 0,
	    half = strcmp(mode, "short") == 0 || strcmp(mode, "kill") == 0;

	count++;
	if (strcmp(mode, "slow") == 0)
		return 0;
	if (at == 0 || count < at || (count > at && strcmp(mode, "once") == 0))
		return 0;
	if (count == at && half)
		return 2;
	errno = full ? ENOSPC : EIO;
	return !full || kind == NEEDS_ROOM;
}

static int
fails_whole(enum kind kind)
{
	int f = fails(kind);

	if (f == 2 && strcmp(mode, "kill") == 0)
		raise(SIGKILL);
	if (f == 2)
		errno = ENOSPC;
	return f == 1 || (f == 2 && kind == NEEDS_ROOM);
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int
open_with(int (*real)(const char *, int, ...), const char *path, int flags, int perm)
{
	int fd, is;

	if (!ready)
		start();
	is = part != NULL && strstr(path, part) != NULL;
	if (is && flags & O_CREAT && access(path, F_OK) != 0 && fails_whole(NEEDS_ROOM))
		return -1;
	fd = real(path, flags, perm);
	if (fd >= 0 && fd < FDS)
		watched[fd] = (unsigned char)is;
	return fd;
}

#define OPEN(name) \
	int name(const char *path, int flags, ...); \
	int name(const char *path, int flags, ...) \
	{ \
		va_list ap; \
		int perm; \
		REAL(name); \
		va_start(ap, flags); \
		perm = va_arg(ap, int); \
		va_end(ap); \
		return open_with(real, path, flags, perm); \
	}
OPEN(open)

#define WRITE(name, params, args) \
	ssize_t name params; \
	ssize_t name params \
	{ \
		int f; \
		REAL(name); \
		if (!is_watched(fd) || (f = fails(NEEDS_ROOM)) == 0) \
			return real args; \
		if (f == 1) \
			return -1; \
		n /= 2; \
		if (strcmp(mode, "kill") != 0) \
			return real args; \
		if (real args >= 0) \
			raise(SIGKILL); \
		return -1; \
	}
WRITE(write, (int fd, const void *p, size_t n), (fd, p, n))
WRITE(pwrite, (int fd, const void *p, size_t n, off_t to), (fd, p, n, to))

#define ON_FD(name, kind, params, args) \
	int name params; \
	int name params \
	{ \
		REAL(name); \
		return is_watched(fd) && fails_whole(kind) ? -1 : real args; \
	}

#define SYNC(name) \
	int name(int fd) \
	{ \
		REAL(name); \
		if (!is_watched(fd)) \
			return real(fd); \
		if (fails_whole(NEEDS_ROOM)) \
			return -1; \
		if (strcmp(mode, "slow") == 0) \
			sleep(1); \
		return real(fd); \
	}
SYNC(fsync)
SYNC(fdatasync)

ON_FD(ftruncate, NEEDS_ROOM, (int fd, off_t n), (fd, n))

/* musl has one set of names, these are macros there */
#ifndef open64
OPEN(open64)
WRITE(pwrite64, (int fd, const void *p, size_t n, off64_t to), (fd, p, n, to))
ON_FD(ftruncate64, NEEDS_ROOM, (int fd, off64_t n), (fd, n))
#endif

int
posix_fallocate(int fd, off_t from, off_t n)
{
	REAL(posix_fallocate);
	return is_watched(fd) && fails_whole(NEEDS_ROOM) ? errno : real(fd, from, n);
}

#define ON_PATH(name, kind, params, args) \
	int name params; \
	int name params \
	{ \
		REAL(name); \
		if (!ready) \
			start(); \
		return part != NULL && strstr(path, part) != NULL && fails_whole(kind) \
		    ? -1 \
		    : real args; \
	}
ON_PATH(unlink, OTHER, (const char *path), (path))
ON_PATH(rename, NEEDS_ROOM, (const char *path, const char *to), (path, to))
ON_PATH(mkdir, NEEDS_ROOM, (const char *path, mode_t perm), (path, perm))

int
link(const char *path, const char *to)
{
	REAL(link);
	if (!ready)
		start();
	if (strcmp(mode, "nolink") != 0)
		return real(path, to);
	errno = EPERM;
	return -1;
}

__attribute__((destructor)) static void
tell(void)
{
	const char *name = getenv("FAULT_COUNT");
	FILE *f = name == NULL ? NULL : fopen(name, "w");

	if (f == NULL)
		return;
	fprintf(f, "%ld\n", count);
	fclose(f);
}
