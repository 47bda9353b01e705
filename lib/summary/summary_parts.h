/*
 * summary_parts.h: what the summary by rules and the one by a model share, and the halves of
 * summarize.h. Private to lib/summary.
 */
#pragma once

#include "base/buf.h"
#include "rank/digest.h"
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

/* Sets of each unit [n] which tells what became of what it says. Cost: linear, and an order. */
void summary_later(struct digest_unit *units, size_t n, const struct summary_said *said);

/* A record of what was made, in no scope yet, without time, trust and sources. */
struct fact summary_record(const struct summary_made *made);

/* summary_again (summarize.h) of a consolidation: of those of its facts that it stands for. */
struct summarize_options;
int consolidation_again(struct store *s, const struct scope *who, const struct fact *f,
	const struct summarize_options *o, struct arena *a, const struct fact **now,
	struct err *err);

/* Counts words as people do; a Chinese character counts as one. */
size_t summary_words(const char *text, size_t len);
