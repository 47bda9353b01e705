/*
 * remember_plan.h: decides what becomes of a new fact, from the facts that are similar to it and
 * those on its key. Pure: no store.
 */
#ifndef FACTS_REMEMBER_PLAN_H
#define FACTS_REMEMBER_PLAN_H

#include "store/records.h"

struct plan_like {
	int64_t row;
	double sim;                            /* how alike: the most alike is the duplicate */
	bool same;                             /* its words are the same */
	bool close;                            /* a threshold for letters or vectors says so */
	bool alike;                            /* statement/likeness.h says that it is the same */
	bool ends;                             /* the new one says that it has ended (ended.h) */
	bool differs;                          /* of one key: the value is another (values.h) */
	const char *against;                   /* why hardly both can hold; NULL: they can */
	const struct fact *fact;
};

enum plan_verdict { PLAN_STORED, PLAN_DUPLICATE, PLAN_SUPERSEDED, PLAN_CONFLICT };
extern const char *const plan_words[];                         /* by enum plan_verdict */

struct plan {
	enum plan_verdict verdict;
	enum step_did did;
	const char *of, *why;                  /* "" when there is none */
	/* of a duplicate: the stored fact with what the new one adds */
	struct fact merged;
	bool changes;                          /* whether merged differs from the stored fact */
	/* [n_ended] facts whose validity ends; the caller fills their superseded_by */
	struct fact *ended;
	size_t n_ended;
};

/*
 * What is known of the facts that a new one is compared with: those that are like it, and those on
 * its key, where both keys were given, not guessed from words. given: the key was named for this
 * one fact, so that it replaces what the key is set to, whatever it says.
 */
struct plan_known {
	const struct plan_like *like, *on_key;
	size_t n_like, n_on_key;
	bool given;
};

/* Sets f's validity and fills p, which borrows from a and from the arguments. */
void plan_fact(struct fact *f, int64_t now_us, const struct plan_known *known, struct arena *a,
	struct plan *p);

#endif
