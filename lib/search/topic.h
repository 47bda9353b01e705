/*
 * topic.h: the categories (mem-cluster) that a question is about.
 */
#ifndef SEARCH_TOPIC_H
#define SEARCH_TOPIC_H

#include "store/categories.h"

struct topic {
	struct category category;          /* name and keywords in the arena */
	/* of the question's words that stand in its name or keywords: over 0 to 1 */
	double share;
};

/*
 * Those that have one of the question's words, best first, of equals the larger; stop words do not
 * count. *out [*n] in the arena.
 */
int topics_find(struct store *s, const struct scope *who, const char *text, size_t len,
	struct arena *a, struct topic **out, size_t *n, struct err *err);

#endif
