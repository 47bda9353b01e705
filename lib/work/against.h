/*
 * against.h: whether a change that a tool is about to make goes against what a user said: a rule, a
 * decision, a value that is to stay (schema/cues/against.txt). By identifiers, numbers and words of
 * the lines that a file gets and loses, or of a command; nothing is known of what code means, so in
 * doubt it does not.
 */
#pragma once

#include "calls/change.h"
#include "store/index.h"

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
 * Words of the change [*n] by which turns that speak of it are found, terms as of text/words.h: at
 * most `most`.
 */
const struct index_word *against_terms(const struct against_change *c, size_t most,
	struct arena *a, size_t *n);

/*
 * What the change and the sentence that it goes against are at odds over: what both name, the
 * numbers, values and things of a kind that the sentence or the change has. Lives as long as the
 * arena.
 */
struct against_things;
struct against_things *against_things(const struct against_change *c, const char *text,
	const struct against_said *said, struct arena *a);
/* Words by which turns are found that name one of them, as of against_terms. */
const struct index_word *against_things_terms(const struct against_things *t, size_t *n);
/* Whether the rest of the sentence takes back its part: "we use pnpm, no wait, npm". */
bool against_swerves(const struct against_things *t, const char *text,
	const struct against_said *said);
/* Whether the text names one. Cost: some microseconds a sentence. */
bool against_names(const struct against_things *t, const char *text, size_t len);
