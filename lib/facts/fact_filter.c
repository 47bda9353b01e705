/*
 * fact_filter.c: reads the filters of facts that a person types.
 */
#include "facts/fact_filter.h"

#include "base/clock.h"
#include "facts/fact_record.h"
#include "records/filter.h"

int
fact_filter(const struct fact_words *w, void (*warn)(void *arg, const char *text),
	struct arena *a, struct record_filter *f, struct err *err)
{
	int64_t now_us = clock_now_us();

	if (w->bank != NULL)
		f->bank = fact_bank_or_default(w->bank, warn, a);
	if (w->category != NULL && (f->category = fact_root_parse(w->category)) < 0)
		return err_set(err, ERR_USAGE,
		    "unknown category '%s': facts, preferences, skills, rules or context",
		    w->category);
	f->subcategory = w->subcategory;
	/* "facts/baking bread"; a name may have a slash of its own */
	for (int root = 0; w->subcategory != NULL && root < N_FACT_ROOTS; root++) {
		size_t len = strlen(fact_root_names[root]);

		if (strncmp(w->subcategory, fact_root_names[root], len) == 0 &&
		    w->subcategory[len] == '/' && (f->category < 0 || f->category == root)) {
			f->category = root;
			f->subcategory += len + 1;
		}
	}
	f->tag = fact_tag_filter(w->tag, a);
	f->min_importance = w->importance;
	return filter_moment("--as-of", w->as_of, now_us, &f->as_of_us, err) != 0
	    ? -1 : filter_moment("--known-at", w->known_at, now_us, &f->known_us, err);
}
