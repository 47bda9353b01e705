/* topic.h: finds the categories (mem-cluster) that a question is about. */
#pragma once

#include "store/categories.h"

struct topic {
	struct category category;          /* its name and keywords are in the arena */
	/* share of the question's words that are in name or keywords: above 0, at most 1 */
	double share;
};

/*
 * Finds categories that have at least one of the question's words, best first, among equals the
 * larger; stop words do not count. *out [*n] in the arena.
 */
int topics_find(struct store *s, const struct scope *who, const char *text, size_t len,
	struct arena *a, struct topic **out, size_t *n, struct err *err);
