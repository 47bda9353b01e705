/*
 * trie.c: builds a double array.
 *
 *	unit, 32 bits   | base or number : 22 | value : 1 | leaf : 1 | label : 8 |
 *
 * Unit 0 is the root. The child of a unit along byte c is unit base ^ c, if the label of that unit
 * is c. A base belongs to one unit only, so the label proves whose child it is. base ^ c stays in
 * base's block of 256 units, so all children of a unit lie within one kilobyte. A key that is the
 * beginning of others (value) has its number in unit base ^ 0; one that ends a branch (leaf) has
 * its number in place of the base. Free units are 0, which is no byte's label.
 *
 * The sorted keys are laid out depth first, with an explicit stack. A block is searched for a base
 * until PATIENCE searches have failed; units with a single child, which are the most frequent, fill
 * the holes.
 */
#include "model/trie.h"

#include "base/alloc.h"

enum { BLOCK = 256, LOOK_BACK = 64, PATIENCE = 64 };

struct block { uint64_t used[4], based[4]; uint32_t n_free, failed; };

/* The keys first .. last - 1 share their first depth bytes, which lead to the unit at. */
struct range { uint32_t first, last, depth, at; };

struct build {
	uint32_t *units;
	struct block *blocks;
	size_t n_blocks, cap_units, cap_blocks;
	struct range *stack;
	size_t n_stack, cap_stack;
};

static bool
is_bit_set(const uint64_t bits[4], uint32_t i)
{
	return (bits[i >> 6] >> (i & 63) & 1) != 0;
}

static void
set_bit(uint64_t bits[4], uint32_t i)
{
	bits[i >> 6] |= 1ull << (i & 63);
}

static void
add_block(struct build *b)
{
	xgrow(&b->blocks, &b->cap_blocks, b->n_blocks + 1, sizeof(*b->blocks));
	xgrow(&b->units, &b->cap_units, (b->n_blocks + 1) * BLOCK, sizeof(*b->units));
	memset(&b->blocks[b->n_blocks], 0, sizeof(*b->blocks));
	memset(b->units + b->n_blocks * BLOCK, 0, BLOCK * sizeof(*b->units));
	b->blocks[b->n_blocks++].n_free = BLOCK;
}

/* Bit i of the result is bit i ^ by of w: up to six swaps, one for each bit of by. */
static uint64_t
xor_bits(uint64_t w, uint32_t by)
{
	static const uint64_t low[6] = { 0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
		0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff };

	for (uint32_t i = 0; i < 6; i++)
		if ((by >> i & 1) != 0)
			w = (w & low[i]) << (1u << i) | (w >> (1u << i) & low[i]);
	return w;
}

/*
 * Returns a base in the block under which the units of all labels are free; BLOCK: there is none.
 * The free units, shifted by each label, are intersected as bit sets.
 */
static uint32_t
base_within(const struct block *k, const uint8_t *labels, uint32_t n)
{
	uint64_t fits[4];

	for (uint32_t w = 0; w < 4; w++)
		fits[w] = ~k->based[w];
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t w = 0; w < 4; w++)
			fits[w] &= xor_bits(~k->used[w ^ labels[i] >> 6], labels[i] & 63);
	for (uint32_t base = 0; base < BLOCK; base++)
		if (is_bit_set(fits, base))
			return base;
	return BLOCK;
}

/* Reserves a base and the units of its labels. */
static uint32_t
take_base(struct build *b, const uint8_t *labels, uint32_t n)
{
	size_t i = b->n_blocks > LOOK_BACK ? b->n_blocks - LOOK_BACK : 0;
	uint32_t base = BLOCK;

	for (;; i++) {
		if (i == b->n_blocks)
			add_block(b);
		struct block *k = &b->blocks[i];
		if (k->n_free < n || k->failed > PATIENCE)
			continue;
		base = base_within(k, labels, n);
		if (base < BLOCK)
			break;
		k->failed++;
	}
	set_bit(b->blocks[i].based, base);
	for (uint32_t j = 0; j < n; j++)
		set_bit(b->blocks[i].used, base ^ labels[j]);
	b->blocks[i].n_free -= n;
	return (uint32_t)i * BLOCK + base;
}

