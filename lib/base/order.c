/*
 * order.c: a difference would not do, as it may not fit.
 */
#include "base/order.h"

#include <stdint.h>
#include <string.h>

#define ORDER(name, type) \
	int \
	name(const void *x, const void *y) \
	{ \
		type a = *(const type *)x, b = *(const type *)y; \
		return (a > b) - (a < b); \
	}

ORDER(by_uint32, uint32_t)
ORDER(by_uint64, uint64_t)
ORDER(by_int64, int64_t)
ORDER(by_double, double)

int
by_text(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

size_t
order_place(const void *key, const void *base, size_t n, size_t size,
	int (*order)(const void *, const void *))
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (order((const char *)base + mid * size, key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int
text_index(const char *s, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], s) == 0)
			return (int)i;
	return -1;
}

bool
text_in(const char *s, const char *const *list)
{
	while (*list != NULL && strcmp(s, *list) != 0)
		list++;
	return *list != NULL;
}
