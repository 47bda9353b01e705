/*
 * keyed.h: numbers by keys of 64 bits, which may be hashes: two of a million of them are equal once
 * in forty million runs.
 */
#pragma once

#include "base/base.h"

struct keyed_slot {
	uint64_t key;              /* 0: empty */
	uint64_t value;            /* what the caller notes of it, 0 at first: a place, a count */
	uint32_t round;            /* and when */
	bool counted;
};

/* All zeros: empty. */
struct keyed {
	struct keyed_slot *slots;  /* [cap], a power of two */
	size_t n, cap;
};

/* The slot of a key, made where there is none. Borrowed until the next call. */
struct keyed_slot *keyed_at(struct keyed *k, uint64_t key);
/* The value of a key; 0: it has none. */
uint64_t keyed_value(const struct keyed *k, uint64_t key);
void keyed_clear(struct keyed *k);             /* empty; its memory is kept */
void keyed_release(struct keyed *k);
