/*
 * tokens.h: how many tokens a model would count, estimated: 4 bytes of Latin text are one, a
 * character of Han, Kana or Hangul is one, other scripts 2 bytes. Never 0 for a text that is not
 * empty.
 */
#ifndef TEXT_TOKENS_H
#define TEXT_TOKENS_H

#include "base/base.h"

unsigned tokens_estimate(const char *text, size_t len);

/*
 * The same in quarters of a token, not rounded: the sum over the parts of a text, cut between
 * characters, is that of the text.
 */
uint64_t tokens_quarters(const char *text, size_t len);

/*
 * The longest prefix, cut at a character (at a space when one is near), that stays within
 * max_tokens.
 */
size_t tokens_clip(const char *text, size_t len, unsigned max_tokens);

#endif
