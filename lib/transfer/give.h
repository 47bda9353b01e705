/*
 * give.h: puts what was read into the store, in the transaction that is open. Private to
 * lib/transfer.
 */
#ifndef TRANSFER_GIVE_H
#define TRANSFER_GIVE_H

#include "base/buf.h"
#include "transfer/bereft.h"
#include "transfer/given.h"

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

#endif
