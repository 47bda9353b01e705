/*
 * members.h: categories as other files of the store change them. Private to lib/store.
 */
#ifndef STORE_RECORDS_MEMBERS_H
#define STORE_RECORDS_MEMBERS_H

#include "store/sql/handle.h"

struct category;
/* In the open transaction: adds a category with this id; c->row is filled. */
int category_add(struct store *s, int64_t user, const uint8_t ulid[ID_BYTES], struct category *c,
	struct err *err);
/*
 * Takes messages of rows lo to hi, which are being removed, out of their categories, and removes
 * the names of these.
 */
int members_forget(struct store *s, int64_t lo, int64_t hi, struct err *err);

#endif
