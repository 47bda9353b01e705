/*
 * rules.h: an edit or command that is about to be made, and what the user said that it goes
 * against: a rule or decision of this project (work/against.h).
 */
#pragma once

#include "hook/host.h"
#include "hook/recall.h"

#define RULES_TERMS   80           /* words of the change that are looked up */
#define RULES_TURNS   80           /* those of the project that are read */
#define RULES_LATER   80           /* behind a rule that name its thing; more leave it in doubt */
#define RULES_RECORDS 20           /* stored facts and notes that are read, of each type */
#define RULES_MOST    (RULES_TURNS + 2 * RULES_RECORDS)

/*
 * Fills r's block with the newest sentence of the user, said in an earlier session of the project
 * or stored, that the call goes against, where nothing that he said later names what it is about
 * but says it again. A block without items: none is known. Cost: that of search/mention.h, and once
 * more where the call goes against something.
 */
int rules_call(struct store *s, const struct recall_want *want, const struct hook_call *said,
	struct recalled *r, struct err *err);
