/*
 * lexicon.h: the distinct terms of a set of documents, numbered as they come, and how often each
 * stands in a document. Needs nothing of a store, so documents may be counted ahead of being
 * stored, by another thread.
 */
#ifndef INDEX_LEXICON_H
#define INDEX_LEXICON_H

#include "text/words.h"

/* A term of a document. Counts stay at 65,535. */
struct tally {
	uint32_t term;
	uint16_t tf;                       /* times it stands there */
	uint16_t head;                     /* of these, in the head */
};

#define LEXICON_HEAD 16

struct lexicon_term {
	uint64_t hash;                     /* of the text */
	/* the first bytes of the text, zeros after it: most are looked at nowhere else */
	char head[LEXICON_HEAD];
	uint32_t text;                     /* where it starts in the texts */
	uint16_t len;
};

struct lexicon;

struct lexicon *lexicon_new(void);
void lexicon_free(struct lexicon *l);
void lexicon_clear(struct lexicon *l);                 /* of all terms; the memory stays */
/*
 * Counts a word of the document at hand. Of it only the term, its hash and its note are looked at.
 */
void lexicon_word(struct lexicon *l, const struct word *w, bool in_head);
/*
 * Ends the document: its tallies [n], each term once in the order of first appearance; borrowed
 * until the next word.
 */
const struct tally *lexicon_doc(struct lexicon *l, size_t *n);

/* its first 8 bytes as a number that sorts as they do */
uint64_t lexicon_prefix(const struct lexicon_term *t);
uint32_t lexicon_n_terms(const struct lexicon *l);
const struct lexicon_term *lexicon_term(const struct lexicon *l, uint32_t no);
/* [t->len], until the next word */
const char *lexicon_text(const struct lexicon *l, const struct lexicon_term *t);

#endif
