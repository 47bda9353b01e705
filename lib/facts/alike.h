/*
 * alike.h: finds the facts that a new fact may repeat or end: by their letters, by the words they
 * have in common and by their vectors.
 */
#ifndef FACTS_ALIKE_H
#define FACTS_ALIKE_H

#include "facts/neighbours.h"
#include "facts/remember_plan.h"

#define ALIKE_MOST 96

struct alike_want {
	struct store *store;
	const struct scope *who;
	struct neighbours *near_index;         /* NULL: by words alone */
	const struct fact *fact;               /* the new one */
	size_t number;                         /* of its text in near_index */
	const char *subject;                   /* whom it is about (facts/subject.h) */
	double duplicate_sim, duplicate_text;  /* settings */
};

/*
 * Finds the facts, whatever holds of them, that may say the same as the new one, or be ended by it;
 * out [ALIKE_MOST], their texts in a. Facts about others are left out. In a transaction. Cost:
 * reads the texts of all facts; where there are vectors, compares them all.
 */
int alike_find(const struct alike_want *w, struct arena *a, struct plan_like *out, size_t *n,
	struct err *err);

#endif
