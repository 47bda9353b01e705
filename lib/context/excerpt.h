/* excerpt.h: chooses the part of a message that stands for it where the whole is too long. */
#pragma once

#include "rank/question.h"
#include "store/store.h"

#define EXCERPTS_MAX 4                        /* chunks of one message that may be added */

struct excerpt {
	size_t start, len;                 /* byte span within the content */
	bool code;                         /* a block of code: whole or not at all */
	bool named;                        /* has an identifier of the question */
	float score;                       /* summed weight of the question's words in it */
};

struct excerpts {
	/* whole chunks, best first; a short message is one chunk */
	struct excerpt best[EXCERPTS_MAX];
	size_t n;
	/*
	 * An excerpt of the best prose, or with code_first of that block, around the identifier, at
	 * most CONTEXT_TURN_CHARS and the rest of a line; len 0: the message is short, or all code.
	 */
	struct excerpt excerpt;
	/*
	 * The question looks like code, and the best chunk is code with an identifier of the
	 * question.
	 */
	bool code_first;
};

/*
 * Chooses the chunks of m for q. q NULL: the question is unknown, and the first chunk is the best.
 * wanted: the byte where the chunk starts that is to be the best; SIZE_MAX: none.
 */
int excerpts_choose(struct store *s, const struct scope *who, const struct message *m,
	const struct question *q, size_t wanted, struct excerpts *out, struct err *err);

/*
 * The beginning of a message, at most CONTEXT_TURN_CHARS; where it begins with a block of code,
 * that whole block.
 */
struct excerpt excerpt_opening(const struct message *m);
