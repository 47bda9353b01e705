/* settings.h: changes one setting in the configuration file; every other byte stays. */
#pragma once

#include "base/conf.h"

/*
 * Writes "name = value" in the place of the last line of that name, which is the one that counts,
 * or at the end; makes the file and its directory. ERR_USAGE: no such setting, or no value of it.
 */
int settings_put(const char *name, const char *value, struct err *err);

/* Takes out all lines of that name; *n: how many there were. */
int settings_drop(const char *name, size_t *n, struct err *err);
