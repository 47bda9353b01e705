/*
 * consolidate_plan.h: decides which facts belong together. No store needed.
 */
#pragma once

#include "summary/summarize.h"

#define GROUP_LEAST 3
#define GROUP_MOST  8

struct groupable {
	/*
	 * "": none. Two keys are shared when they are equal, or equal up to their first ".", "/" or
	 * ":".
	 */
	const char *key;
	const char *agent, *project; /* facts of different agents or projects are never joined */
	const uint64_t *tags;                  /* [n_tags] hashes */
	size_t n_tags;
	const float *vec;                      /* [n_dims] of length 1, or NULL */
};

/*
 * Groups items [n], given oldest first. Each group begins with the oldest item that is in none and
 * takes those most similar to it; sharing a key or tag counts more than any cosine. min_cosine is
 * the cosine from which two vectors join. group [n] receives each item's group, numbered from 1, or
 * 0 for none. Returns the number of groups. Cost: quadratic in n.
 */
size_t consolidate_plan(const struct groupable *items, size_t n, size_t n_dims, double min_cosine,
	enum summarize_by by, uint32_t *group);
