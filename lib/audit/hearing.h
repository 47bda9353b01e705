/*
 * hearing.h: what one turn says of a claim: how much of it stands in the best of its sentences, and
 * whether one says otherwise.
 */
#pragma once

#include "audit/claim.h"
#include "store/store.h"

/* A sentence of a turn, read. */
struct heard_sentence {
	size_t start, len;
	bool question;
	const struct said *words;
};

/* The sentences of a turn. */
struct heard_turn {
	int64_t row;
	struct heard_sentence *sentences;      /* [n] */
	size_t n;
};

/* Turns are kept as they were read, because many claims are heard by the same. */
struct heard_turns;
struct heard_turns *heard_turns_new(void);
void heard_turns_free(struct heard_turns *k);
/* Lent until the next call. Cost: some 10 microseconds a sentence that was not read before. */
const struct heard_turn *heard_turns_read(struct heard_turns *k, const struct message *m);

struct hearing {
	const struct claim *c;
	const struct said *untimed;        /* its words that are no time */
	struct said *known;                /* the speaker's name; what the claim is listed under */
	bool near;                         /* the turn is not far from the time that it names */
	/* a sentence supports it only with all its numbers and names; one may clash with it */
	bool exact;
	const struct message *m;
	/* the best sentence of the turn */
	double share;
	size_t start, len;
	bool ended;                        /* ... that it ended */
	bool against;                      /* a sentence that says otherwise was found */
	size_t against_start, against_len;
	/* ... that has another number or name, or denies it: why, static; words of both */
	const char *clash;
	size_t clash_start, clash_len, clash_shared;
};

/* Whether what is said in m can support the claim at all. */
bool hearing_may_support(const struct claim *c, const struct message *m);

/* Hears a turn about h->c; untimed, known and m are given. Cost: some microseconds a sentence. */
void hearing_take(struct hearing *h, const struct heard_turn *turn);
