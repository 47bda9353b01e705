/*
 * hook_forget.h: what is forgotten goes from the log of mem-hook, too.
 */
#ifndef HOOK_HOOK_FORGET_H
#define HOOK_HOOK_FORGET_H

#include "facts/forget.h"

/*
 * Blanks the user's lines of the sessions that went, those that say that anything which went was
 * given, and those of the project; project "": of none. store: its path. ERR_IO.
 */
int hook_forget(const char *store, const char *user, const struct forget *f, const char *project,
	bool all, struct err *err);

#endif
