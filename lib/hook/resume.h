/*
 * resume.h: whether a prompt asks where work was left, "pick up where we left off with the tests",
 * or what is open, "what is left to do?" (schema/cues/resume.txt).
 */
#pragma once

#include "base/base.h"

enum resume {
	RESUME_NOT,
	RESUME_NAMED,              /* it names the work: that of the session that is found */
	RESUME_LAST,               /* it names none: that of the last session */
	/* from here on the open todos are asked for */
	RESUME_OPEN,               /* it asks what is open, and names no work */
	RESUME_TODO                /* it asks what is to be done of work that it names */
};

enum resume resume_asked(const char *prompt, size_t len);

/* How many of the words of a prompt that name the work a text has; *n: how many there are. */
size_t resume_names(const char *prompt, size_t prompt_len, const char *text, size_t len, size_t *n);
