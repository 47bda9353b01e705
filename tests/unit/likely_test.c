/*
 * likely_test.c: values by hand, and the direction of each part.
 */
#include "tap.h"

#include <math.h>

#include "rank/likely.h"

static bool
near(float got, double want)
{
	return fabs((double)got - want) < 1e-4;
}

int
main(void)
{
	struct likely_by words = { .bm25 = 0.5f, .head = 1, .coverage = 0.6f, .n_candidates = 99 }, meaning = words, more;

	/* -0.49 + 1.692 - 2.61 + 4.155 - 2.394689 = 0.352311 */
	ok(near(likely(&words), 0.587178), "by words: %g", (double)likely(&words));
	meaning.dense = true;
	meaning.sim = 0.5f;
	meaning.z4 = 0.75f;
	/* -0.06 + 1.884 - 3.453878 + 0.72 + 1.2075 = 0.297622 */
	ok(near(likely(&meaning), 0.573861), "with vectors: %g", (double)likely(&meaning));

	more = meaning, more.sim = 0.7f;
	ok(likely(&more) > likely(&meaning), "nearer is likelier");
	more = meaning, more.z4 = 1;
	ok(likely(&more) > likely(&meaning), "nearer than the others is, too");
	more = meaning, more.coverage = 0.9f;
	ok(likely(&more) > likely(&meaning), "more words are");
	more = meaning, more.n_candidates = 9999;
	ok(likely(&more) < likely(&meaning), "the best of many is less likely");
	more.n_candidates = 20000;
	meaning.n_candidates = (size_t)-1;
	ok(likely(&more) == likely(&meaning), "beyond a number that no longer counts");
	ok(likely(&(struct likely_by){ .n_candidates = 1000 }) < 0.05f, "a hit that has nothing");
	return tap_done();
}
