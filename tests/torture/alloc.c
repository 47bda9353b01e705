/*
 * alloc.c: preloaded into a program, makes allocations fail. Needs glibc.
 *
 * ALLOC_AT     number of the call, from 1; 0: none fails
 * ALLOC_MODE   once: it alone; all: it and all later ones
 * ALLOC_WAY    number of the way (ways.h): the first call by it fails, alone
 * ALLOC_COUNT  a file that gets the number of calls at the end
 * ALLOC_WAYS   a file that gets the ways to all calls at the end
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

#include "ways.h"

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
	void (*init)(void), void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

static atomic_long count;
static atomic_flag looks = ATOMIC_FLAG_INIT;
static long at;                            /* 0: none fails */
static unsigned long long way;             /* 0: none fails */
static int all, counting, notes;

/* One thread at a time: a call of another meanwhile is on no way. */
static int
is_the_way(void)
{
	int is;

	if ((!notes && way == 0) || atomic_flag_test_and_set(&looks))
		return 0;
	is = way_here("", "") == way;
	if (is)
		way = 0;
	atomic_flag_clear(&looks);
	return is;
}

static int
fails(void)
{
	long n;

	if (!counting)
		return 0;
	n = atomic_fetch_add(&count, 1) + 1;
	if ((at == 0 || n < at || (n > at && !all)) && !is_the_way())
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
	const char *name = getenv("ALLOC_COUNT"), *to = getenv("ALLOC_WAYS");
	long n = atomic_load(&count);
	FILE *f;

	if (!counting)
		return;
	counting = 0;
	if (name != NULL && (f = fopen(name, "w")) != NULL) {
		fprintf(f, "%ld\n", n);
		fclose(f);
	}
	if (to != NULL && (f = fopen(to, "w")) != NULL) {
		way_tell(f);
		fclose(f);
	}
}

/* Libraries that are being loaded take what they need; then it begins. */
static int (*real_main)(int argc, char **argv, char **env);

static int
counted_main(int argc, char **argv, char **env)
{
	const char *s = getenv("ALLOC_AT"), *mode = getenv("ALLOC_MODE"), *w = getenv("ALLOC_WAY");
	int status;

	at = s == NULL ? 0 : strtol(s, NULL, 10);
	all = mode != NULL && strcmp(mode, "all") == 0;
	way = w == NULL ? 0 : strtoull(w, NULL, 16);
	notes = getenv("ALLOC_WAYS") != NULL;
	way_start();
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
