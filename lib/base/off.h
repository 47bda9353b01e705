/*
 * off.h: where nothing is remembered and nothing told: the settings memory, off_until and
 * off_projects, a file ".mem-off" in a directory or in one above it, and sessions that were held
 * meanwhile, with their transcripts.
 */
#pragma once

#include "base/err.h"

/*
 * Why nothing is remembered in a directory, an absolute path, or of a project of that name; ""
 * or NULL: anywhere. A directory is off with the project that it belongs to, as the work tree of a
 * repository. NULL: it is remembered. The settings are those that the file has now. Cost: a look at
 * each directory above it.
 */
const char *off_why(const char *place);
/* The same of the directory at hand. */
const char *off_here(void);

/*
 * Keeps what a session says from being stored later, too: by its name, as its transcript may be
 * moved or packed, and by the path of that, as some bear another name. "" stands for neither.
 */
int off_keep(const char *session, const char *transcript, struct err *err);
/* Whether a transcript, or a session, is kept from it. The list is read once. */
bool off_has_file(const char *path);
bool off_has_session(const char *name);
