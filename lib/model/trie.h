/*
 * trie.h: a set of byte strings with a number each, as a double array that is walked where it lies
 * (drawn in trie.c).
 *
 * A step is one look at one unit, whatever the array holds: what a damaged array says is bounded
 * here, and a number that comes out is the caller's to check.
 */
#ifndef MODEL_TRIE_H
#define MODEL_TRIE_H

#include "base/buf.h"
#include "base/err.h"

#define TRIE_KEY_BYTES 1024                /* longest key */
#define TRIE_NUMBERS   (1u << 22)          /* numbers and units are below */
#define TRIE_NONE      UINT32_MAX

#define TRIE_LEAF  0x100u
#define TRIE_VALUE 0x200u

struct trie { const uint32_t *units; uint32_t n; };            /* borrowed */

struct trie_key { const char *s; uint32_t len, number; };

/*
 * Sorts keys, appends the units of their trie to out. ERR_DATA: a key twice, empty, holding a NUL
 * or longer than TRIE_KEY_BYTES, a number or an array beyond TRIE_NUMBERS. Cost: a second for
 * 250,000 keys.
 */
int trie_build(struct trie_key *keys, uint32_t n_keys, struct buf *out, uint32_t *n_units,
	struct err *err);

/* The root's unit; 0 when there is none, which no step leads from. */
static inline uint32_t
trie_root(const struct trie *t)
{
	return t->n > 0 ? t->units[0] : 0;
}

/* From unit *at along byte c; false, *at untouched, when nothing leads there. */
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

/* The number of the key that ends at this unit, TRIE_NONE when none does. */
static inline uint32_t
trie_number(const struct trie *t, uint32_t at)
{
	if ((at & TRIE_LEAF) != 0)
		return at >> 10;
	if ((at & TRIE_VALUE) == 0 || at >> 10 >= t->n)
		return TRIE_NONE;
	return t->units[at >> 10] >> 10;
}

#endif
