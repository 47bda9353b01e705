/*
 * summary_parts.h: what the summary by rules and the one by a model share. Private to
 * lib/summary/summary*.c.
 */
#ifndef SUMMARY_SUMMARY_PARTS_H
#define SUMMARY_SUMMARY_PARTS_H

#include "base/buf.h"
#include "summary/summary.h"

/* The lists of the structured part: names and number. */
#define SUMMARY_PARTS 5
extern const char *const summary_part_names[SUMMARY_PARTS];

/*
 * Lets a model make content, structured, sources and model. On false, out->note says why it did
 * not, "" when no model is configured.
 */
bool summary_by_model(enum summary_of of, const struct summary_said *said, size_t n,
	struct summary_room room, struct llm *l, struct arena *a, struct summary_made *out);

/* Counts words as people do; a Chinese character counts as one. */
size_t summary_words(const char *text, size_t len);

#endif
