/*
 * remember_plan.h: decides what becomes of a new fact, from the facts that are similar to it and
 * those on its key. Pure: no store.
 */
#pragma once

#include "store/records.h"

/*
 * What a statement says of one that was said before it: that it has ended (ended.h); why hardly
 * both can hold, NULL: they can.
 */
struct plan_said { bool ends; const char *against; };

struct plan_like {
	int64_t row;
	double sim;                            /* how alike: the most alike is the duplicate */
	bool same;                             /* its words are the same */
	bool close;                            /* a threshold for letters or vectors says so */
	bool alike;                            /* statement/likeness.h says that it is the same */
	bool differs;                          /* of one key: the value is another (values.h) */
	struct plan_said of, by;               /* what the new one says of it, and it of that */
	const int64_t *again;                  /* [n_again] when it was said once more */
	size_t n_again;
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
	bool known;                            /* it rests on nothing that was not known */
	bool earlier;                          /* it was said before the stored fact */
	/*
	 * [n_ended] facts that what the new one says concerns, as they are stored; ends: their
	 * validity ends at cut_us. What was said of them behind that is a fact of its own.
	 */
	struct plan_ended { const struct fact *fact; bool ends; } *ended;
	size_t n_ended;
	int64_t cut_us;
};

/*
 * Makes a merged fact begin as the one that was said before it; unless it is protected, with its
 * words.
 */
void plan_earlier(struct fact *merged, const struct fact *f, struct arena *a);

/* When a fact begins to hold: valid_from, else when it was said, else now. */
int64_t plan_begin(const struct fact *f, int64_t now_us);

/*
 * Sets valid_from where the words of what may end another fact say that it begins later: "I live in
 * Ulm from next Monday". What holds until then is not ended before.
 */
void plan_read_begin(struct fact *f, int64_t now_us);
/* When it was said first behind a time; TIME_NONE: never. */
int64_t plan_said_behind(const struct plan_like *like, int64_t at_us, int64_t now_us);

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
