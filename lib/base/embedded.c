/*
 * embedded.c: looks a file up in the table. There are a few dozen names, asked for once or twice a
 * run, so a linear search is enough.
 */
#include "base/embedded.h"

const struct embedded *
embedded_find(const char *name)
{
	for (const struct embedded *e = embedded_files; e->name != NULL; e++)
		if (strcmp(e->name, name) == 0)
			return e;
	return NULL;
}
