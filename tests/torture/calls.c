/*
 * calls.c: preloaded into a program, makes one call of the system fail with EIO, as a disk or a
 * directory that is broken makes it fail.
 *
 * CALL_FAILS  the number of the way by which the program comes to it (ways.h): the first by it
 *             fails, it alone
 * CALL_WAYS   a file to which the ways to all calls are added at the end
 *
 * What counts: the calls below on files, directories and pipes, of the program and of the libraries
 * that it calls, but for those of libc itself.
 */
#undef _POSIX_C_SOURCE
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ways.h"

static unsigned long long way;             /* 0: none fails */
static int counting, notes;
static _Thread_local int inside;
static atomic_flag looks = ATOMIC_FLAG_INIT;

__attribute__((constructor)) static void
start(void)
{
	const char *w = getenv("CALL_FAILS");

	way = w == NULL ? 0 : strtoull(w, NULL, 16);
	notes = getenv("CALL_WAYS") != NULL;
	way_start();
	counting = way != 0 || notes;
}

static int
fails(const char *call)
{
	int does;

	if (!counting || inside || atomic_flag_test_and_set(&looks))
		return 0;
	inside = 1;
	does = way_here(call, "") == way;
	if (does)
		way = 0;
	inside = 0;
	atomic_flag_clear(&looks);
	if (does)
		errno = EIO;
	return does;
}

static void
tell(void)
{
	const char *name = getenv("CALL_WAYS");
	FILE *f;

	if (!counting || !notes)
		return;
	counting = 0;
	if (name == NULL || (f = fopen(name, "a")) == NULL)
		return;
	way_tell(f);
	fclose(f);
}

__attribute__((destructor)) static void
end(void)
{
	tell();
}

/* A hook leaves so. */
void
_exit(int status)
{
	void (*real)(int) = (void (*)(int))dlsym(RTLD_NEXT, "_exit");

	tell();
	real(status);
	for (;;)
		;
}

#define CALL(result, failed, name, params, args) \
	result name params \
	{ \
		__typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
		return fails(#name) ? failed : real args; \
	}
CALL(ssize_t, -1, read, (int fd, void *p, size_t n), (fd, p, n))
CALL(ssize_t, -1, write, (int fd, const void *p, size_t n), (fd, p, n))
CALL(ssize_t, -1, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
CALL(ssize_t, -1, pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at))
CALL(off_t, -1, lseek, (int fd, off_t at, int from), (fd, at, from))
CALL(int, -1, fsync, (int fd), (fd))
CALL(int, -1, fdatasync, (int fd), (fd))
CALL(int, -1, ftruncate, (int fd, off_t n), (fd, n))
CALL(int, -1, fstat, (int fd, struct stat *st), (fd, st))
CALL(int, -1, stat, (const char *path, struct stat *st), (path, st))
CALL(int, -1, lstat, (const char *path, struct stat *st), (path, st))
CALL(int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
CALL(int, -1, flock, (int fd, int how), (fd, how))
CALL(int, -1, mkdir, (const char *path, mode_t mode), (path, mode))
CALL(int, -1, rename, (const char *path, const char *to), (path, to))
CALL(int, -1, link, (const char *path, const char *to), (path, to))
CALL(int, -1, unlink, (const char *path), (path))
CALL(int, -1, pipe, (int fds[2]), (fds))
CALL(int, -1, dup, (int fd), (fd))
CALL(DIR *, NULL, opendir, (const char *path), (path))
CALL(struct dirent *, NULL, readdir, (DIR *d), (d))
CALL(FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))
CALL(FILE *, NULL, fdopen, (int fd, const char *mode), (fd, mode))
CALL(char *, NULL, realpath, (const char *path, char *to), (path, to))
CALL(char *, NULL, getcwd, (char *to, size_t n), (to, n))
CALL(void *, MAP_FAILED, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t at),
	(p, n, prot, flags, fd, at))

#define OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		__typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
		va_list ap; \
		mode_t mode; \
		va_start(ap, flags); \
		mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0; \
		va_end(ap); \
		return fails("open") ? -1 : real(path, flags, mode); \
	}
OPEN(open)
#ifndef open64
OPEN(open64)
CALL(ssize_t, -1, pread64, (int fd, void *p, size_t n, off64_t at), (fd, p, n, at))
CALL(ssize_t, -1, pwrite64, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at))
#endif
