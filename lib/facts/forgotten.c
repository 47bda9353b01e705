/*
 * forgotten.c: the other store knows what was forgotten in it by tombstones alone.
 */
#include "facts/forgotten.h"

#include "base/alloc.h"
#include "store/sync.h"

struct keys { uint8_t (*at)[TOMBSTONE_BYTES]; size_t n, cap; };

static int
add_key(void *arg, const uint8_t key[TOMBSTONE_BYTES])
{
	struct keys *k = arg;

	memcpy(*xpush(k->at, k->n, k->cap), key, TOMBSTONE_BYTES);
	return 0;
}

int
forgotten_each(struct store *s, const struct scope *who, const char *path, forgotten_fn *fn,
	void *arg, struct err *err)
{
	typedef const uint8_t (*keys_in)[TOMBSTONE_BYTES];
	const struct scope all = { .user = who->user };
	struct keys k = { .n = 0 };
	struct store *other = NULL;
	int rc = store_open(path, STORE_READ, &other, err);

	if (rc == 0)
		rc = tombstones_in_order(other, &all, add_key, &k, err);
	store_close(other);
	if (rc == 0 && k.n > 0)
		rc = buried_each(s, &all, (keys_in)k.at, k.n, fn, arg, err);
	free(k.at);
	return rc;
}
