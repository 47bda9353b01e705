/*
 * fact_rank.h: orders facts for a question by more than their own words: the turn that a fact rests
 * on, whom it is about, the key that is asked for, and whether it held at the time that is meant.
 */
#pragma once

#include "search/fact_question.h"
#include "search/facts_search.h"

/*
 * Puts what does not hold yet behind what it ends and holds until then, unless the question asks
 * for what is to come. Sets score and p.
 */
void fact_rank_not_yet(const struct fact_question *q, struct tier_hit *hits, size_t n);

/*
 * Sets the score of hits [n], 0 to 1. Their bm25, sim and turn are given; dense: sim is that of
 * vectors where there is one. Cost: two messages read for each hit.
 */
int fact_rank(struct store *s, const struct scope *who, const struct fact_question *q, bool dense,
	struct tier_hit *hits, size_t n, struct arena *a, struct err *err);
