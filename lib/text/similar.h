/*
 * similar.h: how alike two texts look: Dice's coefficient of their character trigrams (folded,
 * white space collapsed).
 */
#ifndef TEXT_SIMILAR_H
#define TEXT_SIMILAR_H

#include "base/base.h"

/*
 * 0 to 1; 1 for texts that fold to the same; texts under three characters compare whole. Cost:
 * linear.
 */
double similar_dice(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
