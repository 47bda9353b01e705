/*
 * always.h: for a program that an agent runs as a hook: whatever happens, it ends in time, with
 * status 0 and an answer that its caller understands, and says nothing on stderr.
 */
#pragma once

#include "base/base.h"

/* How a program ended that did not come to its own answer. */
enum always_end { ALWAYS_LATE, ALWAYS_CRASHED, ALWAYS_GAVE_UP };

/*
 * From here on the program, however it ends, writes answer (borrowed) to stdout and has status 0,
 * unless always_answer came first. It ends after ms milliseconds at the latest; calling it again
 * sets another time, from now on. Standard error leads nowhere.
 */
void always(const char *answer, int64_t ms);
/*
 * Called when it ends without an answer of its own; may do only what a signal handler may. NULL:
 * nothing.
 */
void always_last(void (*last)(enum always_end how));
/*
 * Writes this answer in place of the other and ends the program: what was allocated is not freed,
 * which takes a large search half a millisecond.
 */
void always_answer(const char *text, size_t len);

/*
 * Runs fn in a process of its own, without the caller's streams and terminal, and waits up to ms
 * milliseconds for it; then it goes on alone. When it fails, always_last hears of it. Returns 1
 * when it is done, 0 when it goes on, -1 when there is no process to be had.
 */
int always_behind(void (*fn)(void *arg), void *arg, int64_t ms);
