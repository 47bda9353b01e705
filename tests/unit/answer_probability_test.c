/*
 * answer_probability_test.c: values by hand, and the direction of each part.
 */
#include "tap.h"

#include <math.h>

#include "rank/answer_probability.h"

static bool
near(float got, double want)
{
	return fabs((double)got - want) < 1e-4;
}

int
main(void)
{
	struct answer_evidence words = { .near = 0.6f, .score = 5, .length = 0.9f },
			       meaning = words, more;

	/* -2.80 + 3.078 + 1.05 - 0.756 = 0.572 */
	ok(near(answer_probability(&words), 0.639224), "by words: %g",
	    (double)answer_probability(&words));
	meaning.dense = true;
	meaning.sim = 0.3f;
	meaning.z4 = 0.8f;
	/* -3.51 + 2.262 + 1.785 - 0.544 = -0.007 */
	ok(near(answer_probability(&meaning), 0.498250), "with vectors: %g",
	    (double)answer_probability(&meaning));

	/* one less in the exponent: -0.428, -1.007 */
	more = words, more.other = true;
	ok(near(answer_probability(&more), 0.394604),
	    "by words, said by another than the one named: %g", (double)answer_probability(&more));
	more = meaning, more.other = true;
	ok(near(answer_probability(&more), 0.267567), "with vectors, the same: %g",
	    (double)answer_probability(&more));
	/* half of that: 0.072, -0.507 */
	more = words, more.other = more.prompt = true;
	ok(near(answer_probability(&more), 0.517992), "in a prompt, by words: %g",
	    (double)answer_probability(&more));
	more = meaning, more.other = more.prompt = true;
	ok(near(answer_probability(&more), 0.375897), "in a prompt, with vectors: %g",
	    (double)answer_probability(&more));
	more = words, more.prompt = true;
	ok(answer_probability(&more) == answer_probability(&words),
	    "said by the one named, a prompt is as a bare question");

	/* -0.007 - 0.8 */
	more = meaning, more.matter = true;
	ok(near(answer_probability(&more), 0.308508), "about a matter: %g",
	    (double)answer_probability(&more));
	more = words, more.matter = true;
	ok(answer_probability(&more) == answer_probability(&words),
	    "by words, a matter is as all else");

	/* -0.007 + 0.7 */
	more = meaning, more.foreign = 1;
	ok(near(answer_probability(&more), 0.666626), "in another language than the question: %g",
	    (double)answer_probability(&more));
	more = words, more.foreign = 1;
	ok(answer_probability(&more) == answer_probability(&words),
	    "by words, another language counts for nothing");

	more = meaning, more.sim = 0.5f;
	ok(answer_probability(&more) > answer_probability(&meaning), "nearer is likelier");
	more = meaning, more.z4 = 1.2f;
	ok(answer_probability(&more) < answer_probability(&meaning),
	    "as near, where all else is far from the question, is less likely");
	more = words, more.sim = 0.5f, more.z4 = 1;
	ok(answer_probability(&more) == answer_probability(&words),
	    "without vectors, nearness is not looked at");
	more = words, more.length = 1.4f;
	ok(answer_probability(&more) < answer_probability(&words),
	    "by words, a long text is less likely");
	more = words, more.score = 6;
	ok(answer_probability(&more) > answer_probability(&words),
	    "by words, a better score is likelier");
	for (int dense = 0; dense < 2; dense++) {
		const struct answer_evidence *by = dense ? &meaning : &words;
		more = *by, more.near = 0.9f;
		ok(answer_probability(&more) > answer_probability(by),
		    "more words where it stands are likelier, %d", dense);
		more = *by, more.behind = 1;
		ok(answer_probability(&more) < answer_probability(by),
		    "a hit behind the best is less likely, %d", dense);
		more = *by, more.date = 1;
		ok(answer_probability(&more) > answer_probability(by),
		    "said when the question means, %d", dense);
		more = *by, more.code = 0.5f;
		ok(answer_probability(&more) > answer_probability(by), "an identifier, %d", dense);
		ok(answer_probability(&(struct answer_evidence){ .dense = dense }) < 0.06f,
		    "a hit that has nothing, %d", dense);
	}
	return tap_done();
}
