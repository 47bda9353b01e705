/*
 * import_parts.h: what import.c does with what was read: what another store says of itself
 * (arrival.c), what goes into the store (give.c), and what must go again (bereft.c). Private to
 * lib/transfer.
 */
#pragma once

#include "base/buf.h"
#include "facts/forget.h"
#include "transfer/given.h"

/* ---- arrival.c: marks are kept, and what was removed there is removed here ---- */
struct arrival {
	struct store *s;
	bool on;                           /* it is what is new, and not a whole memory */
	struct news_head head;
	char *name, *user;
	uint8_t (*keys)[TOMBSTONE_BYTES];  /* of what was removed there, to be removed here */
	size_t n_keys, cap;
};

void arrival_release(struct arrival *a);

/*
 * From here on what is put comes from that store. No transaction is open. ERR_DATA: it is this very
 * store, or it is for another one.
 */
int arrival_begin(struct arrival *a, const struct news_head *head, struct err *err);
/*
 * In a transaction of its own: what the keys name goes, with all that was made of it alone, and
 * they are kept, so that it stays away. *n_gone: messages and records.
 */
int arrival_bury(struct arrival *a, int64_t *n_gone, struct err *err);
/*
 * All came. The marks are kept; that of what is here stays where it was if not all that came was
 * good to be stored, or, ERR_DATA, there is a gap before it.
 */
int arrival_end(struct arrival *a, bool all_taken, struct err *err);
/* It is over, however it ended. */
void arrival_leave(struct arrival *a);

/* ---- bereft.c: records that rest on what was removed here ---- */
struct bereft { struct bereft_record *at; size_t n, cap; };

void bereft_release(struct bereft *b);
/* In the open transaction: notes a record that was put, if any of its sources was removed here. */
int bereft_look(struct bereft *b, struct store *s, const char *user, const struct record_head *h,
	struct err *err);
/*
 * When all that came is stored, in a transaction of its own: of those that were noted removes what
 * mem-forget would have removed with their sources, as what is done here. *n_gone: records.
 */
int bereft_remove(struct bereft *b, struct arrival *a, int64_t *n_gone, struct err *err);

/* ---- give.c: puts records into the store, in the transaction that is open ---- */
/* What is remembered between one record and the next. */
struct giver {
	struct store *s;
	struct step_given step;            /* the last that came; id "": none */
	/* that of records which have none: made with the first of them */
	struct step_given own;
	char *user, *session;              /* of own; the session that came last, and was new */
	struct buf have, given;            /* two records that are compared */
	struct buf why, agent;             /* of step */
	struct vectors_in *vectors;        /* of the user and model below; NULL: none are put */
	char *vectors_user;
	uint8_t vectors_model[SHA256_BYTES];
	struct bereft bereft;              /* what was put and may have to go again */
	struct arena arena;
};

void giver_init(struct giver *g, struct store *s);
void giver_release(struct giver *g);
/* ERR_DATA: the record does not go in, and why; the others may. */
int giver_put(struct giver *g, struct given *v, enum give_did *did, struct err *err);
/* Before the transaction is committed, or rolled back if it did not go well. */
int giver_end(struct giver *g, bool well, struct err *err);
