/*
 * summary_parts.h: what the two ways to a summary share. Private to lib/summary/summary*.c.
 */
#ifndef SUMMARY_SUMMARY_PARTS_H
#define SUMMARY_SUMMARY_PARTS_H

#include "base/buf.h"
#include "summary/summary.h"

/* The lists of the structured part, and as many as there are. */
#define SUMMARY_PARTS 5
extern const char *const summary_part_names[SUMMARY_PARTS];

/*
 * Content, structured, sources and model by a model; false: out->note says why, "" when none is
 * configured.
 */
bool summary_by_model(enum summary_of of, const struct summary_said *said, size_t n,
	struct summary_room room, struct llm *l, struct arena *a, struct summary_made *out);

/* Words of a text, as people count them; a character of Chinese is one. */
size_t summary_words(const char *text, size_t len);

#endif
