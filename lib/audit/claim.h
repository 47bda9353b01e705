/*
 * claim.h: the statements that a memory's records make, put as the user would say them
 * (first_person.h), so that they can be compared with each other and with what was said.
 */
#ifndef AUDIT_CLAIM_H
#define AUDIT_CLAIM_H

#include "audit/memories.h"
#include "statement/likeness_words.h"
#include "statement/reading.h"

#define CLAIM_KEYS 4

/* What one clause says of a property that has one value at a time (statement/reading.h). */
struct claim_key {
	const char *key, *about;
	const char *clause;        /* what says it */
	size_t clause_len;
	size_t value_start;        /* where the value stands in it; 0: not known */
	bool work;                 /* of work or a project, which have more than one of a kind */
};

struct claim {
	size_t record;             /* whose statement it is, in memories.items */
	const char *text;          /* as it stands in the record's content */
	size_t len;
	const char *said;          /* as the user would say it */
	size_t said_len;
	const struct said *words;  /* of it */
	uint64_t plain;            /* the same of two whose words are the same, as written */
	size_t whole;              /* the sentence that it is a part of; itself: it is a sentence */
	bool parts;                /* it is a sentence whose parts follow as claims of their own */
	const char *about;         /* "user", "other:Tess" (statement/reading.h) */
	const struct said *named;  /* the words of "Tess" in it */
	bool user;                 /* it is about the user */
	bool done;                 /* some clause says that something holds no longer, or is past */
	int64_t from_us, to_us;    /* the first and last time that it names; TIME_NONE: none */
	struct claim_key keys[CLAIM_KEYS];
	size_t n_keys;
};

struct claims {
	struct claim *c;           /* [n], by record */
	size_t n, cap;
};

/* Cuts all records into claims; texts are in m's arena. owner: what the user is called, or "". */
void claims_read(struct claims *out, struct memories *m, const char *owner);
void claims_release(struct claims *c);

/* Fills keys [CLAIM_KEYS] from the clauses of a text; returns how many. a is where texts go. */
size_t claim_keys(const char *text, size_t len, const struct reading_by *by, struct arena *a,
	struct claim_key *keys);

/* Whether both are about one property of one thing; and whether they give it the same value. */
bool claim_keys_agree(const struct claim_key *a, const struct claim_key *b);
bool claim_values_agree(const struct claim_key *a, const struct claim_key *b);

#endif
