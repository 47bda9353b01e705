/*
 * similar.c: Dice's coefficient over multisets of character trigrams: twice the number of shared
 * trigrams divided by the number of all. Texts are folded, runs of white space become one space,
 * and a space is added at both ends so that the first and the last letter weigh as much as the
 * others.
 *
 * Trigrams are hashed into a table twice as large as the first text needs; counts go up for the
 * first text and down for the second.
 */
#include "statement/similar.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "text/words.h"

struct slot {
	uint64_t trigram;          /* three code points, 21 bits each, plus one; 0: empty */
	uint32_t count;
};

/*
 * Returns the code points of the folded text with a space at both ends; *n is their number. The
 * caller frees them.
 */
static uint32_t *
read_points(const char *text, size_t len, size_t *n)
{
	FREED char *folded = xmalloc(3 * len + 1);
	size_t size = words_fold(text, len, folded);
	uint32_t *points = xreallocarray(NULL, size + 2, sizeof(*points));
	const char *p = folded, *end = folded + size;
	size_t at = 0;

	points[at++] = ' ';
	while (p < end) {
		uint32_t cp;

		p += utf8_next(p, end, &cp);
		if (ascii_is_space(cp) || cp == 0xa0 || cp == 0x3000)
			cp = ' ';
		if (cp != ' ' || points[at - 1] != ' ')
			points[at++] = cp;
	}
	if (at > 1 && points[at - 1] != ' ')
		points[at++] = ' ';
	*n = at;
	return points;
}

static struct slot *
find_slot(struct slot *table, size_t mask, uint64_t trigram)
{
	size_t i = (size_t)hash64_mix(trigram) & mask;

	while (table[i].trigram != 0 && table[i].trigram != trigram)
		i = (i + 1) & mask;
	return &table[i];
}

static uint64_t
trigram_at(const uint32_t *p)
{
	return ((uint64_t)p[0] << 42 | (uint64_t)p[1] << 21 | p[2]) + 1;
}

/* Counts the trigrams that a and b share, each as often as both have it. */
static size_t
count_shared(const uint32_t *a, size_t n_a, const uint32_t *b, size_t n_b)
{
	size_t size = 16, shared = 0;
	FREED struct slot *table = NULL;

	while (size < 2 * n_a)
		size *= 2;
	table = xcalloc(size, sizeof(*table));
	for (size_t i = 0; i + 2 < n_a; i++) {
		struct slot *s = find_slot(table, size - 1, trigram_at(a + i));

		s->trigram = trigram_at(a + i);
		s->count++;
	}
	for (size_t i = 0; i + 2 < n_b; i++) {
		struct slot *s = find_slot(table, size - 1, trigram_at(b + i));

		if (s->count > 0) {
			s->count--;
			shared++;
		}
	}
	return shared;
}

double
similar_dice(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t n_a, n_b;
	FREED uint32_t *x = read_points(a, a_len, &n_a), *y = read_points(b, b_len, &n_b);

	if (n_a == n_b && memcmp(x, y, n_a * sizeof(*x)) == 0)
		return 1;
	/* less than three characters between the spaces */
	if (n_a < 5 || n_b < 5)
		return 0;
	return 2.0 * (double)count_shared(x, n_a, y, n_b) / (double)(n_a - 2 + n_b - 2);
}

void
similar_mark(const char *text, size_t len, struct similar_mark *out)
{
	size_t n;
	FREED uint32_t *p = read_points(text, len, &n);

	*out = (struct similar_mark){ .n = n };
	for (size_t i = 0; i + 2 < n; i++) {
		uint64_t h = hash64_mix(trigram_at(p + i)) & 255;

		out->bits[h / 64] |= 1ull << (h & 63);
	}
}

/* A bit that only one of them has is a trigram, or several, that the other one lacks. */
bool
similar_may(const struct similar_mark *a, const struct similar_mark *b, double dice)
{
	size_t lacks_b = 0, lacks_a = 0, n_a = a->n - MIN(a->n, 2), n_b = b->n - MIN(b->n, 2);

	if (a->n < 5 || b->n < 5)
		return a->n == b->n || dice <= 0;
	for (int i = 0; i < 4; i++) {
		lacks_b += (size_t)__builtin_popcountll(a->bits[i] & ~b->bits[i]);
		lacks_a += (size_t)__builtin_popcountll(b->bits[i] & ~a->bits[i]);
	}
	return 2.0 * (double)MIN(n_a - MIN(lacks_b, n_a), n_b - MIN(lacks_a, n_b)) >=
	    dice * (double)(n_a + n_b);
}
