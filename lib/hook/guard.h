/*
 * guard.h: an edit or command that is about to be made, and what the user said that it goes
 * against: a rule or decision of this project (work/against.h).
 */
#ifndef HOOK_GUARD_H
#define HOOK_GUARD_H

#include "hook/host.h"
#include "hook/recall.h"

/*
 * Fills r's block with the newest sentence of the user, said in an earlier session of the project
 * or stored, that the call goes against, where nothing that he said later says otherwise. A block
 * without items: none is known. Cost: the posting lists of up to GUARD_TERMS words, and a look at
 * each of up to GUARD_TURNS turns.
 */
#define GUARD_TERMS 80
#define GUARD_TURNS 120
#define GUARD_RECORDS 20               /* of each type */
#define GUARD_MOST (GUARD_TURNS + 2 * GUARD_RECORDS)
int guard_call(struct store *s, const struct recall_want *want, const struct hook_call *said,
	struct recalled *r, struct err *err);

#endif
