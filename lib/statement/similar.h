/*
 * similar.h: how similar two texts look: Dice's coefficient of their character trigrams, after
 * folding and with white space collapsed.
 */
#pragma once

#include "base/base.h"

/*
 * Returns 0 to 1; 1 for texts that are equal after folding. Texts of less than three characters are
 * compared whole. Cost: linear.
 */
double similar_dice(const char *a, size_t a_len, const char *b, size_t b_len);

/* Which trigrams a text has, by their hashes, and how many: for a quick look at many texts. */
struct similar_mark { uint64_t bits[4]; size_t n; };
void similar_mark(const char *text, size_t len, struct similar_mark *out);
/* Whether the two texts may have so high a dice; false: they have not. */
bool similar_may(const struct similar_mark *a, const struct similar_mark *b, double dice);
