/*
 * transcripts.h: what the transcripts stored here say of a claim: turns that support it, and later
 * ones that say otherwise.
 */
#pragma once

#include "audit/claim.h"
#include "model/model.h"

struct evidence {
	const char *id, *session;              /* of a turn, in the arena */
	int64_t turn, time_us;
	const char *quote;                     /* the sentence of it that counts [len] */
	size_t len;
};

struct transcripts;

/*
 * Opens the transcripts of a store. model: sentences are compared by it as well; NULL: by words
 * alone. Store and model are borrowed.
 */
int transcripts_open(struct store *s, const struct scope *who, const struct model *model,
	struct transcripts **out, struct err *err);
void transcripts_close(struct transcripts *t);

/*
 * From now on a claim is supported only by what has each of its numbers and names, and what clashes
 * with it is sought (clash.h), among items [n], too, which are borrowed.
 */
void transcripts_be_strict(struct transcripts *t, const struct memory_item *items, size_t n);

struct testimony {
	bool supported;
	struct evidence for_it;                /* the best turn for it; id NULL: there is none */
	struct evidence against;               /* a later turn says otherwise; id NULL: none */
	/* of a strict hearing: a turn that names the same thing behind all that supports it */
	struct evidence named;
	/* ... and where nothing supports it: what clashes with it, and why */
	struct evidence clash;
	const char *clash_why;
};

/*
 * Looks for turns that support a claim or contradict it. source: the turn it rests on, which
 * supports it, and of which only what is later is against it; with id NULL: none is known.
 * time_us: when the claim was written, TIME_NONE: not known; about: what it is listed under, or "".
 * A statement about the user is supported by what users said alone; texts are in a. Cost: a search;
 * with a model, where words leave it open, up to 24 sentences are embedded.
 */
int transcripts_hear(struct transcripts *t, const struct claim *c, const struct evidence *source,
	int64_t time_us, const char *about, struct arena *a, struct testimony *out,
	struct err *err);

/* The last of the turns that a record of ours rests on, quoted; an id of NULL: there is none. */
int transcripts_source(struct transcripts *t, const struct memory_item *r, struct arena *a,
	struct evidence *out, struct err *err);
