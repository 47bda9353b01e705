/*
 * opencode_storage.h: the directory in which OpenCode kept its conversations before it had a
 * database, a file for each session, message and part of a message:
 *
 *	session/PROJECT/SESSION.json   message/SESSION/MESSAGE.json   part/MESSAGE/PART.json
 */
#pragma once

#include "base/err.h"

bool opencode_storage_is(const char *path);

/*
 * Calls fn with each message as JSON, in the shape of `opencode export`, session by session. When
 * fn does not return 0, that is the end, and the value is returned. -1: ERR_IO, ERR_PERM.
 */
typedef int opencode_fn(void *arg, const char *row, size_t len);
int opencode_storage_each(const char *path, opencode_fn *fn, void *arg, struct err *err);
