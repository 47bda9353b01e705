/*
 * assign_test.c: clusters that go on: numbers that stay, points that join, new ones, ones that
 * become one.
 */
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "cluster/assign.h"
#include "math/evolve.h"
#include "math/vec.h"
#include "tap.h"

#define DIMS 40
#define N    400

static int16_t points[N * DIMS];
static uint32_t truth[N], kept[N];

static double
noise(uint64_t x)
{
	double sum = 0;

	for (unsigned i = 0; i < 6; i++)
		sum += (double)(hash64_mix(x * 6 + i) >> 11) / 9007199254740992.0;
	return (sum - 3) * 1.4;
}

/* Point i lies around direction truth[i], the more loosely the larger spread is. */
static void
place(size_t i, uint32_t which, double spread)
{
	float x[DIMS];

	truth[i] = which;
	for (size_t d = 0; d < DIMS; d++)
		x[d] = (float)(noise(1000000 + which * DIMS + d) + spread * noise(i * DIMS + d));
	vec_unit(x, DIMS);
	kmeans_fix(x, DIMS, points + i * DIMS);
}

static bool
as_made(const struct assignment *d)
{
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < i; j++)
			if ((truth[i] == truth[j]) != (d->of[i] == d->of[j]))
				return false;
	return true;
}

static void
test_fresh(void)
{
	const struct kmeans_points p = { points, N, DIMS };
	struct assign_options o = { .least = 5, .near = .7, .n_threads = 2 };
	struct assignment d;

	for (size_t i = 0; i < N; i++) {
		place(i, i < 200 ? 0 : i < 300 ? 1 : (uint32_t)(2 + i % 2), .5);
		kept[i] = KMEANS_NONE;
	}
	assign_points(&p, &o, kept, &d);
	ok(d.k == 4 && as_made(&d), "four clusters, as many as there are");
	ok(d.numbers[d.of[0]] == 1 && d.numbers[d.of[250]] == 2 && d.numbers[d.of[300]] == 3 &&
		d.numbers[d.of[301]] == 4,
	    "numbered by size, then by who comes first");
	assignment_release(&d);
	o.k = 2;
	assign_points(&p, &o, kept, &d);
	ok(d.k == 2, "two, when two are asked for");
	assignment_release(&d);
	o.k = 0;
	o.max = 3;
	assign_points(&p, &o, kept, &d);
	ok(d.k <= 3 && d.k > 1, "three at most");
	assignment_release(&d);
	memset(points + 7 * DIMS, 0, DIMS * sizeof(*points));
	o.max = 0;
	assign_points(&p, &o, kept, &d);
	ok(d.k == 4 && d.of[7] == KMEANS_NONE && d.of[8] != KMEANS_NONE, "zeros belong nowhere");
	assignment_release(&d);
	o.k = N;
	assign_points(&p, &o, kept, &d);
	ok(d.k == N - 1, "no more clusters than points");
	assignment_release(&d);
	assign_points(&(struct kmeans_points){ points, 0, DIMS }, &o, kept, &d);
	ok(d.k == 0, "no points, no clusters");
	assignment_release(&d);
}

static void
test_kept(void)
{
	const struct kmeans_points p = { points, N, DIMS };
	struct assign_options o = { .least = 5, .near = .7, .n_threads = 1 };
	struct assignment d;
	bool same = true;
	size_t n_joined = 0;

	for (size_t i = 0; i < N; i++) {
		place(i, (uint32_t)(i % 5), .5);
		kept[i] = i >= 300 || i % 5 == 4 ? KMEANS_NONE : (uint32_t)(i % 5) * 10 + 7;
	}
	kept[0] = 17;                                  /* it is in the wrong one, and stays */
	for (size_t i = 396; i < N; i++)
		place(i, 77 + (uint32_t)i, .1);        /* four that are like nothing else */
	assign_points(&p, &o, kept, &d);
	for (size_t i = 0; i < 300; i++)
		same = same &&
		    (kept[i] == KMEANS_NONE ||
			(d.of[i] != KMEANS_NONE && d.numbers[d.of[i]] == kept[i]));
	ok(same, "who is in one stays");
	for (size_t i = 300; i < 396; i++)
		n_joined += i % 5 == 4 ||
		    (d.of[i] != KMEANS_NONE && d.numbers[d.of[i]] == (uint32_t)(i % 5) * 10 + 7);
	ok(n_joined >= 94, "who is new joins his like: %zu of 96", n_joined);
	ok(d.k == 5 && d.of[4] == d.of[394] && d.of[4] != KMEANS_NONE && d.numbers[d.of[4]] == 38,
	    "a new kind gets the next number");
	ok(d.of[396] == KMEANS_NONE && d.of[399] == KMEANS_NONE,
	    "a few that are like nothing are in none");
	assignment_release(&d);
	o.max = 4;
	assign_points(&p, &o, kept, &d);
	ok(d.k == 4 && d.of[4] == KMEANS_NONE, "no new one where there may be no more");
	assignment_release(&d);
}

