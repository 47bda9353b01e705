/*
 * edit.h: facts and reflections changed by hand, and steps taken back.
 */
#pragma once

#include "facts/fact_record.h"

/* The changes to a record. NULL, or a number below 0, leaves the field as it is. */
struct edit_want {
	/* "" clears the key or subcategory */
	const char *content, *key, *bank, *subcategory, *category, *kind;
	const char *tags;                      /* JSON array; "" clears */
	const char *valid_from, *valid_to;     /* "none" removes the bound */
	double importance, confidence;
	int guard, retract;                    /* 1 yes, 0 no */
	bool restore; /* no longer retracted, and listed again beside the record that sums it up */
	/* keeps secrets in content, key, subcategory and tags; otherwise they are redacted */
	bool keep_secrets;
};
#define EDIT_NOTHING \
	{ \
		NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, -1, -1, -1, -1, false, false \
	}

/*
 * Changes the records ids [n] (in any form that records_find accepts) in one transaction and one
 * step. fn, unless NULL, is called with each changed record after the commit. ERR_USAGE: a value is
 * not valid, or the record's type has no such field. ERR_NOINPUT: there is no such record. On an
 * error nothing is changed.
 */
int edit_records(struct store *s, const struct scope *who, const char *const *ids, size_t n,
	const struct edit_want *want, fact_fn *fn, void *arg, struct err *err);

/*
 * Takes back the steps numbers [n], or the last step when n is 0; all of them or none. fn is called
 * after the commit with each record that the steps had changed, and whether the record is gone now.
 * out [n], at least one, receives the steps. ERR_NOINPUT: there is no such step. ERR_DATA: a later
 * step changed the same record, or the step was taken back already.
 */
int edit_undo(struct store *s, const struct scope *who, const int64_t *numbers, size_t n,
	undone_fn *fn, void *arg, struct step *out, struct err *err);

/*
 * Gives what is of the project from, and of those below it, to the project to (projects_move).
 * ERR_NOINPUT: there is nothing of it. On an error nothing is changed.
 */
int edit_move(struct store *s, const struct scope *who, const char *from, const char *to,
	struct projects_moved *out, struct err *err);

/* Writes a step as a record: type, step, user, time, agent, did, why, undone. */
void record_step(struct buf *out, const char *user, const struct step *v);
