/*
 * unicode.h: the class of a code point for the tokenizer, and its folded form. The tables are
 * in schema/chars/unicode.tsv.
 */
#pragma once

#include "base/base.h"

enum unicode_class {
	UNICODE_SEP,               /* no part of a word */
	UNICODE_LOWER,             /* a letter, including those of scripts without case */
	UNICODE_UPPER,
	UNICODE_DIGIT,
	/* an accent, a joiner, a variation selector: part of a word, dropped by folding */
	UNICODE_MARK,
	/* a mark that is a letter of its script, such as vowel signs of Devanagari */
	UNICODE_KEPT,
	UNICODE_CJK,               /* a character of a script without spaces */
	UNICODE_EMOJI
};

/*
 * Reads the code point at p < end into *cp and *cls; returns its length in bytes (1, with class
 * SEP, for a byte that is not UTF-8).
 */
size_t unicode_next(const char *p, const char *end, uint32_t *cp, enum unicode_class *cls);

/*
 * Writes the folded form of the code point at p to out; returns how many bytes of p were used.
 * *out_len is at most three times that. More than one code point is used where two form one letter:
 * Kana and its voicing mark, conjoining jamo.
 */
size_t unicode_fold(const char *p, const char *end, char *out, size_t *out_len);
