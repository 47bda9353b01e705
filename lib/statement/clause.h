/*
 * clause.h: cuts a text into clauses that each hold one statement: half of a compound sentence, a
 * relative add-on, what stands in parentheses or behind a dash. English, German and Chinese, with
 * full or half-width punctuation; other languages by their punctuation alone.
 *
 * Fenced code, quoted lines (">"), tables and indented lines are passed over.
 */
#pragma once

#include "base/base.h"

enum clause_flag {
	CLAUSE_QUESTION = 1,       /* its sentence ends with a question mark */
	CLAUSE_EXCLAIM = 2,
	CLAUSE_QUOTED = 4,         /* most of it stands in quotation marks */
	CLAUSE_ASIDE = 8,          /* in parentheses */
	CLAUSE_LIST = 16,          /* an item of a list */
	CLAUSE_HALF = 32,          /* its sentence has other clauses before it */
	CLAUSE_COLON = 64,         /* a colon ends it, or the sentence before it */
	CLAUSE_CITED = 128,        /* it is quoted, with a mark before its first word as well */
};

struct clause {
	/* bytes of the text, without lead-ins ("and", "well,") and stops */
	size_t start, len;
	size_t sentence, sentence_len;
	unsigned flags;            /* of enum clause_flag */
};

/* Returns 0 to continue; any other value stops. */
typedef int clause_fn(void *arg, const struct clause *c);
/* Cost: linear, some 300 ns a word. */
void clauses_each(const char *text, size_t len, clause_fn *fn, void *arg);

/* The bytes of a list's marker at the start of a line: "- ", "12. ", "3) "; 0: it has none. */
size_t clause_marker(const char *p, size_t len);
