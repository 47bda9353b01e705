/*
 * trie.h: a set of byte strings, each with a number, as a double array that is used in place
 * (layout in trie.c).
 *
 * A step reads one unit. Indices that a damaged array gives are bounded here; numbers that it gives
 * must be checked by the caller.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#define TRIE_KEY_BYTES 1024                /* longest key */
#define TRIE_NUMBERS   (1u << 22)          /* numbers and units are below this */
#define TRIE_NONE      UINT32_MAX

#define TRIE_LEAF  0x100u
#define TRIE_VALUE 0x200u

struct trie { const uint32_t *units; uint32_t n; };            /* borrowed */

struct trie_key { const char *s; uint32_t len, number; };

/*
 * Sorts keys and appends the units of their trie to out. ERR_DATA: a key is empty, stands twice,
 * holds a NUL or is longer than TRIE_KEY_BYTES, or a number or the array exceeds TRIE_NUMBERS.
 * Cost: a second for 250,000 keys.
 */
int trie_build(struct trie_key *keys, uint32_t n_keys, struct buf *out, uint32_t *n_units,
	struct err *err);

/* The root's unit; 0 when there is none, from which no step leads anywhere. */
static inline uint32_t
trie_root(const struct trie *t)
{
	return t->n > 0 ? t->units[0] : 0;
}

/*
 * Steps from unit *at along byte c. Returns false, with *at unchanged, when no key goes on with c.
 */
static inline bool
trie_step(const struct trie *t, uint32_t *at, uint8_t c)
{
	uint32_t child = *at >> 10 ^ c, unit;

	if (child >= t->n)
		return false;
	unit = t->units[child];
	if ((unit & 0xff) != c || c == 0 || (*at & TRIE_LEAF) != 0)
		return false;
	*at = unit;
	return true;
}

/* The number of the key that ends at this unit; TRIE_NONE: none ends here. */
static inline uint32_t
trie_number(const struct trie *t, uint32_t at)
{
	if ((at & TRIE_LEAF) != 0)
		return at >> 10;
	if ((at & TRIE_VALUE) == 0 || at >> 10 >= t->n)
		return TRIE_NONE;
	return t->units[at >> 10] >> 10;
}
