/*
 * keyed.c: open addressing in a table that doubles when it is half full.
 */
#include "base/keyed.h"

#include "base/alloc.h"
#include "base/hash.h"

#define CAP_LEAST 64

static struct keyed_slot *
slot_of(const struct keyed *k, uint64_t key)
{
	size_t i = (size_t)hash64_mix(key) & (k->cap - 1);

	while (k->slots[i].key != 0 && k->slots[i].key != key)
		i = (i + 1) & (k->cap - 1);
	return &k->slots[i];
}

static void
grow(struct keyed *k)
{
	struct keyed more = { .cap = MAX(2 * k->cap, (size_t)CAP_LEAST), .n = k->n };

	more.slots = xcalloc(more.cap, sizeof(*more.slots));
	for (size_t i = 0; i < k->cap; i++)
		if (k->slots[i].key != 0)
			*slot_of(&more, k->slots[i].key) = k->slots[i];
	free(k->slots);
	*k = more;
}

struct keyed_slot *
keyed_at(struct keyed *k, uint64_t key)
{
	key += key == 0;
	if (2 * k->n >= k->cap)
		grow(k);
	struct keyed_slot *slot = slot_of(k, key);
	k->n += slot->key == 0;
	slot->key = key;
	return slot;
}

uint64_t
keyed_value(const struct keyed *k, uint64_t key)
{
	return k->n == 0 ? 0 : slot_of(k, key + (key == 0))->value;
}

void
keyed_clear(struct keyed *k)
{
	if (k->n > 0)
		memset(k->slots, 0, k->cap * sizeof(*k->slots));
	k->n = 0;
}

void
keyed_release(struct keyed *k)
{
	free(k->slots);
	*k = (struct keyed){ .n = 0 };
}
