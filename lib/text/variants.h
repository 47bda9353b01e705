/*
 * variants.h: words that are written in more than one way and that a stemmer keeps apart: short
 * forms that programmers and people in a hurry use (configuration, config, cfg; television, tv),
 * British and American spellings (colour, color), and irregular forms (went, go; children, child).
 */
#pragma once

#include "base/base.h"

#define VARIANTS_MOST 8

/* Points into the table; not NUL-terminated. */
struct variant { const char *term; uint8_t len; };

/*
 * Returns the other forms of a term of the index, up to VARIANTS_MOST, as terms of the index. A
 * short form that stands for several words (temp) has all of them. Cost: about 1 us.
 */
size_t variants_of(const char *term, size_t len, struct variant out[VARIANTS_MOST]);
