/*
 * excerpt.h: which part of a message stands for it where the whole is too long.
 */
#ifndef CONTEXT_EXCERPT_H
#define CONTEXT_EXCERPT_H

#include "rank/question.h"
#include "store/store.h"

#define EXCERPTS_MAX 4                        /* chunks of a message that may go in */

struct excerpt {
	size_t start, len;                 /* bytes of the content */
	bool code;                         /* a block of code: whole or not at all */
	bool named;                        /* has an identifier of the question, as a whole */
	float score;                       /* what the question's words in it weigh */
};

struct excerpts {
	/* whole chunks, best first; of a short message one: all of it */
	struct excerpt best[EXCERPTS_MAX];
	size_t n;
	/*
	 * of the best prose, at most CONTEXT_TURN_CHARS; len 0: the message is short, or all code
	 */
	struct excerpt excerpt;
	/* the question looks like code, and the best part is the code that it names */
	bool code_first;
};

/*
 * q NULL: no question is known, the first chunk is the best. wanted: byte where a chunk starts that
 * is to be the best; SIZE_MAX: none.
 */
int excerpts_choose(struct store *s, const struct scope *who, const struct message *m,
	const struct question *q, size_t wanted, struct excerpts *out, struct err *err);

/*
 * How a message begins, at most CONTEXT_TURN_CHARS, or its block of code where it begins with one.
 */
struct excerpt excerpt_opening(const struct message *m);

#endif
