/*
 * bereft.h: records that come from another store and rest on what was removed here. Private to
 * lib/transfer.
 */
#ifndef TRANSFER_BEREFT_H
#define TRANSFER_BEREFT_H

#include "transfer/arrival.h"

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

#endif
