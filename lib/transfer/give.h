/*
 * give.h: puts what was read into the store, in the transaction that is open. Private to
 * lib/transfer.
 */
#ifndef TRANSFER_GIVE_H
#define TRANSFER_GIVE_H

#include "base/buf.h"
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
	struct arena arena;
};

void giver_init(struct giver *g, struct store *s);
void giver_release(struct giver *g);
/* ERR_DATA: the record does not go in, and why; the others may. */
int giver_put(struct giver *g, struct given *v, enum give_did *did, struct err *err);

#endif
