/*
 * tokens.h: estimates how many tokens a model would count: one for 4 bytes of Latin text, one for a
 * character of Han, Kana or Hangul, one for 2 bytes of other scripts. Never 0 for a text that is
 * not empty.
 */
#pragma once

#include "base/base.h"

unsigned tokens_estimate(const char *text, size_t len);

/*
 * The same in quarters of a token, not rounded, so that the estimates of a text's parts, cut
 * between characters, add up to that of the text.
 */
uint64_t tokens_quarters(const char *text, size_t len);

/*
 * Returns the length of the longest prefix within max_tokens, cut between characters, and at a
 * space when one is near.
 */
size_t tokens_clip(const char *text, size_t len, unsigned max_tokens);
