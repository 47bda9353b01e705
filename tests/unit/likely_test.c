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
	struct likely_by words = { .window = 0.2f, .coverage = 0.6f }, meaning = words, more;

	/* -2.80 + 0.948 + 1.83 = -0.022 */
	ok(near(likely(&words), 0.494500), "by words: %g", (double)likely(&words));
	meaning.dense = true;
	meaning.sim = 0.3f;
	/* -4.48 + 1.434 + 0.774 + 2.637 = 0.365 */
	ok(near(likely(&meaning), 0.590250), "with vectors: %g", (double)likely(&meaning));

	/* one less in the exponent: -1.022, -0.635 */
	more = words, more.other = true;
	ok(near(likely(&more), 0.264633), "by words, said by another than the one named: %g", (double)likely(&more));
	more = meaning, more.other = true;
	ok(near(likely(&more), 0.346377), "with vectors, the same: %g", (double)likely(&more));

	more = meaning, more.sim = 0.5f;
	ok(likely(&more) > likely(&meaning), "nearer is likelier");
	more = words, more.sim = 0.5f;
	ok(likely(&more) == likely(&words), "without vectors, nearness is not looked at");
	for (int dense = 0; dense < 2; dense++) {
		const struct likely_by *by = dense ? &meaning : &words;
		more = *by, more.coverage = 0.9f;
		ok(likely(&more) > likely(by), "more words are likelier, %d", dense);
		more = *by, more.window = 0.3f;
		ok(likely(&more) > likely(by), "more around it, too, %d", dense);
		more = *by, more.date = 1;
		ok(likely(&more) > likely(by), "said when the question means, %d", dense);
		more = *by, more.code = 0.5f;
		ok(likely(&more) > likely(by), "an identifier, %d", dense);
		ok(likely(&(struct likely_by){ .dense = dense }) < 0.06f, "a hit that has nothing, %d", dense);
	}
	return tap_done();
}
