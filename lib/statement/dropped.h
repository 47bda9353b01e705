/*
 * dropped.h: what a sentence says is dropped, by its name: "we drop Redis", "Mollie instead of
 * Stripe", "we move from Jenkins to Actions", "MongoDB nutzen wir nicht mehr"
 * (schema/cues/ends.txt, in seven languages).
 *
 * A statement whose thing that is holds hardly any longer, however little else both have in common.
 * Nothing is ended by it.
 */
#ifndef STATEMENT_DROPPED_H
#define STATEMENT_DROPPED_H

#include "statement/likeness_words.h"

#define DROPPED_MOST 2                     /* things of a sentence */

/* A thing, and what stands beside it: what it is dropped for, and where. */
struct dropped_thing { struct said is, beside; };
struct dropped {
	bool ours, named;                  /* "we" do so; what is dropped has a name */
	bool told;                         /* others refuse it, and we go by that */
	size_t n;
	struct dropped_thing of[DROPPED_MOST];
};

/*
 * Reads a sentence: only what its author says in their own voice, for good and for sure, or what
 * others refuse and what is done in its place ("Legal says Stripe is out, we use Mollie"); decided:
 * it is known to be a decision, as a label says, too. False: nothing is dropped. Cost: some 20
 * microseconds where it has a word of an end.
 */
bool dropped_read(struct dropped *d, const char *sentence, size_t len, bool decided);

enum dropped_of {
	DROPPED_NOT,
	DROPPED_NAMED,                     /* it names the thing, and not as what another is for */
	DROPPED_DECIDED,                   /* and says that it was decided */
	DROPPED_WHOLE                      /* and says nothing else of it but what it is for */
};

/* What of the things an older sentence is. Cost: some 10 microseconds; most others less. */
enum dropped_of dropped_is(const struct dropped *d, const char *older, size_t len, bool decided);

#endif
