/*
 * alloc.c: the only place below lib/cli that may end the process, because a program without memory
 * cannot do anything else. A library can: alloc_try goes back to where it was begun.
 */
#define _DEFAULT_SOURCE                    /* MAP_ANONYMOUS, madvise */

#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/err.h"

static void (*last_words)(void);
/* of the alloc_try that was begun last in this thread; NULL: there is none */
static _Thread_local jmp_buf *back;

void
alloc_at_end(void (*fn)(void))
{
	last_words = fn;
}

_Noreturn void
out_of_memory(void)
{
	static const char msg[] = "mem: out of memory\n";

	if (back != NULL)
		longjmp(*back, 1);
	if (last_words != NULL)
		last_words();
	/* write is used because stdio may need memory */
	if (write(STDERR_FILENO, msg, sizeof(msg) - 1) < 0)
		_exit(ERR_BUG);
	_exit(ERR_BUG);
}

bool
alloc_try(void (*fn)(void *arg), void *arg)
{
	jmp_buf here, *volatile outer = back;
	volatile bool done = false;

	if (setjmp(here) == 0) {
		back = &here;
		fn(arg);
		done = true;
	}
	back = outer;
	return done;
}

static void
fill_once(void *once)
{
	((struct alloc_once *)once)->fill();
}

void
alloc_once(struct alloc_once *o)
{
	bool done = true;

	if (atomic_load_explicit(&o->done, memory_order_acquire))
		return;
	pthread_mutex_lock(&o->lock);
	if (!atomic_load_explicit(&o->done, memory_order_relaxed))
		done = alloc_try(fill_once, o);
	atomic_store_explicit(&o->done, done, memory_order_release);
	pthread_mutex_unlock(&o->lock);
	if (!done)
		out_of_memory();
}

void *
xmalloc(size_t n)
{
	void *p = malloc(n ? n : 1);

	if (p == NULL)
		out_of_memory();
	return p;
}

void *
xcalloc(size_t n, size_t size)
{
	void *p = n && size ? calloc(n, size) : calloc(1, 1);

	if (p == NULL)
		out_of_memory();
	return p;
}

void *
xrealloc(void *p, size_t n)
{
	void *q = realloc(p, n ? n : 1);

	if (q == NULL)
		out_of_memory();
	return q;
}

void *
xreallocarray(void *p, size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / size)
		out_of_memory();
	return xrealloc(p, n * size);
}

char *
xstrdup(const char *s)
{
	return xmemdup(s, strlen(s) + 1);
}

char *
xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = xmalloc(len + 1);

	memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

void *
xmemdup(const void *p, size_t n)
{
	void *q = xmalloc(n);

	if (n > 0)
		memcpy(q, p, n);
	return q;
}

char *
xformat(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	char *text = xmalloc((size_t)MAX(n, 0) + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)MAX(n, 0) + 1, fmt, ap);
	va_end(ap);
	return text;
}

void
xgrow(void *array, size_t *cap, size_t want, size_t size)
{
	void *p;
	size_t n = *cap < 8 ? 8 : *cap;

	if (want <= *cap)
		return;
	while (n < want) {
		if (n > SIZE_MAX / 2)
			out_of_memory();
		n *= 2;
	}
	/* array is a T **; copying the bytes of the pointer obeys the aliasing rules */
	memcpy(&p, array, sizeof(p));
	p = xreallocarray(p, n, size);
	memcpy(array, &p, sizeof(p));
	*cap = n;
}

#define HUGE_BYTES  ((size_t)2 << 20)
#define LARGE_BYTES ((size_t)64 << 10)     /* smaller blocks malloc has ready */
#define ROOM_MOST   (16 << 20)

static size_t
whole_pages(size_t n)
{
	return (n + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
}

/* Maps a block that is not huge with all its pages, if the system can do that in one call. */
static void *
with_pages(size_t n)
{
#ifdef MAP_POPULATE
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
	    -1, 0);
#else
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif

	if (p == MAP_FAILED)
		out_of_memory();
	return p;
}

void *
xbig(size_t n)
{
	char *p;

	if (n < LARGE_BYTES)
		return xcalloc(n ? n : 1, 1);
	if (n < HUGE_BYTES)
		return with_pages(n);
	if (n > SIZE_MAX / 2)
		out_of_memory();
	size_t bytes = whole_pages(n);
	p = mmap(NULL, bytes + HUGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	    0);
	if (p == MAP_FAILED)
		out_of_memory();
	/* Unmaps what lies before the first border of a huge page, and behind the block. */
	size_t before = (HUGE_BYTES - (uintptr_t)p % HUGE_BYTES) % HUGE_BYTES;
	if (before > 0)
		munmap(p, before);
	if (before < HUGE_BYTES)
		munmap(p + before + bytes, HUGE_BYTES - before);
#ifdef MADV_HUGEPAGE
	madvise(p + before, bytes, MADV_HUGEPAGE);
#endif
	return p + before;
}

void
xbig_free(void *p, size_t n)
{
	if (n < LARGE_BYTES)
		free(p);
	else if (p != NULL)
		munmap(p, n < HUGE_BYTES ? n : whole_pages(n));
}

void
xheap_room(size_t n)
{
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
	/* else so large a block is none of the heap, and its end is given back */
	mallopt(M_MMAP_THRESHOLD, ROOM_MOST + 1);
	mallopt(M_TRIM_THRESHOLD, 2 * ROOM_MOST);
	char *p = xmalloc(n);
	size_t before = (HUGE_BYTES - (uintptr_t)p % HUGE_BYTES) % HUGE_BYTES;
	if (before < n)
		madvise(p + before, n - before, MADV_HUGEPAGE);
	free(p);
#else
	(void)n;
#endif
}
