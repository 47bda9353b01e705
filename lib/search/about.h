/* about.h: what is likely about a text, of all that is known: to be forgotten, not only read. */
#pragma once

#include "records/filter.h"
#include "search/search.h"

struct about_want {
	struct scope who;                  /* a session in it: what was said there alone */
	const struct filter_words *words;  /* a name or a time that narrow it */
	const char *text;
	const char *program;               /* that asks, for the figures of searches */
	void (*without)(void *arg, const char *text);  /* is told that meaning is not compared */
};

/*
 * A message, or a record (a fact, a note, a summary), which has no session; borrowed until about_fn
 * returns.
 */
struct about_found {
	bool is_record;
	const char *id, *session, *text;
	size_t len;
	int64_t time_us;
};
typedef void about_fn(void *arg, const struct about_found *f);

/* Cost: a search of each tier, of as many hits as the setting limit says. */
int about_find(struct store *s, const struct about_want *want, about_fn *fn, void *arg,
	struct err *err);
