/*
 * alloc.c: the one place below lib/cli that may end the process: a program without memory has nothing better to do.
 */
#include <unistd.h>

#include "base/alloc.h"
#include "base/err.h"

static _Noreturn void
out_of_memory(void)
{
	static const char msg[] = "mem: out of memory\n";

	/* write, not stdio: stdio may want memory */
	if (write(STDERR_FILENO, msg, sizeof(msg) - 1) < 0)
		_exit(ERR_BUG);
	_exit(ERR_BUG);
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
	/* array is a T **; copying the bytes of the pointer keeps clear of aliasing rules */
	memcpy(&p, array, sizeof(p));
	p = xreallocarray(p, n, size);
	memcpy(array, &p, sizeof(p));
	*cap = n;
}
