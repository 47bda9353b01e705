/*
 * decided.h: a decision, and what the user said of its thing since. What ends one is not told by
 * its words alone, so it is told with its newest mention, and whoever reads both sees what holds.
 * One without a turn and without a time counts from when it was stored.
 */
#pragma once

#include "search/mention.h"
#include "store/records.h"

#define DECIDED_LATER 2            /* turns behind it that it is told with */

/* A part of what a turn says. */
struct decided_said { const struct message *m; const char *text; size_t len; };

struct decided {
	const char *rest;          /* what its own turn goes on with; "": nothing */
	/*
	 * [n] turns behind it, those that say most of its thing first; then its own, where it goes
	 * on by taking something back
	 */
	struct decided_said later[DECIDED_LATER + 1];
	size_t n;
	bool ended;                /* the first says that it holds no more */
};

/*
 * Reads what became of f; where it is no decision, or one that was ended, nothing did. Turns are of
 * its project, or of that of who where it has none. All lives as long as the arena; index as in
 * search/mention.h. Cost: that of mentions_find with up to 6 words, and a look at 24 turns.
 */
int decided_read(struct store *s, struct index **index, const struct scope *who,
	const struct fact *f, struct arena *a, struct decided *out, struct err *err);
/* The text, and behind it each later part: "Tar it is [said on 2025-07-03: tar is out]". */
const char *decided_text(const struct decided *d, const char *text, struct arena *a);
/* Reads that, and puts it behind a text of f. */
int decided_add(struct store *s, struct index **index, const struct scope *who,
	const struct fact *f, struct arena *a, const char **text, struct err *err);
/* Writes the member said_later of a record, where there is any (schema/records.txt). */
void decided_write(const struct decided *d, struct buf *out);
