/*
 * cure.h: an error that was met before and cured: pasted into a prompt, given by a command that was
 * just run, or about to be given by one. Such a call asks for nothing of the past, and yet the past
 * helps.
 */
#pragma once

#include "hook/host.h"
#include "hook/recall.h"

/* Whether the prompt has a line as programs print errors. Nothing is opened. */
bool cure_asked(const char *prompt, size_t len);

/*
 * Fills r's block with what cured the prompt's error: the command that gave it worked after that,
 * or another in its place, and it did not come again. A block without items: no cure is known.
 */
int cure_tell(struct store *s, const struct recall_want *want, struct recalled *r,
	struct err *err);
/* The same of an error that a tool gave and r's block tells, which without it is half of it. */
int cure_of_told(struct store *s, const struct recall_want *want, struct recalled *r,
	struct err *err);

/*
 * The same, in one line, of the command that a host is about to run or of what it gave, met before
 * in this project (work_before, work_after).
 */
int cure_call(struct store *s, const struct recall_want *want, enum hook_event event,
	const struct hook_call *said, struct recalled *r, struct err *err);
