/*
 * stored.h: facts and notes that the user or an agent stored on purpose, among the answers of a
 * search of conversations. They are few and short, and each was worth a sentence to somebody, so
 * one that likely answers comes before what was only said; the others are left out. What was
 * distilled from turns is none of them: it has tiers of its own (facts_search.h).
 */
#pragma once

#include "search/facts_search.h"
#include "search/search.h"

#define STORED_MOST 5                  /* hits of one question */
/*
 * The p from which a record goes before all turns, and may be told unasked. Records are short and
 * stand alone: of two on like matters each has half the words of a question about the other.
 */
#define STORED_SURE 0.6

/*
 * After a run of s for q with result r: *out [*n] in the arena, best first, those that are sure,
 * and those that are likelier than any turn in r, if half as likely as the setting likely wants. A
 * note that keeps the words of a turn in r is left out. Their score is their p. known: what they
 * must pass. Where nothing is stored on purpose, it costs one look.
 */
int stored_find(struct facts_search *t, struct search *s, const struct scope *who,
	const struct search_query *q, const struct search_result *r,
	const struct record_filter *known, struct arena *a, struct tier_hit **out, size_t *n,
	struct err *err);
