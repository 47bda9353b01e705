/*
 * arrival.h: what another store says of itself as news.h wrote it, and what is done with it: marks
 * are kept, and what was removed there is removed here. Private to lib/transfer.
 */
#ifndef TRANSFER_ARRIVAL_H
#define TRANSFER_ARRIVAL_H

#include "facts/forget.h"
#include "transfer/lines.h"

struct arrival {
	struct store *s;
	bool on;                           /* it is what is new, and not a whole memory */
	struct news_head head;
	char *name, *user;
	uint8_t (*keys)[TOMBSTONE_BYTES];  /* of what was removed there, to be removed here */
	size_t n_keys, cap;
};

void arrival_init(struct arrival *a, struct store *s);
void arrival_release(struct arrival *a);

/*
 * From here on what is put comes from that store. No transaction is open. ERR_DATA: it is this very
 * store, or it is for another one.
 */
int arrival_begin(struct arrival *a, const struct news_head *head, struct err *err);
void arrival_key(struct arrival *a, const uint8_t key[TOMBSTONE_BYTES]);
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

#endif
