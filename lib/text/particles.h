/*
 * particles.h: finds function words in running text of scripts that are written without spaces.
 *
 * Such text is indexed by characters and pairs of them. The pair of a function word's character
 * with its neighbour (是哪 of 地址是哪里) is no word at all: it is rare, so it has a high idf, and it is
 * found only where somebody happened to use the same sequence. For a question it must be known
 * which characters belong to function words. Covers Chinese (both scripts) and question words of
 * Japanese and Korean.
 */
#pragma once

#include "base/base.h"

/*
 * Returns the length in bytes of the longest function word that begins at byte `at`; 0: none. Cost:
 * a few comparisons.
 */
size_t particle_at(const char *text, size_t len, size_t at);
