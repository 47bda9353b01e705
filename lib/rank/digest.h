/*
 * digest.h: an extractive summary: the pieces of a text that say most of it within a budget of
 * tokens.
 *
 * A piece gains by its content words: each the more, the more turns have it and the longer it is,
 * and the less, the more often it has been picked. The sum is multiplied by a value that the caller
 * gives the piece and divided by a power of its cost. The best one is picked until no more fit:
 * greedy maximisation of a submodular gain under a budget (Lin and Bilmes 2010).
 */
#pragma once

#include "base/base.h"

struct digest_unit {
	const char *text;                      /* a piece, borrowed */
	size_t len;
	uint32_t turn;                         /* ascending; pieces of one turn share a line */
	uint32_t head_quarters;                /* cost of the line's head, in quarters of a token */
	float value;                           /* how much it is worth to have it; 0: nothing */
	uint32_t later;                        /* the unit behind it that goes with it; 0: none */
};

/*
 * Picks among units [n]; out [n] gets the picked ones, ascending; returns how many. Their cost,
 * with two quarters between units, is at most budget quarters of a token (text/tokens.h). covered:
 * text whose words the reader sees anyway, such as who speaks. Deterministic.
 */
size_t digest_pick(const struct digest_unit *units, size_t n, const char *covered,
	size_t covered_len, uint64_t budget, uint32_t *out);
