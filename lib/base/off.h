/*
 * off.h: where nothing is remembered and nothing told: the settings memory, off_until and
 * off_projects, a file ".mem-off" in a directory or in one above it, and transcripts that grew
 * meanwhile.
 */
#ifndef BASE_OFF_H
#define BASE_OFF_H

#include "base/err.h"

/*
 * Why nothing is remembered in a directory, an absolute path, or of a project of that name; "":
 * anywhere. NULL: it is remembered. Cost: a look at each directory above it.
 */
const char *off_why(const char *place);

/* Keeps the transcript at path from being stored later, too. Nothing where path is "". */
int off_transcript(const char *path, struct err *err);
/* Whether it is kept from it. The list is read once. */
bool off_has(const char *path);

#endif
