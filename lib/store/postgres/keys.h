/*
 * keys.h: places by keys, which are hashes. A question declares a thousand reads, and each is
 * looked for when it is declared and when it is run. Private to lib/store/postgres.
 */
#ifndef STORE_POSTGRES_KEYS_H
#define STORE_POSTGRES_KEYS_H

#include "base/base.h"

/* All zeros: empty. Open addressing; cap is a power of two. */
struct keys {
	struct key_slot { uint64_t key; size_t place; } *slots;        /* place 0: empty */
	size_t cap, n;
};

/* The place that was put for the key last, from 1 on; 0: none. */
size_t keys_get(const struct keys *k, uint64_t key);
void keys_put(struct keys *k, uint64_t key, size_t place);
void keys_clear(struct keys *k);               /* empty; its memory is kept */

#endif
