/*
 * arena.h: memory that lives as long as one record: it is allocated piece by piece and freed at
 * once.
 */
#pragma once

#include "base/base.h"

struct arena_block;

struct arena {
	struct arena_block *block; /* the block being filled; it links the older ones */
	size_t used;
};

#define ARENA_INIT { NULL, 0 }

void *arena_alloc(struct arena *a, size_t n);                   /* aligned to 16, not zeroed */
void *arena_zalloc(struct arena *a, size_t n);
char *arena_strndup(struct arena *a, const char *s, size_t n);  /* with a NUL after it */
char *arena_strdup(struct arena *a, const char *s);
/* the words [n] as one text, a blank between */
char *arena_join(struct arena *a, char *const *words, int n);
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* keeps one block for the next record */
void arena_reset(struct arena *a);
void arena_release(struct arena *a);
