/*
 * seen.c: open addressing in a table that doubles when it is half full.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "ingest/seen.h"

#define FIRST 1024

static struct seen_key *
find_slot(struct seen_key *slots, size_t cap, uint64_t key)
{
	size_t i = (size_t)hash64_mix(key) & (cap - 1);

	while (slots[i].key != 0 && slots[i].key != key)
		i = (i + 1) & (cap - 1);
	return &slots[i];
}

static void
grow(struct seen *p)
{
	size_t cap = p->cap > 0 ? p->cap * 2 : FIRST;
	struct seen_key *slots = xcalloc(cap, sizeof(*slots));

	for (size_t i = 0; i < p->cap; i++)
		if (p->slots[i].key != 0)
			*find_slot(slots, cap, p->slots[i].key) = p->slots[i];
	free(p->slots);
	p->slots = slots;
	p->cap = cap;
}

struct seen_key *
seen_at(struct seen *p, uint64_t key)
{
	key += key == 0;
	if (p->n * 2 >= p->cap)
		grow(p);
	struct seen_key *at = find_slot(p->slots, p->cap, key);
	if (at->key == 0) {
		at->key = key;
		p->n++;
	}
	return at;
}

void
seen_release(struct seen *p)
{
	free(p->slots);
	*p = (struct seen)SEEN_INIT;
}
