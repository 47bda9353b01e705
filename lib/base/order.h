/*
 * order.h: how qsort and bsearch compare numbers and texts, the smallest first; and which text of a
 * list one is.
 */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <stdbool.h>
#include <stddef.h>

int by_uint32(const void *x, const void *y);
int by_uint64(const void *x, const void *y);
int by_int64(const void *x, const void *y);
int by_text(const void *x, const void *y);     /* of pointers to texts */

/* Its place in list [n]; -1: it is none of these. */
int text_index(const char *s, const char *const *list, size_t n);
/* Whether it is one of a list that ends with NULL. */
bool text_in(const char *s, const char *const *list);

#endif
