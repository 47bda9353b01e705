/*
 * remember.h: facts and reflections into the store, each compared with what is known (SPEC 4.5).
 *
 * A reflection is stored as it is. A fact is a duplicate of one that holds when it says the same:
 * the same words; or, unless it is a preference of at most 100 characters, a calibrated similarity
 * of duplicate_sim where both have vectors, or a text similarity of duplicate_text, and nothing in
 * text/merge_guard.h against it. What the duplicate rests on is added to the fact that is there. Of
 * two facts on one key the later ends the earlier one's validity, unless that is protected or
 * deserves more trust: then both stand, a conflict.
 */
#ifndef FACTS_REMEMBER_H
#define FACTS_REMEMBER_H

#include "facts/fact_record.h"

struct remember;

struct remember_options {
	struct fact_rules rules;
	double duplicate_sim, duplicate_text;
};

struct remember_fn {
	/*
	 * After the commit, in the order of coming in. f is what is stored: of a duplicate, the one
	 * that was there.
	 */
	void (*verdict)(void *arg, const struct verdict *v, const struct fact *f);
	/* one that was refused, as it came in */
	void (*bad)(void *arg, uint64_t line, const char *text, size_t len, const char *why);
	/* once: facts are compared by their words alone, their vectors are to come */
	void (*without)(void *arg, const char *why);
	void *arg;
};

/* s is open for writing; it, who, o and fn are borrowed. */
int remember_open(struct store *s, const struct scope *who, const struct remember_options *o,
	const struct remember_fn *fn, struct remember **out, struct err *err);
void remember_close(struct remember *r);

/*
 * A record, when it begins with "{", else plain text; copied. ERR_DATA: it is none. line is for
 * fn->bad.
 */
int remember_add(struct remember *r, const char *text, size_t len, uint64_t line, struct err *err);
bool remember_is_full(const struct remember *r);               /* commit now */
/* What was added, in one transaction. On -1 nothing of it is stored. */
int remember_commit(struct remember *r, struct err *err);

struct remember_counts {
	uint64_t stored, duplicates, superseded, conflicts, refused;
	unsigned redacted;
};
const struct remember_counts *remember_counts(const struct remember *r);

#endif
