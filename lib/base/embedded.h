/*
 * embedded.h: the files of schema/ inside the program, so that a binary needs nothing beside it.
 *
 * The table is made at build time by embed.sh: every *.sql, *.jq and *.txt under schema/, named by
 * its path in the source tree ("schema/from/openai.jq"), and "programs.txt", the names and jobs of
 * all programs, a tab between them.
 */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include "base/base.h"

struct embedded {
	const char *name;
	const char *text;          /* any bytes, a NUL after them */
	size_t len;
};

/* sorted by name as bytes; ends with a name of NULL */
extern const struct embedded embedded_files[];

/* The file of that name, or NULL. */
const struct embedded *embedded_find(const char *name);

#endif
