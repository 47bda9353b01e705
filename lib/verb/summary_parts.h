/*
 * summary_parts.h: what the two ways to a summary share. Private to lib/verb/summary*.c.
 */
#ifndef VERB_SUMMARY_PARTS_H
#define VERB_SUMMARY_PARTS_H

#include "base/buf.h"
#include "verb/summary.h"

/* Content and sources by rules into out; false: nothing. */
bool summary_by_rules(enum summary_of of, const struct summary_said *said, size_t n, struct summary_room room, struct arena *a, struct summary_made *out);
/* The structured part by rules. */
const char *summary_structure(const struct summary_said *said, size_t n, struct arena *a);
/* Content, structured, sources and model by a model; false: out->note says why, "" when none is configured. */
bool summary_by_model(enum summary_of of, const struct summary_said *said, size_t n, struct summary_room room, struct llm *l, struct arena *a,
		      struct summary_made *out);

/* Words of a text, as people count them; a character of Chinese is one. */
size_t summary_words(const char *text, size_t len);

/* The sentences of a text, code left out: fn gets those with a letter or digit in them, without bullets and blanks around. Returns 0 to go on. */
typedef int sentence_fn(void *arg, size_t start, size_t len);
void summary_sentences(const char *text, size_t len, sentence_fn *fn, void *arg);

#endif
