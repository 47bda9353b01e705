/* capture.h: stores the transcript that a host names. */
#pragma once

#include "ingest/ingest.h"

/*
 * Stores what is new in the transcript at path, as of the project. *n: how many messages were
 * stored. Makes the store when there is none. Errors as those of ingest.
 */
int capture(const char *store, const struct scope *who, const char *path, uint64_t *n,
	struct err *err);

/*
 * Runs the command by sh(1) in place of this process, with MEM_DB and MEM_USER telling which memory
 * it is for. Returns when there is no shell to be had.
 */
void capture_then(const char *command, const char *store, const char *user);
