/*
 * cure.h: a pasted error that was met before and cured. Such a prompt asks for nothing of the past,
 * and yet the past helps.
 */
#ifndef HOOK_CURE_H
#define HOOK_CURE_H

#include "hook/recall.h"

/* Whether the prompt has a line as programs print errors. Nothing is opened. */
bool cure_asked(const char *prompt, size_t len);

/*
 * Fills r's block with what cured the prompt's error: the command that gave it worked after that,
 * and it did not come again. A block without items: no cure is known.
 */
int cure_tell(struct store *s, const struct recall_want *want, struct recalled *r,
	struct err *err);

#endif
