/*
 * embedded.h: the files of schema/ inside the program, so that a binary needs nothing beside it.
 * embed.sh makes the table at build time of the files under schema/, by their paths in the source
 * tree ("schema/from/openai.jq"), and of "programs.txt", which has the names and jobs of all
 * programs, with a tab between them.
 */
#pragma once

#include "base/base.h"

struct embedded {
	const char *name;
	const char *text;          /* any bytes, with a NUL after them */
	size_t len;
};

/* sorted by the bytes of the names; the last name is NULL */
extern const struct embedded embedded_files[];

/* The file of that name; NULL: there is none. */
const struct embedded *embedded_find(const char *name);
