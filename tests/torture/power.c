/*
 * power.c: preloaded into a program, writes down what it does to files, so that power.pl can tell
 * what a disk may have when the power fails in between.
 *
 * POWER_PATH   files whose names hold this text are written down, by the part from there on
 * POWER_LOG    where to; several programs, one after the other, append to it
 *
 * Records, a line each, with bytes behind those that have a length:
 *
 *	p PROGRAM              it begins
 *	w NAME OFFSET LENGTH   bytes were written
 *	t NAME LENGTH          the file has this length now
 *	s NAME                 what was written until now is on the disk
 *	c NAME                 the file was made
 *	u NAME                 it was removed
 *	r NAME NAME            it was renamed
 *	a LENGTH               bytes were printed: somebody relies on what they say
 *
 * One that says that something is on the disk, or made, is written when it is done, the others
 * before: of two that are done at a time the log has the worse order.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FDS 1024

static char *names[FDS];                   /* of the files that are open */
static int to = -1;
static const char *part;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static void
put(const void *data, size_t n)
{
	REAL(write);
	const char *p = data;

	while (n > 0) {
		ssize_t did = real(to, p, n);
		if (did <= 0)
			abort();
		p += did;
		n -= (size_t)did;
	}
}

__attribute__((format(printf, 3, 4))) static void
note(const void *data, size_t n, const char *fmt, ...)
{
	char line[4200];
	va_list ap;
	int len;

	if (to < 0)
		return;
	va_start(ap, fmt);
	len = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	pthread_mutex_lock(&mutex);
	put(line, (size_t)len);
	if (n > 0)
		put(data, n);
	pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void
start(void)
{
	const char *log = getenv("POWER_LOG");

	part = getenv("POWER_PATH");
	if (log == NULL || part == NULL)
		return;
	to = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	note(NULL, 0, "p %s\n", program_invocation_short_name);
}

static const char *
named(const char *path)
{
	return part != NULL && to >= 0 ? strstr(path, part) : NULL;
}

static const char *
name_of(int fd)
{
	return fd >= 0 && fd < FDS && fd != to ? names[fd] : NULL;
}

static int
open_with(int (*real)(const char *, int, ...), const char *path, int flags, int perm)
{
	const char *name = named(path);
	int made = name != NULL && flags & O_CREAT && access(path, F_OK) != 0,
	    fd = real(path, flags, perm);

	if (fd < 0 || fd >= FDS)
		return fd;
	free(names[fd]);
	names[fd] = name == NULL ? NULL : strdup(name);
	if (made)
		note(NULL, 0, "c %s\n", name);
	if (name != NULL && flags & O_TRUNC)
		note(NULL, 0, "t %s 0\n", name);
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

ssize_t
write(int fd, const void *p, size_t n)
{
	REAL(write);

	if (fd == STDOUT_FILENO && to >= 0)
		note(p, n, "a %zu\n", n);
	else if (name_of(fd) != NULL)
		note(p, n, "w %s %lld %zu\n", name_of(fd), (long long)lseek(fd, 0, SEEK_CUR), n);
	return real(fd, p, n);
}

#define PWRITE(name, off) \
	ssize_t name(int fd, const void *p, size_t n, off at) \
	{ \
		REAL(name); \
		if (name_of(fd) != NULL) \
			note(p, n, "w %s %lld %zu\n", name_of(fd), (long long)at, n); \
		return real(fd, p, n, at); \
	}
PWRITE(pwrite, off_t)

#define TRUNCATE(name, off) \
	int name(int fd, off n) \
	{ \
		REAL(name); \
		if (name_of(fd) != NULL) \
			note(NULL, 0, "t %s %lld\n", name_of(fd), (long long)n); \
		return real(fd, n); \
	}
TRUNCATE(ftruncate, off_t)

/* musl has one set of names, these are macros there */
#ifndef open64
OPEN(open64)
PWRITE(pwrite64, off64_t)
TRUNCATE(ftruncate64, off64_t)
#endif

#define SYNC(name) \
	int name(int fd) \
	{ \
		REAL(name); \
		int rc = real(fd); \
		if (rc == 0 && name_of(fd) != NULL) \
			note(NULL, 0, "s %s\n", name_of(fd)); \
		return rc; \
	}
SYNC(fsync)
SYNC(fdatasync)

int
posix_fallocate(int fd, off_t from, off_t n)
{
	REAL(posix_fallocate);
	struct stat st;

	if (name_of(fd) != NULL && fstat(fd, &st) == 0 && st.st_size < from + n)
		note(NULL, 0, "t %s %lld\n", name_of(fd), (long long)(from + n));
	return real(fd, from, n);
}

int
unlink(const char *path)
{
	REAL(unlink);

	if (named(path) != NULL && access(path, F_OK) == 0)
		note(NULL, 0, "u %s\n", named(path));
	return real(path);
}

int
rename(const char *path, const char *path_to)
{
	REAL(rename);

	if (named(path) != NULL && named(path_to) != NULL)
		note(NULL, 0, "r %s %s\n", named(path), named(path_to));
	return real(path, path_to);
}
