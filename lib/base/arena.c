/*
 * arena.c: a chain of blocks, each at least twice as large as the one before, filled from the
 * front. A reset keeps the newest block, which is the largest: after a few records one block holds
 * a whole record, and malloc is not called again. A block that one giant record made necessary is
 * freed.
 */
#include <stdarg.h>

#include "base/alloc.h"
#include "base/arena.h"

#define ALIGN       16u
#define FIRST_BYTES (16u << 10)
#define GROWN_BYTES (1u << 20)     /* blocks do not double beyond this size */
#define KEPT_BYTES  (8u << 20)     /* a reset frees a block larger than this */

struct arena_block {
	struct arena_block *older;
	size_t size;
	_Alignas(16) unsigned char data[];
};

static void
add_block(struct arena *a, size_t n)
{
	size_t size = a->block == NULL ? FIRST_BYTES : a->block->size * 2;

	size = MIN(size, GROWN_BYTES);
	size = MAX(size, n);
	struct arena_block *b = xmalloc(sizeof(*b) + size);
	b->older = a->block;
	b->size = size;
	a->block = b;
	a->used = 0;
}

void *
arena_alloc(struct arena *a, size_t n)
{
	if (n > SIZE_MAX / 2)
		n = SIZE_MAX / 2;          /* malloc refuses this size, which ends the program */
	n = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (a->block == NULL || n > a->block->size - a->used)
		add_block(a, n);
	void *p = a->block->data + a->used;
	a->used += n;
	return p;
}

void *
arena_zalloc(struct arena *a, size_t n)
{
	void *p = arena_alloc(a, n);

	memset(p, 0, n);
	return p;
}

char *
arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	if (n > 0)
		memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *
arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *
arena_join(struct arena *a, char *const *words, int n)
{
	size_t len = 1, at = 0;
	char *text;

	for (int i = 0; i < n; i++)
		len += strlen(words[i]) + 1;
	text = arena_zalloc(a, len);
	for (int i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, len - at, "%s%s", i > 0 ? " " : "", words[i]);
	return text;
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		n = 0;
	char *p = arena_alloc(a, (size_t)n + 1);
	p[0] = '\0';
	vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

static void
free_chain(struct arena_block *b)
{
	while (b != NULL) {
		struct arena_block *older = b->older;

		free(b);
		b = older;
	}
}

void
arena_reset(struct arena *a)
{
	struct arena_block *b = a->block;

	a->used = 0;
	if (b == NULL)
		return;
	if (b->size > KEPT_BYTES) {
		arena_release(a);
		return;
	}
	free_chain(b->older);
	b->older = NULL;
}

void
arena_release(struct arena *a)
{
	free_chain(a->block);
	a->block = NULL;
	a->used = 0;
}
