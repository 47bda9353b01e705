/*
 * tell.h: what a host's call at a start, a prompt or a command is told, and what the log says of
 * it.
 */
#pragma once

#include "hook/host.h"
#include "hook/hook_log.h"
#include "hook/recall.h"

struct tell {
	struct scope who;                      /* its project is the session's own */
	enum hook_event event;                 /* one at which something is told */
	const struct hook_call *said;
	const char *log;                       /* where it is */
};

/*
 * Appends the block to text, nothing where there is nothing to tell, and sets did, why, gate, p,
 * given and tokens of the line; whatever fails is a reason to tell nothing. What the line points to
 * lives as long as r, which is to be released, and the arena. Opens the store of the settings, and
 * leaves it open: the process ends soon, and closing takes time.
 */
void tell(const struct tell *t, struct hook_line *line, struct buf *text, struct recalled *r,
	struct arena *a);
