/*
 * scan.h: shared by the two halves of the tokenizer: words.c, which finds words, and ident.c, which
 * splits compounds.
 */
#pragma once

#include "text/words.h"

/* What an ASCII byte can be, as bits; 0: it only separates words. */
enum {
	BYTE_LOWER = 1,
	BYTE_UPPER = 2,
	BYTE_DIGIT = 4,
	BYTE_HIGH = 8,             /* part of a character of several bytes */
	BYTE_LEAD = 16,            /* may begin an identifier: # . - / _ */
	/* may join two words, or end one: . - / _ @ : ' , + # */
	BYTE_JOIN = 32
};

#define BYTE_LETTER (BYTE_LOWER | BYTE_UPPER)
#define BYTE_WORD   (BYTE_LETTER | BYTE_DIGIT)

extern const uint8_t scan_bytes[256];

struct scan {
	const char *text, *end;
	word_fn *fn;
	void *arg;
	uint32_t position;
	int rc;                    /* what the callback returned; anything but 0 ends the scan */
};

/*
 * Hands out a term at the current position, of 1 to WORDS_TERM_BYTES bytes; start and end are the
 * bytes from which it was made.
 */
struct term { const char *text; size_t len; uint64_t hash; struct word_note *note; bool stop; };
void scan_emit(struct scan *s, enum word_kind kind, const struct term *t, const char *start,
	const char *end);

/*
 * Makes a term of the stem of a lower-case ASCII word, in out, which has room for WORDS_TERM_BYTES
 * and may be the same as word.
 */
struct term scan_stem(const char *word, size_t len, char *out);

/*
 * Splits the compound that begins at p (a letter, a digit, or a byte that leads one), hands out its
 * terms and advances the position. Returns where scanning continues, which is always after p.
 */
const char *scan_compound(struct scan *s, const char *p);
