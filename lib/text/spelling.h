/* spelling.h: which words of a vocabulary may be meant by a misspelt word, or by one cut short. */
#pragma once

#include "base/base.h"

#define SPELLING_CHARS  24                 /* longer words are not compared */
#define SPELLING_FOUND  8                  /* candidates kept for a word */
/* with a candidate this similar there is no need to look further */
#define SPELLING_GOOD   0.75f

struct spelling_found {
	char term[4 * SPELLING_CHARS];
	uint8_t len;
	/* worth: likeness and frequency together, set by spelling_end */
	float likeness, worth;
	uint32_t df;
};

/* A word, and the most similar candidates so far. */
struct spelling {
	uint32_t points[SPELLING_CHARS];   /* its code points, folded */
	uint8_t n;                         /* 0: the word is too short or too long */
	bool hash;                         /* spelling_is_hash */
	uint32_t letters;                  /* the letters that it has, one bit each */
	/* [n + 1] the same for its first 0, 1, 2 ... characters */
	uint32_t starts[SPELLING_CHARS + 1];
	uint64_t trigrams[SPELLING_CHARS + 1];     /* [n + 1] */
	struct spelling_found found[SPELLING_FOUND];
	size_t n_found;
};

/*
 * Whether the word is the beginning of a hash, as commits are named: seven hexadecimal digits or
 * more, of which one is a figure and one a letter. Only a longer one that begins so is similar.
 */
bool spelling_is_hash(const char *word, size_t len);

/*
 * word: as written, not stemmed; it is folded here. False for a word under 3 characters or over
 * SPELLING_CHARS, to which nothing is similar.
 */
bool spelling_start(struct spelling *s, const char *word, size_t len);

/*
 * Offers a term of the vocabulary, stemmed by the tokenizer, with the number of documents that have
 * it; these add up when the term comes again. Stop words are ignored. Cost: 10 ns for most terms,
 * under a microsecond for one that is compared.
 */
void spelling_try(struct spelling *s, const char *term, size_t len, uint32_t df);

/*
 * Sorts the candidates, best first; among about equally similar ones the more frequent comes first.
 * Call it when all terms have been offered.
 */
void spelling_end(struct spelling *s);

/*
 * How similar the term is to the word, 0 to 1; 0: not similar. Similar are: a term, with or without
 * an ending, within one edit (a letter inserted, removed or replaced, or two exchanged) of a word
 * of four to seven characters, or within two of a longer word; a term that begins with the word; a
 * term that shares half of its trigrams (Jaccard, of the word with two spaces before it and one
 * behind).
 */
float spelling_likeness(const struct spelling *s, const char *term, size_t len);
