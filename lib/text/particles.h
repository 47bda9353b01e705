/*
 * particles.h: function words of scripts that are written without spaces, found in running text.
 *
 * Such text is indexed by characters and pairs of them, and a function word's pairs with its
 * neighbours (是哪 of 地址是哪里) are no words at all: rare, so of high idf, and found only where somebody
 * happened to say the same. Who asks wants to know which characters are of that sort. Chinese (both
 * ways of writing), question words of Japanese and Korean.
 */
#ifndef TEXT_PARTICLES_H
#define TEXT_PARTICLES_H

#include "base/base.h"

/*
 * Bytes of the longest function word that starts at byte at of text; 0: none does. Cost: a few
 * comparisons.
 */
size_t particle_at(const char *text, size_t len, size_t at);

#endif
