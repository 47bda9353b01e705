/*
 * llm_child.h: runs a command as a child that answers a line with a line, with a pipe to each side.
 */
#pragma once

#include <signal.h>

#include "base/buf.h"
#include "base/err.h"

struct llm_child;

/*
 * Starts command by the shell; "": mem-llm, the one beside this program, else the one in PATH.
 * ERR_UNAVAILABLE.
 */
int child_start(const char *command, struct llm_child **out, struct err *err);

/*
 * Sends a line without its newline, and waits for a line until deadline_us (clock_mono_us); *stop,
 * if stop is not NULL, ends the wait. reply has no newline; its max is the longest that may come.
 * ERR_UNAVAILABLE: the child is of no more use.
 */
int child_ask(struct llm_child *c, const char *line, size_t len, int64_t deadline_us,
	const volatile sig_atomic_t *stop, struct buf *reply, struct err *err);

/*
 * Closes the child's input. If it does not end soon, or with at_once, it is killed with all that it
 * started. NULL is allowed.
 */
void child_end(struct llm_child *c, bool at_once);
