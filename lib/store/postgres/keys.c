/*
 * keys.c: a hash table. Keys are hashes already, so their low bits say where to look.
 */
#include "store/postgres/keys.h"

#include "base/alloc.h"

#define CAP_LEAST 64

static struct key_slot *
slot_of(const struct keys *k, uint64_t key)
{
	size_t i = (size_t)key & (k->cap - 1);

	while (k->slots[i].place != 0 && k->slots[i].key != key)
		i = (i + 1) & (k->cap - 1);
	return &k->slots[i];
}

size_t
keys_get(const struct keys *k, uint64_t key)
{
	return k->n == 0 ? 0 : slot_of(k, key)->place;
}

static void
grow(struct keys *k)
{
	struct keys more = { .cap = MAX(2 * k->cap, CAP_LEAST), .n = k->n };

	more.slots = xcalloc(more.cap, sizeof(*more.slots));
	for (size_t i = 0; i < k->cap; i++)
		if (k->slots[i].place != 0)
			*slot_of(&more, k->slots[i].key) = k->slots[i];
	free(k->slots);
	*k = more;
}

void
keys_put(struct keys *k, uint64_t key, size_t place)
{
	if (2 * k->n >= k->cap)
		grow(k);
	struct key_slot *slot = slot_of(k, key);
	k->n += slot->place == 0;
	*slot = (struct key_slot){ key, place };
}

void
keys_clear(struct keys *k)
{
	if (k->n > 0)
		memset(k->slots, 0, k->cap * sizeof(*k->slots));
	k->n = 0;
}
