/*
 * order.h: how qsort and bsearch compare numbers and texts, the smallest first; and which text of a
 * list one is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

int by_uint32(const void *x, const void *y);
int by_uint64(const void *x, const void *y);
int by_int64(const void *x, const void *y);
int by_double(const void *x, const void *y);
int by_text(const void *x, const void *y);     /* of pointers to texts */

/*
 * Defines how qsort compares structs of a type: by a member that is a number, where it is the same
 * by another or by a text; DOWN: the largest first, and the other or the text in order.
 */
#define ORDER_OF(name, type, ordered) \
	static int \
	name(const void *x, const void *y) \
	{ \
		const type *a = x, *b = y; \
		return ordered; \
	}
#define ORDER_UP(key)   ((a->key > b->key) - (a->key < b->key))
#define ORDER_BY(name, type, key) ORDER_OF(name, type, ORDER_UP(key))
#define ORDER_BY_TWO(name, type, key, then) \
	ORDER_OF(name, type, a->key != b->key ? ORDER_UP(key) : ORDER_UP(then))
#define ORDER_BY_TEXT(name, type, key, then) \
	ORDER_OF(name, type, a->key != b->key ? ORDER_UP(key) : strcmp(a->then, b->then))
#define ORDER_DOWN_BY(name, type, key, then) \
	ORDER_OF(name, type, a->key != b->key ? -ORDER_UP(key) : ORDER_UP(then))
#define ORDER_DOWN_TEXT(name, type, key, then) \
	ORDER_OF(name, type, a->key != b->key ? -ORDER_UP(key) : strcmp(a->then, b->then))

/* How many of the n elements at base, which are in order, come before the key. */
size_t order_place(const void *key, const void *base, size_t n, size_t size,
	int (*order)(const void *, const void *));

/* Its place in list [n]; -1: it is none of these. */
int text_index(const char *s, const char *const *list, size_t n);
/* Whether it is one of a list that ends with NULL. */
bool text_in(const char *s, const char *const *list);
