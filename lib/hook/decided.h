/*
 * decided.h: a decision, and what the user said of its thing since. What ends one is not told by
 * its words alone, so it is told with its newest mention, and whoever reads both sees what holds.
 */
#ifndef HOOK_DECIDED_H
#define HOOK_DECIDED_H

#include "search/mention.h"
#include "store/records.h"

#define DECIDED_LATER 2            /* turns that it is told with */

struct decided {
	const char *rest;          /* what its own turn goes on with; "": nothing */
	/* [n] turns behind it, those that say most of its thing first */
	const struct message *later[DECIDED_LATER];
	struct { size_t start, len; } part[DECIDED_LATER];     /* bytes of each that are told */
	size_t n;
	bool ended;                /* later[0] says that it holds no more */
};

/*
 * Reads what became of f, a decision of the project of who. All lives as long as the arena; index
 * as in search/mention.h. Cost: that of mentions_find with up to 6 words, and a look at 24 turns.
 */
int decided_read(struct store *s, struct index **index, const struct scope *who,
	const struct fact *f, struct arena *a, struct decided *out, struct err *err);

#endif
