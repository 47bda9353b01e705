/*
 * digest.h: the sentences that say most of what a text says, in so many tokens: an extractive
 * summary.
 *
 * A sentence gains by its words, each weighing as many sentences as it stands in (so what is
 * central to the text counts most), less each time that it has been picked before; by how near its
 * turn is to the middle of all, where there are vectors; by its place; and loses by its length. The
 * best one is picked until no more fit: greedy maximisation of a submodular gain under a budget
 * (Lin and Bilmes 2010).
 */
#ifndef RANK_DIGEST_H
#define RANK_DIGEST_H

#include "base/base.h"

struct digest_unit {
	const char *text;                      /* a sentence, borrowed */
	size_t len;
	uint32_t turn;                         /* ascending; sentences of one turn share a line */
	uint32_t head_quarters;                /* of a token, that the line costs besides */
	/* cosine of its turn with the middle of all turns, 0 where that is not known */
	float near;
	float weight;                          /* what else speaks for it; 1 nothing */
};

/*
 * Which of units [n] are picked: out [n], ascending; returns how many. Their cost is at most budget
 * quarters of a token (text/tokens.h), a unit between them. covered: text whose words are said
 * anyway, as who speaks. Deterministic.
 */
size_t digest_pick(const struct digest_unit *units, size_t n, const char *covered,
	size_t covered_len, uint64_t budget, uint32_t *out);

#endif
