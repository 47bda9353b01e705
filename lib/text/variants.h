/*
 * variants.h: words that are written in more than one way: cut short, as programmers and people in
 * a hurry do (configuration, config, cfg; television, tv), British and American (colour, color),
 * and irregular (went, go; children, child), which a stemmer keeps apart.
 */
#ifndef TEXT_VARIANTS_H
#define TEXT_VARIANTS_H

#include "base/base.h"

#define VARIANTS_MOST 8

/* In the table, not NUL-terminated. */
struct variant { const char *term; uint8_t len; };

/*
 * The other forms of a term of the index, up to VARIANTS_MOST, as terms of the index. A short form
 * may stand for several words (temp): those are among them. Cost: about 1 us.
 */
size_t variants_of(const char *term, size_t len, struct variant out[VARIANTS_MOST]);

#endif
