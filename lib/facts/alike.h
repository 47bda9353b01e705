/*
 * alike.h: finds the facts that a new fact may repeat or end: by their letters, by the words they
 * have in common and by their vectors.
 */
#pragma once

#include "facts/neighbours.h"
#include "facts/remember_plan.h"
#include "facts/subject.h"

#define ALIKE_MOST 96

/*
 * The texts of all facts, which one new fact after another is compared with. They are read when
 * they are first asked for; what is stored then is added. alike_texts_reset: another program may
 * have stored facts, so that they are read anew.
 */
struct alike_texts;
struct alike_texts *alike_texts_new(void);
void alike_texts_reset(struct alike_texts *t);
void alike_texts_free(struct alike_texts *t);
void alike_texts_add(struct alike_texts *t, const struct fact *f);

struct alike_want {
	struct store *store;
	const struct scope *who;
	struct alike_texts *texts;
	struct neighbours *near_index;         /* NULL: by words alone */
	const struct fact *fact;               /* the new one */
	size_t number;                         /* of its text in near_index */
	int64_t now_us;
	struct fact_subject subject;           /* whom it is about */
	double duplicate_sim, duplicate_text;  /* settings */
};

/*
 * Finds the facts, whatever holds of them, that may say the same as the new one, or be ended by it;
 * out [ALIKE_MOST], their texts in a. Facts about others are left out. In a transaction. Cost:
 * some ten nanoseconds for each fact, and reading what is found; where there are vectors, compares
 * them all. A text of more than some 200 words is compared letter by letter with those of its size
 * alone.
 */
int alike_find(const struct alike_want *w, struct arena *a, struct plan_like *out, size_t *n,
	struct err *err);

/*
 * Whether a fact may be about the same as the new one: about one person, and of one project where
 * both are of one.
 */
bool alike_may_concern(const struct fact *f, const struct fact_subject *of_f,
	const struct fact *g, const struct fact_subject *of_g);

/*
 * Judges a fact that was found otherwise, which may be about the same; without vectors. out is in
 * a.
 */
int alike_judge(const struct alike_want *w, const struct fact *g, const struct fact_subject *of_g,
	struct arena *a, struct plan_like *out, struct err *err);

/*
 * Whether a fact takes the place of an older one, by the rules of remembering: both are on one key
 * that was given and its value is another, or it says what has ended. Both are of one person.
 */
bool alike_replaces(const struct fact *newer, const struct fact *older, struct arena *a);