static void
test_merging(void)
{
	const struct kmeans_points p = { points, N, DIMS };
	struct evolve_options o = { .kmeans = { 1, 20, 2, 1 },
		.max = 10,
		.least = 5,
		.near = .7,
		.alike = .95,
		.merge_small = true };
	uint32_t of[N], into[4];

	for (size_t i = 0; i < N; i++) {
		place(i, i < 250 ? 0 : 1, .3);
		/* 0 and 1 are the same thing, 3 is a few of 2 */
		of[i] = i < 150 ? 0 : i < 250 ? 1 : i < 397 ? 2 : 3;
	}
	is_int((int)evolve(&p, &o, 4, of, into), 4, "no new numbers");
	ok(into[0] == 0 && into[1] == 0 && into[2] == 2 && into[3] == 2,
	    "alike ones become the larger one, small ones too");
	ok(of[200] == 0 && of[399] == 2, "and so do their members");
	for (size_t i = 0; i < N; i++)
		of[i] = i < 150 ? 0 : i < 250 ? 1 : i < 397 ? 2 : 3;
	o.holds = (const enum evolve_hold[]){ EVOLVE_FREE, EVOLVE_KEPT, EVOLVE_APART, EVOLVE_FREE };
	evolve(&p, &o, 4, of, into);
	ok(into[0] == 1 && into[1] == 1, "one that is kept takes in a larger one");
	ok(into[2] == 2 && into[3] == 3, "one held apart takes in none");
	o.holds = NULL;
	for (size_t i = 0; i < N; i++)
		of[i] = i < 150 ? 0 : i < 250 ? 1 : i < 397 ? 2 : KMEANS_NONE;
	evolve_join(&p, &o, 3, of, NULL);
	ok(of[397] == 2 && of[399] == 2 && of[0] == 0 && of[200] == 1,
	    "joining alone merges nothing");
}

static void
test_regrouping(void)
{
	const struct kmeans_points p = { points, N, DIMS };
	struct evolve_options o = { .kmeans = { 1, 20, 2, 1 },
		.max = 3,
		.least = 5,
		.near = .7,
		.alike = .95,
		.merge_small = true,
		.regroup = true };
	enum evolve_hold holds[] = { EVOLVE_FREE, EVOLVE_FREE, EVOLVE_KEPT };
	uint32_t of[N], into[3];

	/* 60 of each of three kinds came first, and 220 of a fourth later */
	for (size_t i = 0; i < N; i++) {
		place(i, i < 180 ? (uint32_t)i % 3 : 3, .2);
		of[i] = i < 180 ? (uint32_t)i % 3 : KMEANS_NONE;
	}
	o.regroup = false;
	evolve(&p, &o, 3, of, into);
	ok(of[399] == KMEANS_NONE, "no room is made where nothing may be divided afresh");
	o.regroup = true;
	o.holds = holds;
	evolve(&p, &o, 3, of, into);
	ok(of[399] != KMEANS_NONE && of[180] == of[399] && of[399] != of[2],
	    "where most came later, they get a cluster");
	ok(of[2] == 2 && of[179] == 2 && into[2] == 2, "one that is kept stays as it is");
	ok(of[0] == 0 && into[0] == 0 && of[1] == 0 && into[1] == 0,
	    "one that is half of a new one goes on as that, and another is part of it");
}

int
main(void)
{
	test_fresh();
	test_kept();
	test_merging();
	test_regrouping();
	return tap_done();
}
