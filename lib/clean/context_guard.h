/*
 * context_guard.h: text that programs put into a conversation and nobody said: mem's own context
 * blocks, agents' reminders. Stored as if it had been said, a memory would breed copies of itself.
 *
 * A span begins with its tag at the start of a line (after blanks, or straight after another span)
 * and ends with the closing tag. Some, mem's own and reminders among them, are found inside a line
 * as well, unless a backquote stands before the tag or it is opened again before it is closed. One
 * that is not closed is somebody's words and stays.
 */
#ifndef CLEAN_CONTEXT_GUARD_H
#define CLEAN_CONTEXT_GUARD_H

#include "base/buf.h"

#define MEM_FENCE_OPEN  "<mem-context"             /* then " key=value ...>" or ">" */
#define MEM_FENCE_CLOSE "</mem-context>"

/*
 * Writes text without mem's context blocks to out (which is reset first), white space at both ends
 * trimmed. Returns how many there were; at 0 out is left empty: use the text as it is.
 */
unsigned context_guard_strip(const char *text, size_t len, struct buf *out);

/*
 * The same for what coding agents wrap into a turn: <system-reminder>, <command-name>,
 * <local-command-stdout>, <environment_context> and the like go with what is in them; of
 * <command-args> and <bash-input>, which a person typed, only the tags go.
 */
unsigned context_guard_unwrap(const char *text, size_t len, struct buf *out);

#endif
