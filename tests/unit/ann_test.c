/*
 * ann_test.c: which turns of near cells are near, by what a sample says of all.
 */
#include "search/ann.h"
#include "tap.h"

#define N 8000

static float cosines[N], before[N];

static bool
is_rank(uint32_t n_all, float k)
{
	float off = ann_least(cosines, N, n_all) - (1 - k / N);

	return off > -1e-6f && off < 1e-6f;
}

int
main(void)
{
	for (int i = 0; i < N; i++)
		before[i] = cosines[i] = (float)(i * 7 % N) / N;
	ok(ann_least(cosines, N, 900) == DENSE_NONE, "a small memory: all are");
	ok(ann_least(cosines, N, 150000) == DENSE_NONE, "as many as may be near");
	ok(ann_least(cosines, 0, 1000000) == DENSE_NONE, "no sample, no bound");
	ok(is_rank(1000000, 1200), "of a million three twentieths");
	ok(is_rank(10000000, 120), "of ten million a tenth of that share");
	ok(is_rank(4000000000u, 1), "of more than the sample can tell its best");
	ok(memcmp(before, cosines, sizeof(cosines)) == 0, "the sample stays as it was");
	return tap_done();
}
