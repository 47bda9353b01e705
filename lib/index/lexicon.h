/*
 * lexicon.h: numbers the distinct terms of a set of documents in the order of their appearance and
 * counts how often each occurs in a document. It needs no store, so another thread may count
 * documents before they are stored.
 */
#pragma once

#include "text/words.h"

/* A term of a document. Counts are at most 65,535. */
struct tally {
	uint32_t term;
	uint16_t tf;                       /* occurrences in the document */
	uint16_t head;                     /* those in its first words (the head) */
};

#define LEXICON_HEAD 16

struct lexicon_term {
	uint64_t hash;                     /* hash of the text */
	/* the first bytes of the text, padded with zeros: most comparisons need no more */
	char head[LEXICON_HEAD];
	uint32_t text;                     /* offset of the text among all texts */
	uint16_t len;
};

struct lexicon;

struct lexicon *lexicon_new(void);
void lexicon_free(struct lexicon *l);
void lexicon_clear(struct lexicon *l);                 /* removes all terms but keeps the memory */
/* Counts a word of the current document. Only the word's term, hash and note are used. */
void lexicon_word(struct lexicon *l, const struct word *w, bool in_head);
/*
 * Ends the document and returns its tallies [n], each term once, in the order of first appearance;
 * borrowed until the next word.
 */
const struct tally *lexicon_doc(struct lexicon *l, size_t *n);

/* the term's first 8 bytes as an integer that sorts as they do */
uint64_t lexicon_prefix(const struct lexicon_term *t);
uint32_t lexicon_n_terms(const struct lexicon *l);
const struct lexicon_term *lexicon_term(const struct lexicon *l, uint32_t no);
/* [t->len], borrowed until the next word */
const char *lexicon_text(const struct lexicon *l, const struct lexicon_term *t);
