/*
 * alloc.h: allocation that cannot fail: without memory the program prints one line on stderr and
 * exits with 70.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include "base/base.h"

void *xmalloc(size_t n);
/*
 * fn is called first where there is no memory, and may end the program in its own way; it may do
 * only what a signal handler may.
 */
void alloc_at_end(void (*fn)(void));
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);
void *xreallocarray(void *p, size_t n, size_t size);   /* n * size is checked for overflow */
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
void *xmemdup(const void *p, size_t n);

/*
 * A large zeroed block that will be used whole. All its pages come at once, huge ones if the system
 * has them, because a page fault for each 4 KB would cost more than the work on it. It is freed
 * with xbig_free and the same n_bytes.
 */
void *xbig(size_t n_bytes);
void xbig_free(void *p, size_t n_bytes);

/*
 * Makes room for n_bytes in malloc's heap, at most 16 MB, in huge pages if the system has them, and
 * keeps it there. For a process in which a library allocates that much in thousands of pieces: it
 * would come, and go again, with many system calls and a page fault for each 4 KB. What is not used
 * takes no memory.
 */
void xheap_room(size_t n_bytes);

/*
 * Grows *array (elements of size bytes, *cap of them) so that it holds at least want elements. It
 * doubles, so appending takes linear time.
 */
void xgrow(void *array /* T ** */, size_t *cap, size_t want, size_t size);

#endif
