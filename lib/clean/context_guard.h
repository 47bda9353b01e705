/*
 * context_guard.h: removes text that programs put into a conversation and nobody said: mem's own
 * context blocks, and the reminders of agents. If these were stored as if they had been said, a
 * memory would breed copies of itself.
 *
 * A span begins with its tag at the start of a line (after blanks, or straight after another span)
 * and ends with the closing tag. Some tags, such as mem's own and reminders, count inside a line as
 * well, unless a backquote stands before the tag, or it is opened again before it is closed. A tag
 * that is not closed is somebody's words and stays.
 */
#pragma once

#include "base/buf.h"

#define MEM_FENCE_OPEN  "<mem-context"             /* " key=value ...>" or ">" follows */
#define MEM_FENCE_CLOSE "</mem-context>"

/*
 * Writes text without mem's context blocks to out, which is reset first, and trims it. Returns how
 * many blocks there were; at 0 out stays empty, and the caller uses the text as it is.
 */
unsigned context_guard_strip(const char *text, size_t len, struct buf *out);

/*
 * The same for what coding agents wrap into a turn: <system-reminder>, <command-name>,
 * <local-command-stdout>, <environment_context> and the like go with their content; of
 * <command-args> and <bash-input>, which hold what a person typed, only the tags go.
 */
unsigned context_guard_unwrap(const char *text, size_t len, struct buf *out);
