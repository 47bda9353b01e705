/*
 * remember_plan.h: what becomes of a fact, decided from it, the facts that are like it and those on
 * its key. Pure.
 */
#ifndef FACTS_REMEMBER_PLAN_H
#define FACTS_REMEMBER_PLAN_H

#include "store/records.h"

struct plan_like {
	int64_t row;
	double sim;
	bool same;                             /* the same words */
	const struct fact *fact;
};

enum plan_verdict { PLAN_STORED, PLAN_DUPLICATE, PLAN_SUPERSEDED, PLAN_CONFLICT };
extern const char *const plan_words[];                         /* by enum plan_verdict */

struct plan {
	enum plan_verdict verdict;
	enum step_did did;
	const char *of, *why;                  /* "" for none */
	/* of a duplicate: the fact that is there, with what the new one adds */
	struct fact merged;
	bool changes;                          /* it adds something */
	/* [n_ended] facts whose validity ends, their superseded_by still to be filled */
	struct fact *ended;
	size_t n_ended;
};

/* f gets its validity. What p points at is in the arena or in what came in. */
void plan_fact(struct fact *f, int64_t now_us, const struct plan_like *like, size_t n_like,
	const struct fact *const *on_key, size_t n_on_key, struct arena *a, struct plan *p);

#endif
