/*
 * edit.h: facts and reflections changed by hand, and steps taken back.
 */
#ifndef FACTS_EDIT_H
#define FACTS_EDIT_H

#include "facts/fact_record.h"

/* What is to become of a record; NULL, and a number below 0, leave a field as it is. */
struct edit_want {
	/* "" clears a key or subcategory */
	const char *content, *key, *bank, *subcategory, *category, *kind;
	const char *tags;                      /* JSON array; "" clears */
	const char *valid_from, *valid_to;     /* "none": open */
	double importance, confidence;
	int guard, retract;                    /* 1 yes, 0 no */
	bool restore;                          /* not retracted, and shown beside what sums it up */
	/* of content, key, subcategory and tags: else they go, as from all that is stored */
	bool keep_secrets;
};
#define EDIT_NOTHING \
	{ \
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, -1, -1, -1, -1, false, false \
	}

/*
 * Ids [n] (as records_find takes them) in one transaction and one step; fn is called with each, as
 * it is then, after the commit. ERR_USAGE: a field that cannot be so, or not of this type.
 * ERR_NOINPUT: no such record; then nothing is changed.
 */
int edit_records(struct store *s, const struct scope *who, const char *const *ids, size_t n,
	const struct edit_want *want, fact_fn *fn, void *arg, struct err *err);

/*
 * Takes steps back, all or none: those of numbers [n], or, n 0, the last. fn: after the commit, a
 * record of theirs and whether it is gone; out: the steps, NULL or [n], at least one. ERR_NOINPUT:
 * no such step; ERR_DATA: a later one stands on it, or it was taken back.
 */
int edit_undo(struct store *s, const struct scope *who, const int64_t *numbers, size_t n,
	undone_fn *fn, void *arg, struct step *out, struct err *err);

/* type, step, user, time, agent, did, why, undone. */
void record_step(struct buf *out, const char *user, const struct step *v);

#endif
