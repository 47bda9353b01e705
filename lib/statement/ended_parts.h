/*
 * ended_parts.h: what ended.c and ended_ways.c have in common: parts of a sentence, the things that
 * a statement names, and the ways in which a part says that one has ended.
 */
#ifndef STATEMENT_ENDED_PARTS_H
#define STATEMENT_ENDED_PARTS_H

#include "statement/cues.h"
#include "statement/ended.h"

#define ENDING_CUES 96

/* A part of a sentence with the words of schema/cues/ends.txt that are in it. */
struct ending {
	const struct said *claim;              /* the older statement */
	const char *text;                      /* of it */
	size_t len;
	struct ended_part part;
	struct ended_part before;              /* the part before it; its len is 0 in the first */
	/* what the sentence says: that it is so from now on; that it is so on one occasion */
	bool now, occasion;
	struct cue cues[ENDING_CUES];
	size_t n;
};

/* Finds the words of the table in the part. */
void ending_read(struct ending *e);
/* The first and longest word of a class that begins at `from` or later; NULL: there is none. */
const struct cue *ending_find(const struct ending *e, const char *class, size_t from);
/* Whether the part says where something is done, and the claim does not name that place. */
bool ending_is_elsewhere(const struct ending *e);
/* Whether the part says that what the claim says has ended. */
bool ending_ends(const struct ending *e);

/* A word that names something; "no", "more" and words of an end do not. */
bool ended_is_thing(const struct said_word *w);
/* How many things a statement names; if other is not NULL, of those that it names, too. */
size_t ended_count_things(const struct said *s, const struct said *other);

#endif
