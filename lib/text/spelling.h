/*
 * spelling.h: which words of a vocabulary a misspelt word, or one cut short, may mean.
 */
#ifndef TEXT_SPELLING_H
#define TEXT_SPELLING_H

#include "base/base.h"

#define SPELLING_CHARS  24                 /* longer words are not looked at */
#define SPELLING_FOUND  8                  /* candidates that are kept for a word */
#define SPELLING_GOOD   0.75f              /* with one like this there is no need to look further */

struct spelling_found {
	char term[4 * SPELLING_CHARS];
	uint8_t len;
	float likeness, worth;             /* worth: after spelling_end, with how frequent it is */
	uint32_t df;
};

/* One word, and the likest candidates so far. */
struct spelling {
	uint32_t points[SPELLING_CHARS];   /* its code points, folded */
	uint8_t n;                         /* 0: it is too short or too long */
	uint32_t letters;                  /* which there are, a bit each */
	uint32_t starts[SPELLING_CHARS + 1];       /* [n + 1] the same of the first 0, 1, 2 ... */
	uint64_t trigrams[SPELLING_CHARS + 1];     /* [n + 1] */
	struct spelling_found found[SPELLING_FOUND];
	size_t n_found;
};

/*
 * word: as it was written, not stemmed; it is folded here. False: nothing can be like it, under 3
 * characters or over SPELLING_CHARS.
 */
bool spelling_start(struct spelling *s, const char *word, size_t len);

/*
 * Shows a term of the vocabulary, stemmed as the tokenizer does it, with the documents that have
 * it; the same term again adds to them. Stop words are none. Cost: 10 ns for most terms, under a
 * microsecond for one that is looked at.
 */
void spelling_try(struct spelling *s, const char *term, size_t len, uint32_t df);

/*
 * Sorts what was found, best first: of words about as like the more frequent one. To be called when
 * all terms have been shown.
 */
void spelling_end(struct spelling *s);

/*
 * How like the word the term is, 0 to 1; 0: not at all. Like are: a term, with an ending or
 * without, within one edit (a letter more, less, another, two exchanged) of a word of four to seven
 * characters, two of a longer one; a term that begins with the word; a term with half of its
 * trigrams (Jaccard, of the word with two spaces before and one behind).
 */
float spelling_likeness(const struct spelling *s, const char *term, size_t len);

#endif
