/*
 * consolidate_plan.h: which facts belong together, decided without a store.
 */
#ifndef SUMMARY_CONSOLIDATE_PLAN_H
#define SUMMARY_CONSOLIDATE_PLAN_H

#include "summary/summarize.h"

#define GROUP_LEAST 3
#define GROUP_MOST  8

struct groupable {
	/* "" none; shared when it is the same, or the same up to the first of ". / :" */
	const char *key;
	const char *agent, *project;           /* facts of different ones are never joined */
	const uint64_t *tags;                  /* [n_tags] hashes */
	size_t n_tags;
	const float *vec;                      /* [n_dims] unit, or NULL */
};

/*
 * Groups of items [n], given oldest first: each begins with the oldest that is in none and takes
 * those nearest to it; sharing a key or tag counts as being the same. group [n]: the number of its
 * group from 1, 0 for those that are in none. min_cosine joins two vectors. Returns how many
 * groups. Cost: quadratic.
 */
size_t consolidate_plan(const struct groupable *items, size_t n, size_t n_dims, double min_cosine,
	enum summarize_by by, uint32_t *group);

#endif
