/*
 * language.h: words as a language writes them: folded, its function words, its stems.
 *
 * What is stored is indexed as if it were English (words.h), whatever its language: nobody knows
 * the language of every line, and a word must be found by whoever asks. So a language counts when a
 * question is asked in it: its function words are set aside, and its other words are searched in
 * all forms that the memory has of them (search/inflections.h). A language is its number in the
 * lexicon; LEX_EN stands for one that is not known, too: the tokenizer does all.
 */
#pragma once

#include "lexicon/lex.h"
#include "text/words.h"

/*
 * Folds a word as it was written: lower case, without marks and apostrophes, and without an article
 * or a preposition that an apostrophe ties to it (l'appartement, dell'esame). Writes at most
 * WORDS_TERM_BYTES bytes to out and returns their number; 0: the word is longer.
 */
size_t language_fold(unsigned l, const char *word, size_t len, char *out);
/* Whether a folded word is a function word of the language. */
bool language_is_stop(unsigned l, const char *word, size_t len);

/*
 * What the tokenizer leaves tied to a word ("lappartement"), for words that begin with a vowel
 * or h: its i-th; NULL: it has fewer.
 */
const char *language_elided(unsigned l, int i);

/* The Snowball stemmer of a language, of libstemmer. One thread uses it at a time. */
struct stemmer;
/* NULL for English, and where libstemmer has no such stemmer. */
struct stemmer *stemmer_new(unsigned l);
void stemmer_free(struct stemmer *s);
/* Returns the stem of a folded word, [*n_stem], borrowed until the next call. */
const char *stemmer_stem(struct stemmer *s, const char *word, size_t len, size_t *n_stem);
