/*
 * compound.h: a compound as compound.c reads it from the text, for ident.c to take apart.
 */
#ifndef TEXT_COMPOUND_H
#define TEXT_COMPOUND_H

#include "text/scan.h"

#define COMPOUND_BYTES 256         /* a longer one is cut there and goes on as another */
#define COMPOUND_FOLD  (3 * COMPOUND_BYTES)
#define COMPOUND_TERMS 48          /* handed out of one compound */

enum { LOWER = 1, UPPER = 2, DIGIT = 4, JOINER = 8, PLUS = 16 /* of "c++" and "c#" */ };

struct compound {
	struct scan *s;
	const char *start, *end;       /* in the text */
	/* a leader says so: "--", a back-quote, a path's slash, # or . */
	bool in_code;
	size_t len;
	char fold[COMPOUND_FOLD];
	uint8_t cls[COMPOUND_FOLD];       /* LOWER ... */
	uint16_t at[COMPOUND_FOLD + 1];   /* offset in the text from start */
	size_t n_terms;
	uint64_t terms[COMPOUND_TERMS];     /* hashes of what was handed out */
};

/*
 * Reads the compound at p (a letter, a digit, or the byte after a leading - or /; # and . are
 * kept): c's start, end, len, fold, cls and at are set. Returns where it ends in the text, before
 * what was trimmed; p when there is none.
 */
const char *compound_read(struct compound *c, const char *p, const char *end);

#endif
