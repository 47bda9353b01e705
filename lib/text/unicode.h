/*
 * unicode.h: what a code point is to the tokenizer, and what it folds to. Tables made by
 * tests/tools/gen_unicode.py.
 */
#ifndef TEXT_UNICODE_H
#define TEXT_UNICODE_H

#include "base/base.h"

enum unicode_class {
	UNICODE_SEP,               /* no part of a word */
	UNICODE_LOWER,             /* a letter, also of scripts that have no case */
	UNICODE_UPPER,
	UNICODE_DIGIT,
	/* an accent, a joiner, a variation selector: inside a word, dropped by folding */
	UNICODE_MARK,
	/* a mark that is a letter of its script (Devanagari vowel signs) */
	UNICODE_KEPT,
	UNICODE_CJK,               /* a character of a script without spaces */
	UNICODE_EMOJI
};

/*
 * The code point at p < end: the bytes it takes (1 and class SEP for a byte that is no UTF-8), *cp,
 * *cls.
 */
size_t unicode_next(const char *p, const char *end, uint32_t *cp, enum unicode_class *cls);

/*
 * Writes the folded form of the code point that starts at p to out, and returns how many bytes of p
 * were used; *out_len is at most three times that. More than one code point is used where two make
 * one letter: Kana and its voicing mark, conjoining jamo.
 */
size_t unicode_fold(const char *p, const char *end, char *out, size_t *out_len);

#endif
