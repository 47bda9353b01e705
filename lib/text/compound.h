/*
 * compound.h: reads a compound (an identifier, a path, a hyphened word) from the text, for ident.c
 * to split.
 */
#pragma once

#include "text/scan.h"

#define COMPOUND_BYTES 256         /* bytes; a longer one is cut and goes on as another compound */
#define COMPOUND_FOLD  (3 * COMPOUND_BYTES)
#define COMPOUND_TERMS 48          /* most terms that one compound gives */

/* PLUS: the signs of "c++" and "c#" */
enum { LOWER = 1, UPPER = 2, DIGIT = 4, JOINER = 8, PLUS = 16  };

struct compound {
	struct scan *s;
	const char *start, *end;       /* in the text */
	/* it is known to be code by what precedes it: "--", a back-quote, a path's slash, # or . */
	bool in_code;
	size_t len;
	char fold[COMPOUND_FOLD];
	uint8_t cls[COMPOUND_FOLD];       /* class of each byte of fold: LOWER ... */
	uint16_t at[COMPOUND_FOLD + 1];   /* offset in the text, from start, of each byte of fold */
	size_t n_terms;
	uint64_t terms[COMPOUND_TERMS];     /* hashes of the terms handed out so far */
};

/*
 * Reads the compound at p (a letter, a digit, or the byte behind a leading - or /; # and . belong
 * to it) and sets start, end, len, fold, cls and at of c. Returns where the compound ends in the
 * text, before any trimming; p when there is none.
 */
const char *compound_read(struct compound *c, const char *p, const char *end);
