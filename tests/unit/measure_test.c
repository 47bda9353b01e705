/*
 * measure_test.c: figures of measures against those of trec_eval (through pytrec_eval) and of
 * numpy, and by hand.
 */
#include <math.h>

#include "math/measure.h"
#include "tap.h"

#define NEAR(got, want, ...) do { \
	double near_got = (got), near_want = (want); \
	if (!ok(fabs(near_got - near_want) < 1e-12, __VA_ARGS__)) \
		tap_note("got %.15g, want %.15g", near_got, near_want); \
} while (0)

struct ranking {
	const char *name;
	uint32_t found[12];
	size_t n, n_relevant;
	double recall_5, recall_10, ndcg_1, ndcg_5, ndcg_10, mrr_10;   /* trec_eval's */
};

static const struct ranking rankings[] = {
	{ "scattered", { 0, 1, 0, 0, 1, 0, 0, 1, 0, 0 }, 10, 4, .5, .75, 0, 0.3973220069685352,
	    0.5204732013389002, .5 },
	{ "short and perfect", { 1, 1, 1 }, 3, 3, 1, 1, 1, 1, 1, 1 },
	{ "nothing found", { 0 }, 10, 2, 0, 0, 0, 0, 0, 0 },
	{ "more relevant than ranks", { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 }, 11, 15, 1 / 15., 1 / 15.,
	    1, 0.3391602052736161, 0.22009176629808017, 1 },
	{ "at rank 7", { 0, 0, 0, 0, 0, 0, 1, 0, 0, 0 }, 10, 1, 0, 1, 0, 0, 1 / 3., 1 / 7. },
};

static void
test_rankings(void)
{
	const struct ranking *r;

	for (r = rankings; r < rankings + NELEM(rankings); r++) {
		NEAR(measure_recall(r->found, r->n, r->n_relevant, 5), r->recall_5, "%s: recall@5",
		    r->name);
		NEAR(measure_recall(r->found, r->n, r->n_relevant, 10), r->recall_10,
		    "%s: recall@10", r->name);
		NEAR(measure_ndcg(r->found, r->n, r->n_relevant, 1), r->ndcg_1, "%s: nDCG@1",
		    r->name);
		NEAR(measure_ndcg(r->found, r->n, r->n_relevant, 5), r->ndcg_5, "%s: nDCG@5",
		    r->name);
		NEAR(measure_ndcg(r->found, r->n, r->n_relevant, 10), r->ndcg_10, "%s: nDCG@10",
		    r->name);
		NEAR(measure_mrr(r->found, r->n, r->n_relevant, 10), r->mrr_10, "%s: MRR@10",
		    r->name);
	}
}

static void
test_cuts(void)
{
	const uint32_t late[] = { 0, 0, 1, 1, 0, 1 }, several[] = { 0, 2, 1 };

	NEAR(measure_any(late, 6, 3, 2), 0, "any@2: the first is at 3");
	NEAR(measure_any(late, 6, 3, 3), 1, "any@3");
	NEAR(measure_all(late, 6, 3, 5), 0, "all@5: the last is at 6");
	NEAR(measure_all(late, 6, 3, 6), 1, "all@6");
	NEAR(measure_all(late, 6, 4, 6), 0, "all@6 of four");
	NEAR(measure_mrr(late, 6, 3, 2), 0, "MRR@2 looks at two");
	NEAR(measure_recall(late, 6, 3, 0), 0, "k of 0");
	NEAR(measure_ndcg(late, 6, 3, 0), 0, "nDCG@0");
	NEAR(measure_recall(late, 0, 3, 5), 0, "no hits");
	NEAR(measure_recall(late, 6, 0, 5), 0, "nothing relevant");
	NEAR(measure_any(late, 6, 0, 5), 0, "nothing relevant: any");
	NEAR(measure_all(late, 6, 0, 5), 0, "nothing relevant: all");
	NEAR(measure_mrr(late, 6, 0, 5), 0, "nothing relevant: MRR");

	/*
	 * one hit that finds two of three: recall counts both, nDCG one gain: (1/log2 3 + 1/log2 4)
	 * / (1 + 1/log2 3 + 1/log2 4)
	 */
	NEAR(measure_recall(several, 3, 3, 2), 2 / 3., "a hit may find several");
	NEAR(measure_all(several, 3, 3, 3), 1, "and all are found");
	NEAR(measure_ndcg(several, 3, 3, 3), 0.530721273977243, "gain stays binary");
}

static void
test_percentiles(void)
{
	const double p[] = { 0, 5, 40, 50, 95, 100 }, want[] = { 15, 16, 29, 35, 48, 50 };
	double x[] = { 50, 15, 35, 40, 20 }, y[] = { 3, 1, 2, 10 }, one[] = { 7 };
	size_t i;

	for (i = 0; i < NELEM(p); i++)
		NEAR(measure_percentile(x, NELEM(x), p[i]), want[i], "p%g of five", p[i]);
	NEAR(measure_percentile(y, NELEM(y), 25), 1.75, "p25 of four");
	NEAR(measure_percentile(y, NELEM(y), 90), 7.9, "p90 of four");
	NEAR(measure_percentile(y, NELEM(y), -5), 1, "below 0 is the smallest");
	NEAR(measure_percentile(y, NELEM(y), 400), 10, "above 100 is the largest");
	NEAR(measure_percentile(one, 1, 95), 7, "of one");
	NEAR(measure_percentile(one, 0, 95), 0, "of none");
}

static void
test_auc(void)
{
	double x[] = { .9, .2, .5 }, y[] = { .5, .1 }, same[] = { 1, 1 }, ones[] = { 1 };

	/* 5 pairs of 6 are the right way round, (.2, .5) is not, (.5, .5) is half */
	NEAR(measure_auc(x, 3, y, 2), 4.5 / 6, "of three and two");
	NEAR(measure_auc(y, 2, x, 3), 1.5 / 6, "the other way round");
	NEAR(measure_auc(same, 2, ones, 1), .5, "ties");
	NEAR(measure_auc(x, 3, y, 0), .5, "of none");
}

int
main(void)
{
	test_rankings();
	test_cuts();
	test_percentiles();
	test_auc();
	return tap_done();
}
