/*
 * handoff.h: a session told to another agent: what it was for, where it stands, what was decided,
 * run and left open, and which files it changed.
 */
#pragma once

#include "hook/recall.h"

/*
 * Fills r's block with what was said in the session want->session: where it was held (head, dir),
 * its goal, its last request and answer and the files first, then the rest as compacted.h chooses
 * it. Paths lose dir. Cost: the session is read twice.
 */
int handoff_tell(struct store *s, const struct recall_want *want, const char *head,
	const char *dir, struct recalled *r, struct err *err);
