/*
 * digest.h: an extractive summary: the sentences of a text that say most of it within a budget of
 * tokens.
 *
 * A sentence gains by its words, each weighted by the number of sentences that have it (so what is
 * central to the text counts most), reduced each time it has been picked before; by how near its
 * turn is to the centroid of all turns, where there are vectors; and by its position. It loses by
 * its length. The best sentence is picked until no more fit: greedy maximisation of a submodular
 * gain under a budget (Lin and Bilmes 2010).
 */
#ifndef RANK_DIGEST_H
#define RANK_DIGEST_H

#include "base/base.h"

struct digest_unit {
	const char *text;                      /* a sentence, borrowed */
	size_t len;
	uint32_t turn;                         /* ascending; sentences of one turn share a line */
	uint32_t head_quarters;                /* cost of the line's head, in quarters of a token */
	/* cosine of its turn with the centroid of all turns; 0: unknown */
	float near;
	float weight;                          /* a factor of the caller's; 1: none */
};

/*
 * Picks among units [n]; out [n] gets the picked ones, ascending; returns how many. Their cost,
 * with one quarter between units, is at most budget quarters of a token (text/tokens.h). covered:
 * text whose words the reader sees anyway, such as who speaks. Deterministic.
 */
size_t digest_pick(const struct digest_unit *units, size_t n, const char *covered,
	size_t covered_len, uint64_t budget, uint32_t *out);

#endif
