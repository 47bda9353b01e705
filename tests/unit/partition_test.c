/*
 * partition_test.c: V-measure against values by hand, and against those of another implementation
 * (numpy, from the definition).
 */
#include <math.h>

#include "math/partition.h"
#include "tap.h"

static void
compare(const char *name, const uint32_t *a, const uint32_t *b, size_t n, double homogeneity,
	double completeness, double v)
{
	struct partition got;

	partition_compare(a, b, n, &got);
	if (!ok(fabs(got.homogeneity - homogeneity) < 1e-9 &&
		    fabs(got.completeness - completeness) < 1e-9 && fabs(got.v - v) < 1e-9,
		"%s", name))
		tap_note("got %.12f %.12f %.12f", got.homogeneity, got.completeness, got.v);
}

int
main(void)
{
	/* by hand: H(labels) = ln 2, H(clusters) = 1.5 ln 2, H(clusters | labels) = .5 ln 2 */
	const uint32_t two[] = { 0, 0, 1, 1 }, split[] = { 5, 5, 7, 900 }, one[] = { 3, 3, 3, 3 },
		       apart[] = { 0, 1, 2, 3 }, cross[] = { 0, 1, 0, 1 };
	const uint32_t labels[] = { 0, 0, 0, 1, 1, 2, 2, 2, 2, 3 },
		       clusters[] = { 1, 1, 2, 2, 2, 3, 3, 1, 3, 3 };
	struct partition got;

	compare("the same", two, two, 4, 1, 1, 1);
	compare("one label in two clusters", two, split, 4, 1, 2. / 3, .8);
	compare("one cluster of two labels", split, two, 4, 2. / 3, 1, .8);
	compare("all in one cluster", two, one, 4, 0, 1, 0);
	compare("each alone", two, apart, 4, 1, .5, 2. / 3);
	compare("nothing in common", two, cross, 4, 0, 0, 0);
	compare("one label", one, two, 4, 1, 0, 0);
	compare("nothing at all", one, one, 0, 1, 1, 1);
	compare("a mixture", labels, clusters, 10, 0.525850251868, 0.618065646292, 0.568241032923);
	partition_compare(labels, clusters, 10, &got);
	ok(got.n_labels == 4 && got.n_clusters == 3, "how many there are");
	return tap_done();
}
