/*
 * embedded.c: looks a file up in the table. There are a hundred names, and a search takes less than
 * half a microsecond, so a linear one is enough.
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
