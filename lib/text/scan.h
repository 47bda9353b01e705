/*
 * scan.h: what the two halves of the tokenizer share: words.c, which finds words, and ident.c,
 * which takes compounds apart.
 */
#ifndef TEXT_SCAN_H
#define TEXT_SCAN_H

#include "text/words.h"

/* What an ASCII byte can be; 0 separates words and nothing else. */
enum {
	BYTE_LOWER = 1,
	BYTE_UPPER = 2,
	BYTE_DIGIT = 4,
	BYTE_HIGH = 8,             /* part of a longer character */
	BYTE_LEAD = 16,            /* may begin an identifier: # . - / _ */
	/* may hold two words together, or end one: . - / _ @ : ' , + # */
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
	int rc;                    /* what the callback said; anything but 0 ends it */
};

/*
 * Hands out a term at the present position, at most WORDS_TERM_BYTES long and not empty; start and
 * end are what it was made from.
 */
struct term { const char *text; size_t len; uint64_t hash; struct word_note *note; bool stop; };
void scan_emit(struct scan *s, enum word_kind kind, const struct term *t, const char *start,
	const char *end);

/*
 * The stem of a lower-case ASCII word as a term in out, which has room for WORDS_TERM_BYTES and may
 * be word.
 */
struct term scan_stem(const char *word, size_t len, char *out);

/*
 * Takes the compound that starts at p (a letter, a digit, or a byte that leads one) apart, hands
 * out its terms, moves the position on, and returns where scanning goes on, always after p.
 */
const char *scan_compound(struct scan *s, const char *p);

#endif
