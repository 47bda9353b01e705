/* exact.c: exact cosines where a search has estimates. */
#include "search/exact.h"

#include "base/alloc.h"
#include "base/order.h"

struct slot_turn { uint32_t slot, turn; };

ORDER_BY(by_slot, struct slot_turn, slot)

size_t
exact_neighbours(const struct dense *d, const uint32_t *turns, size_t n_turns, uint32_t *out)
{
	size_t n = 0, n_unique = 0;

	for (size_t i = 0; i < n_turns; i++)
		for (uint32_t turn = turns[i] - (turns[i] > 0); turn <= turns[i] + 1 && turn < d->n;
		     turn++)
			out[n++] = turn;
	qsort(out, n, sizeof(*out), by_uint32);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || out[i] != out[i - 1])
			out[n_unique++] = out[i];
	return n_unique;
}

int
exact_make(struct vectors *v, const float *q, struct dense *d, const uint32_t *turns,
	const bool *known, size_t n, struct err *err)
{
	FREED struct slot_turn *wanted = xreallocarray(NULL, n + 1, sizeof(*wanted));
	FREED uint32_t *slots = xreallocarray(NULL, n + 1, sizeof(*slots));
	FREED float *exact = xreallocarray(NULL, n + 1, sizeof(*exact));
	size_t n_wanted = 0;
	int rc;

	for (size_t i = 0; i < n; i++)
		if ((known == NULL || known[i]) && dense_cosine(d, turns[i]) > DENSE_NONE)
			wanted[n_wanted++] =
			    (struct slot_turn){ dense_slot(d, turns[i]), turns[i] };
	qsort(wanted, n_wanted, sizeof(*wanted), by_slot);
	for (size_t i = 0; i < n_wanted; i++)
		slots[i] = wanted[i].slot;
	rc = vectors_rescore(v, q, slots, n_wanted, exact, err);
	for (size_t i = 0; rc == 0 && i < n_wanted; i++)
		dense_put(d, wanted[i].turn, exact[i], wanted[i].slot);
	return rc;
}
