/*
 * base.h: what every file of mem may use: fixed-width integers, bool, a few macros, and the list of
 * banned calls.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define PLURAL(n) ((n) == 1 ? "" : "s")           /* behind a word that is counted */
#define NELEM(a)     (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b)    ((a) < (b) ? (a) : (b))
#define MAX(a, b)    ((a) > (b) ? (a) : (b))

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PRINTF_LIKE(fmt, args)
#endif

/* Of a variable in a block, as LOCAL(buf) b: its release is called wherever the block is left. */
#define LOCAL(type) __attribute__((cleanup(type##_release))) struct type
/* The same of a pointer, which free(3) takes: FREED char *name = xstrdup(text). */
#define FREED __attribute__((cleanup(free_of)))

static inline void
free_of(void *pointer)
{
	void *p;

	memcpy(&p, pointer, sizeof(p));
	free(p);
}

/* What is behind the last slash. */
static inline const char *
path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

#define MEM_VERSION "0.1.0"
