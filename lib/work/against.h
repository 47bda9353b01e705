/*
 * against.h: whether a change that a tool is about to make goes against what a user said: a rule, a
 * decision, a value that is to stay (schema/cues/against.txt). By identifiers, numbers and words of
 * the lines that a file gets and loses, or of a command; nothing is known of what code means, so in
 * doubt it does not.
 */
#ifndef WORK_AGAINST_H
#define WORK_AGAINST_H

#include "calls/change.h"

/* A change as it is compared. */
struct against_change;

enum against {
	AGAINST_NOT,               /* it has nothing to do with it, as far as is known */
	AGAINST_FITS,              /* it does what is said */
	AGAINST_GOES               /* it does what is not to be done */
};

/* The sentence that a change goes against, and what of it says so; bytes of the text. */
struct against_said { size_t start, len, part, part_len; };

/* Reads a change. Both live as long as the arena. dir: the project's directory. */
const struct against_change *against_read(const struct change *c, const char *dir,
	struct arena *a);

/*
 * What the text, that a user said, is to the change; *said is set when it goes against it: the
 * sentence. Cost: some 20 microseconds a sentence that has a word in common with the change.
 */
enum against against(const struct against_change *c, const char *text, size_t len,
	struct against_said *said);

/*
 * Whether what a user said later may end the older part of a sentence: one sentence of it has words
 * for that and names what the older is of; fits: the change does what it says.
 */
struct against_text { const char *text; size_t len; };
bool against_lifts(const struct against_text *older, const struct against_text *newer, bool fits);

/*
 * Words of the change [*n] by which turns that speak of it are found, terms as of text/words.h: at
 * most `most`.
 */
struct against_term { const char *text; size_t len; };
const struct against_term *against_terms(const struct against_change *c, size_t most,
	struct arena *a, size_t *n);

#endif
