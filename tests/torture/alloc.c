/*
 * alloc.c: preloaded into a program, makes the n-th allocation since main fail. Needs glibc.
 *
 * ALLOC_AT     number of the call, from 1; 0: none fails
 * ALLOC_MODE   once: it alone; all: it and all later ones
 * ALLOC_COUNT  a file that gets the number of calls at the end
 *
 * What counts: malloc, calloc, realloc, aligned_alloc and posix_memalign, of the program and of all
 * its libraries, until main ends: what gcov writes after that would fall over.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
	void (*init)(void), void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

static atomic_long count;
static long at;                            /* 0: none fails */
static int all, counting;

static int
fails(void)
{
	long n;

	if (!counting)
		return 0;
	n = atomic_fetch_add(&count, 1) + 1;
	if (at == 0 || n < at || (n > at && !all))
		return 0;
	errno = ENOMEM;
	return 1;
}

void *
malloc(size_t n)
{
	return fails() ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return fails() ? NULL : __libc_realloc(p, n);
}

void *
aligned_alloc(size_t align, size_t n)
{
	return fails() ? NULL : __libc_memalign(align, n);
}

int
posix_memalign(void **p, size_t align, size_t n)
{
	void *got = fails() ? NULL : __libc_memalign(align, n);

	if (got == NULL)
		return ENOMEM;
	*p = got;
	return 0;
}

static void
tell(void)
{
	const char *name = getenv("ALLOC_COUNT");
	long n = atomic_load(&count);
	FILE *f;

	if (!counting)
		return;
	counting = 0;
	if (name == NULL || (f = fopen(name, "w")) == NULL)
		return;
	fprintf(f, "%ld\n", n);
	fclose(f);
}

/* Libraries that are being loaded take what they need; then it begins. */
static int (*real_main)(int argc, char **argv, char **env);

static int
counted_main(int argc, char **argv, char **env)
{
	const char *s = getenv("ALLOC_AT"), *mode = getenv("ALLOC_MODE");
	int status;

	at = s == NULL ? 0 : strtol(s, NULL, 10);
	all = mode != NULL && strcmp(mode, "all") == 0;
	counting = 1;
	status = real_main(argc, argv, env);
	tell();
	return status;
}

int
__libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	__typeof__(&__libc_start_main) real =
	    (__typeof__(&__libc_start_main))dlsym(RTLD_NEXT, "__libc_start_main");

	real_main = main;
	return real(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

static _Noreturn void
leave(const char *by, int status)
{
	void (*real)(int) = (void (*)(int))dlsym(RTLD_NEXT, by);

	tell();
	real(status);
	for (;;)
		;
}

void
exit(int status)
{
	leave("exit", status);
}

/* A hook leaves so. */
void
_exit(int status)
{
	leave("_exit", status);
}

void alloc_end(void);

/* tests/tools/cov_exit.c calls it. */
void
alloc_end(void)
{
	tell();
}
