/*
 * change_log.h: a document that is kept as a log of its changes, a line each, as VS Code keeps its
 * chats: {"kind": 0, "v"} is all of it, 1 sets what is at the path "k", 2 adds to the list there,
 * behind its first "i" when that is told, and 3 takes it away.
 */
#pragma once

#include "base/err.h"

/* Whether an input that begins with these bytes is such a log. */
bool change_log_is(const char *bytes, size_t len);

/*
 * Gives fn the document as it is after the last change. A last line that is only half written is
 * left out. -1: ERR_DATA, a line before it is damaged or fits nothing, and the document lacks it.
 */
typedef int change_log_fn(void *arg, const char *text, size_t len);
int change_log_each(const char *path, change_log_fn *fn, void *arg, struct err *err);
