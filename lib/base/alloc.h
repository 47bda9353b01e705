/*
 * alloc.h: allocation that cannot fail: without memory the program prints one line on stderr and
 * exits with 70, or goes back to where alloc_try was begun.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/base.h"

void *xmalloc(size_t n);
/*
 * fn is called first where there is no memory, and may end the program in its own way; it may do
 * only what a signal handler may.
 */
void alloc_at_end(void (*fn)(void));
/* What happens where there is no memory. */
_Noreturn void out_of_memory(void);

/*
 * Runs fn. false: it was left in its midst, in this thread, as there is no memory. What it held is
 * lost, and locks that it had stay locked: who locks tries what is done under the lock, unlocks and
 * calls out_of_memory. So does who waits for a thread that tried.
 */
bool alloc_try(void (*fn)(void *arg), void *arg);

/*
 * pthread_once for what allocates: where there is no memory it is filled anew by the next call, so
 * fill begins as if it had not been called.
 */
struct alloc_once {
	void (*fill)(void);
	pthread_mutex_t lock;
	atomic_bool done;
};
#define ALLOC_ONCE(fill) { fill, PTHREAD_MUTEX_INITIALIZER, false }
void alloc_once(struct alloc_once *o);

void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);
void *xreallocarray(void *p, size_t n, size_t size);   /* n * size is checked for overflow */
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
void *xmemdup(const void *p, size_t n);
char *xformat(const char *fmt, ...) PRINTF_LIKE(1, 2);

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
/* The place of one more in array [n], of which cap have room: *xpush(v->at, v->n, v->cap) = x. */
#define xpush(array, n, cap) \
	(xgrow(&(array), &(cap), (n) + 1, sizeof(*(array))), &(array)[(n)++])
