/*
 * answers.h: what was answered and is kept: by searches (handed.c) and by models (state.c). Private
 * to lib/store.
 */
#pragma once

#include "store/sql/handle.h"

struct handed;
/* Appends the bytes of a column "handed"; none if there are no items. */
void handed_pack(const struct handed *h, size_t n, struct buf *out);
/*
 * In the open transaction: removes the messages and records for which goes returns true from the
 * answers that are kept.
 */
typedef bool handed_goes_fn(void *arg, bool is_record, int64_t row);
int handed_remove(struct store *s, int64_t user, handed_goes_fn *goes, void *arg, struct err *err);

/*
 * In the open transaction: removes the user's kept answers of models, all or those that are too
 * old.
 */
int answers_drop_all(struct store *s, int64_t user, struct err *err);
int answers_drop_old(struct store *s, int64_t user, struct err *err);
