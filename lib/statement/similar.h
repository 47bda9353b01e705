/*
 * similar.h: how similar two texts look: Dice's coefficient of their character trigrams, after
 * folding and with white space collapsed.
 */
#ifndef STATEMENT_SIMILAR_H
#define STATEMENT_SIMILAR_H

#include "base/base.h"

/*
 * Returns 0 to 1; 1 for texts that are equal after folding. Texts of less than three characters are
 * compared whole. Cost: linear.
 */
double similar_dice(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