/* Lays out the children of one range and pushes their ranges on the stack. */
static void
expand(struct build *b, const struct trie_key *keys, struct range r)
{
	bool ends = keys[r.first].len == r.depth;
	uint32_t n = 0, base;
	uint8_t labels[BLOCK];

	if (ends && r.last - r.first == 1 && r.at != 0) {
		b->units[r.at] |= TRIE_LEAF | keys[r.first].number << 10;
		return;
	}
	if (ends)
		labels[n++] = 0;
	for (uint32_t i = r.first + ends; i < r.last; i++) {
		uint8_t c = (uint8_t)keys[i].s[r.depth];

		if (n == 0 || labels[n - 1] != c)
			labels[n++] = c;
	}
	base = take_base(b, labels, n);
	b->units[r.at] |= base << 10 | (ends ? TRIE_VALUE : 0);
	if (ends)
		b->units[base] = TRIE_LEAF | keys[r.first].number << 10;
	xgrow(&b->stack, &b->cap_stack, b->n_stack + n, sizeof(*b->stack));
	for (uint32_t i = r.first + ends, first = i; i < r.last; first = i) {
		uint8_t c = (uint8_t)keys[i].s[r.depth];

		while (i < r.last && (uint8_t)keys[i].s[r.depth] == c)
			i++;
		b->units[base ^ c] = c;
		b->stack[b->n_stack++] = (struct range){ first, i, r.depth + 1, base ^ c };
	}
}

static int
by_bytes(const void *va, const void *vb)
{
	const struct trie_key *a = va, *b = vb;
	int cmp = memcmp(a->s, b->s, MIN(a->len, b->len));

	return cmp != 0 ? cmp : (a->len > b->len) - (a->len < b->len);
}

static int
check_keys(const struct trie_key *keys, uint32_t n, struct err *err)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct trie_key *k = &keys[i];

		if (k->len == 0 || k->len > TRIE_KEY_BYTES || memchr(k->s, '\0', k->len) != NULL)
			return err_set(err, ERR_DATA, "token %u is empty, too long or holds a NUL",
			    k->number);
		if (k->number >= TRIE_NUMBERS)
			return err_set(err, ERR_DATA, "more than %u tokens", TRIE_NUMBERS);
		if (i > 0 && by_bytes(k - 1, k) == 0)
			return err_set(err, ERR_DATA, "token '%.*s' is there twice: %u and %u",
			    (int)k->len, k->s, k[-1].number, k->number);
	}
	return 0;
}

int
trie_build(struct trie_key *keys, uint32_t n_keys, struct buf *out, uint32_t *n_units,
	struct err *err)
{
	struct build b = { 0 };
	int rc = -1;

	qsort(keys, n_keys, sizeof(*keys), by_bytes);
	if (check_keys(keys, n_keys, err) != 0)
		return -1;
	add_block(&b);
	set_bit(b.blocks[0].used, 0);
	b.blocks[0].n_free--;
	if (n_keys > 0)
		expand(&b, keys, (struct range){ 0, n_keys, 0, 0 });
	while (b.n_stack > 0 && b.n_blocks * BLOCK <= TRIE_NUMBERS)
		expand(&b, keys, b.stack[--b.n_stack]);
	if (b.n_blocks * BLOCK > TRIE_NUMBERS) {
		err_set(err, ERR_DATA, "the tokens' trie has more than %u units", TRIE_NUMBERS);
		goto out;
	}
	*n_units = (uint32_t)(b.n_blocks * BLOCK);
	buf_add(out, b.units, *n_units * sizeof(*b.units));
	rc = 0;
out:
	free(b.units);
	free(b.blocks);
	free(b.stack);
	return rc;
}
