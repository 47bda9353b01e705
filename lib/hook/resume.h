/*
 * resume.h: whether a prompt asks where work was left, "pick up where we left off with the tests"
 * (schema/cues/resume.txt).
 */
#ifndef HOOK_RESUME_H
#define HOOK_RESUME_H

#include "base/base.h"

enum resume {
	RESUME_NOT,
	RESUME_NAMED,              /* it names the work: that of the session that is found */
	RESUME_LAST                /* it names none: that of the last session */
};

enum resume resume_asked(const char *prompt, size_t len);

#endif
