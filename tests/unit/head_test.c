/*
 * head_test.c: a head's text and its probabilities, worked out by hand; texts that break the
 * grammar.
 */
#include <math.h>

#include "math/head.h"
#include "tap.h"

static const char *const names[] = { "question", "first" };

static const char text[] = "# two sections\n"
			   "section words\n"
			   "threshold 0.6\n"
			   "bias -1\n"
			   "weight first 2\n"
			   "\n"
			   "section tiny\n"
			   "bias 0.5\n"
			   "weight question -1.5\n"
			   "vector 1 0.5\n"
			   "vector -2\n";

static bool
near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

static void
test_reading(void)
{
	struct head h;
	struct err err = ERR_INIT;
	const float first[] = { 0, 1 }, asked[] = { 1, 0 }, v[] = { .5f, 1, .25f };

	ok(head_read(&h, text, sizeof(text) - 1, "words", names, 2, &err), "no vector");
	is_int(h.n_dims, 0, "has no dimensions");
	ok(near(h.threshold, .6), "its threshold");
	ok(near(head_probability(&h, first, NULL), 1 / (1 + exp(-1.))), "bias and a weight");
	ok(near(head_probability(&h, asked, NULL), 1 / (1 + exp(1.))),
	    "a feature without a weight");
	head_release(&h);
	ok(head_read(&h, text, sizeof(text) - 1, "tiny", names, 2, &err), "a vector");
	is_int(h.n_dims, 3, "its lines are joined");
	ok(near(h.threshold, .5), "half when none is named");
	ok(near(head_probability(&h, asked, v), 1 / (1 + exp(.5))), ".5 - 1.5 + .5 + .5 - .5");
	head_release(&h);
	ok(!head_read(&h, text, sizeof(text) - 1, "none", names, 2, &err) && err.code == 0,
	    "a section that is not there is no fault");
}

static void
test_faults(void)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "section words\nbias x\n", "line 2: 'x' is no number" },
		{ "section words\nbias\n", "line 2: '' is no number" },
		{ "section words\nbias 1\nweight third 2\n", "line 3: 'weight third' means nothing here" },
		{ "section words\nslope 1\n", "line 2: 'slope 1' means nothing here" },
		{ "section words\nvector 1 nan\n", "line 2: 'nan' is no number" },
	};

	for (size_t i = 0; i < NELEM(bad); i++) {
		struct head h;
		struct err err = ERR_INIT;
		ok(!head_read(&h, bad[i].text, strlen(bad[i].text), "words", names, 2, &err) &&
		    err.code == ERR_DATA, "refused: case %zu", i);
		is_str(err.msg, bad[i].says, "and says why");
	}
}

int
main(void)
{
	test_reading();
	test_faults();
	return tap_done();
}
