/*
 * err.c: an error is a value in the caller's frame. Nothing is allocated and nothing is global, so
 * reporting one cannot fail.
 */
#include <errno.h>
#include <stdarg.h>

#include "base/err.h"
#include "base/utf8.h"

/* Writes the message and returns its length. */
PRINTF_LIKE(2, 0) static size_t
format(struct err *e, const char *fmt, va_list ap)
{
	int n = vsnprintf(e->msg, sizeof(e->msg), fmt, ap);

	if (n < 0) {
		e->msg[0] = '\0';
		return 0;
	}
	if ((size_t)n < sizeof(e->msg))
		return (size_t)n;
	/* the cut may have hit the middle of a character */
	size_t len = utf8_clip(e->msg, sizeof(e->msg) - 1, sizeof(e->msg) - 1);
	e->msg[len] = '\0';
	return len;
}

int
err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;

	if (e == NULL)
		return -1;
	e->code = code;
	va_start(ap, fmt);
	format(e, fmt, ap);
	va_end(ap);
	return -1;
}

int
err_set_errno(struct err *e, int code, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;

	if (e == NULL)
		return -1;
	e->code = code;
	va_start(ap, fmt);
	size_t len = format(e, fmt, ap);
	va_end(ap);
	snprintf(e->msg + len, sizeof(e->msg) - len, ": %s", strerror(saved));
	errno = saved;
	return -1;
}

void
err_clear(struct err *e)
{
	if (e == NULL)
		return;
	e->code = ERR_NONE;
	e->msg[0] = '\0';
}
