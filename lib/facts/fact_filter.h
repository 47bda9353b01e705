/*
 * fact_filter.h: reads the options --bank, --category, --subcategory, --tag, --importance, --as-of
 * and --known-at into a filter of records.
 */
#pragma once

#include "store/records.h"

struct fact_words {
	/* NULL: not given */
	const char *bank, *category, *subcategory, *tag, *as_of, *known_at;
	double importance;
};

/* warn is told of a bank that is none. ERR_USAGE names the option. Texts may be in the arena. */
int fact_filter(const struct fact_words *w, void (*warn)(void *arg, const char *text),
	struct arena *a, struct record_filter *f, struct err *err);
