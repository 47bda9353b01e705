/*
 * remember.h: stores facts and reflections, each fact compared with those that are known.
 *
 * A reflection is stored as it is. A fact is a duplicate of one that still holds when it says the
 * same: its words are the same; or, unless it is a preference of at most 100 characters, its
 * calibrated similarity is at least duplicate_sim where both have vectors, or its text similarity
 * at least duplicate_text, and statement/likeness.h finds no difference in meaning. The sources
 * of a duplicate are added to the fact that is there. A fact ends another one's validity when both
 * are on one key that was given and it has another value, or when it says what has ended
 * (statement/ended.h), unless the other is protected or has more trust. What else cannot hold
 * beside it is a conflict: both stand.
 */
#pragma once

#include "facts/fact_record.h"

struct remember;

struct remember_fn {
	/*
	 * Called after the commit, in the order of input. f is the stored fact: of a duplicate, the
	 * one that was there.
	 */
	void (*verdict)(void *arg, const struct verdict *v, const struct fact *f);
	/* a record that was refused, as it came in; may be NULL */
	void (*bad)(void *arg, uint64_t line, const char *text, size_t len, const char *why);
	/*
	 * called once, when facts are compared by their words alone because their vectors cannot be
	 * had; may be NULL
	 */
	void (*without)(void *arg, const char *why);
	void *arg;
};

/*
 * s must be open for writing; s, who, rules and fn are borrowed. ERR_CONFIG: memory is off in the
 * project; a record of one where it is off is refused.
 */
int remember_open(struct store *s, const struct scope *who, const struct fact_rules *rules,
	const struct remember_fn *fn, struct remember **out, struct err *err);
/*
 * Only says what would become of what is added: nothing is stored, and s may be open to read. What
 * was forgotten counts as what would be stored.
 */
void remember_only_judge(struct remember *r);
void remember_close(struct remember *r);

/*
 * Adds a record, when text begins with "{", otherwise plain text; it is copied. ERR_DATA: it is no
 * record. line is passed on to fn->bad.
 */
int remember_add(struct remember *r, const char *text, size_t len, uint64_t line, struct err *err);
/*
 * The bytes of a text that are to be added as one: all, or of a list of tasks, "- [ ] ...", the
 * first with the lines that belong to it, as each is one. On a key there is one alone.
 */
size_t remember_one(const struct remember *r, const char *text, size_t len);
bool remember_is_full(const struct remember *r);               /* call remember_commit now */
/* Stores what was added, in one transaction. On -1 none of it is stored. */
int remember_commit(struct remember *r, struct err *err);

struct remember_counts {
	uint64_t stored, duplicates, superseded, conflicts, forgotten, refused;
	uint64_t bereft;                       /* facts of another store, without its messages */
	unsigned redacted;
};
const struct remember_counts *remember_counts(const struct remember *r);
