/*
 * compacted.h: what a session whose conversation was shortened is told of itself: decisions,
 * commands with what came of them, numbers and open ends that the host's summary left out.
 */
#pragma once

#include "hook/recall.h"

/*
 * Fills r's block with what was said in the running session; the newest is told first where not all
 * has room. transcript: where the host's summary stands; "" or without one, nothing counts as said
 * there. A block without items: there is nothing of the session. Cost: the session is read.
 */
int compacted_tell(struct store *s, const struct recall_want *want, const char *transcript,
	struct recalled *r, struct err *err);

/* The same, added to a block that was begun. looks: also commands that only look at something. */
int compacted_fill(struct store *s, const struct recall_want *want, const char *transcript,
	bool looks, struct recalled *r, struct err *err);
