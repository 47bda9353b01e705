/*
 * check.c: tells what a check found.
 */
#include "store/sql/check.h"

#include <stdarg.h>

int
check_tell(struct check *c, int level, const char *what, const char *fmt, ...)
{
	char text[512];
	struct check_finding f = { level, what, text };
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return c->fn(c->arg, &f) == 0 ? 0 : -1;
}
