/*
 * link_test.c: average linkage: clusters of different sizes, points outside, what all have in
 * common.
 */
#include "base/hash.h"
#include "math/link.h"
#include "math/vec.h"
#include "tap.h"

#define DIMS 48
#define N    200

static int16_t points[LINK_MAX * DIMS + DIMS];
static uint32_t truth[N], of[LINK_MAX + 1];

static double
noise(uint64_t x)
{
	double sum = 0;

	for (unsigned i = 0; i < 6; i++)
		sum += (double)(hash64_mix(x * 6 + i) >> 11) / 9007199254740992.0;
	return (sum - 3) * 1.4;
}

/* Point i lies around direction which, and all of them towards one side by common. */
static void
place(size_t i, uint32_t which, double spread, double common)
{
	float x[DIMS];

	for (size_t d = 0; d < DIMS; d++)
		x[d] = (float)(noise(1000000 + which * DIMS + d) + spread * noise(i * DIMS + d) +
		    (d == 0 ? common : 0));
	vec_unit(x, DIMS);
	kmeans_fix(x, DIMS, points + i * DIMS);
}

/* about 100, 60, 28 and 12 of a kind; each 25th point is like none. */
static void
make(double common)
{
	for (size_t i = 0; i < N; i++) {
		truth[i] = i % 25 == 24 ? KMEANS_NONE : i < 100 ? 0 : i < 160 ? 1 : i < 188 ? 2 : 3;
		place(i, truth[i] == KMEANS_NONE ? 100 + (uint32_t)i : truth[i], .6, common);
	}
}

/* Whether each two points of a kind are together, those of two kinds apart; *n_out: how many of
 * those that are like none are outside. */
static bool
as_made(size_t *n_out)
{
	bool same = true;

	*n_out = 0;
	for (size_t i = 0; i < N; i++) {
		*n_out += truth[i] == KMEANS_NONE && of[i] == KMEANS_NONE;
		for (size_t j = 0; j < i; j++)
			if (truth[i] != KMEANS_NONE && truth[j] != KMEANS_NONE)
				same = same && of[i] != KMEANS_NONE &&
				    (truth[i] == truth[j]) == (of[i] == of[j]);
	}
	return same;
}

static size_t
smallest(void)
{
	size_t sizes[N] = { 0 }, least = N;

	for (size_t i = 0; i < N; i++)
		if (of[i] != KMEANS_NONE)
			sizes[of[i]]++;
	for (size_t j = 0; j < N; j++)
		least = sizes[j] > 0 ? MIN(least, sizes[j]) : least;
	return least;
}

static void
test_sizes(void)
{
	const struct kmeans_points p = { points, N, DIMS };
	uint32_t again[N];
	size_t n_out;

	make(0);
	is_int((int)link_choose(&p, 100, 9, 1, of), 4, "four clusters of very different sizes");
	ok(as_made(&n_out), "each kind is one");
	ok(n_out >= 6, "who is like none is outside: %zu of 8", n_out);
	memcpy(again, of, sizeof(again));
	link_choose(&p, 100, 9, 3, of);
	ok(memcmp(again, of, sizeof(again)) == 0, "with more threads the same");
	link_choose(&p, 100, 15, 1, of);
	ok(smallest() >= 15, "none of fewer than least members");
	ok(link_choose(&p, 3, 9, 1, of) <= 3, "at most so many");
	make(40);
	is_int((int)link_choose(&p, 100, 9, 1, of), 4, "what all have in common does not count");
	ok(as_made(&n_out), "the kinds are the same");
}

static void
test_nothing(void)
{
	struct kmeans_points p = { points, N, DIMS };

	make(0);
	p.n = LINK_MIN - 1;
	is_int((int)link_choose(&p, 100, 5, 1, of), 0, "none of few points");
	p.n = LINK_MAX + 1;
	is_int((int)link_choose(&p, 100, 5, 1, of), 0, "nor of very many");
}

int
main(void)
{
	test_sizes();
	test_nothing();
	return tap_done();
}
