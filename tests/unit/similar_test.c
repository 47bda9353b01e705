/*
 * similar_test.c: Dice's coefficient; figures counted by hand: trigrams of the text with a space on
 * both ends.
 */
#include "tap.h"

#include "base/base.h"
#include "statement/similar.h"

static const struct { const char *a, *b; double want; } cases[] = {
	{ "", "", 1 },
	{ "abc", "abc", 1 },
	{ "Caf\xc3\xa9  au\tlait\n", " cafe au lait", 1 },     /* folded, white space collapsed */
	{ "abc", "", 0 },
	{ "ab", "ab", 1 },
	/* under three characters: equal or not */
	{ "ab", "abc", 0 },
	{ "abc", "xyz", 0 },
	/* _ab abc of _ab abc bcd cd_ and _ab abc bce ce_ */
	{ "abcd", "abce", 4.0 / 8 },
	{ "night", "nacht", 2.0 / 10 },                        /* ht_ alone */
	/* _aa aaa aaa aa_ against _aa aaa*4 aa_ */
	{ "aaaa", "aaaaaa", 8.0 / 10 },
	{ "\xe4\xbb\x8a\xe5\xa4\xa9\xe5\xa5\xbd", "\xe4\xbb\x8a\xe5\xa4\xa9\xe5\x9d\x8f", 2.0 / 6 },
	{ "a\xff" "bc", "a\xff" "bc", 1 },
};

int
main(void)
{
	static char long_a[200000], long_b[200000];
	double d;

	for (size_t i = 0; i < NELEM(cases); i++) {
		double x =
		    similar_dice(cases[i].a, strlen(cases[i].a), cases[i].b, strlen(cases[i].b));
		double y =
		    similar_dice(cases[i].b, strlen(cases[i].b), cases[i].a, strlen(cases[i].a));

		ok(x > cases[i].want - 1e-12 && x < cases[i].want + 1e-12,
		    "case %zu: %.6f, want %.6f", i, x, cases[i].want);
		ok(x >= y && x <= y, "the same from either side");
	}
	/* a quick look never says no to what a whole one finds, and no to most others */
	for (size_t i = 0; i < NELEM(cases); i++) {
		struct similar_mark a, b;

		similar_mark(cases[i].a, strlen(cases[i].a), &a);
		similar_mark(cases[i].b, strlen(cases[i].b), &b);
		ok(similar_may(&a, &b, cases[i].want), "case %zu may be as similar as it is", i);
	}
	{
		static const char *const words[] = { "tern", "gull", "osprey", "heron", "crane" };
		struct similar_mark marks[64];
		char texts[64][80];
		size_t n_wrong = 0, n_no = 0;

		for (unsigned i = 0; i < 64; i++) {
			snprintf(texts[i], sizeof(texts[i]), "the %s is fed at %u by the %s",
			    words[i % 5], i * 7 % 23, words[i / 5 % 5]);
			similar_mark(texts[i], strlen(texts[i]), &marks[i]);
		}
		for (size_t i = 0; i < 64 * 64; i++) {
			const char *a = texts[i / 64], *b = texts[i % 64];
			bool may = similar_may(&marks[i / 64], &marks[i % 64], .8);

			n_no += !may;
			n_wrong += !may && similar_dice(a, strlen(a), b, strlen(b)) >= .8;
		}
		is_int(n_wrong, 0, "no pair of many that is similar is passed over");
		ok(n_no > 64 * 32, "most that are not are (%zu)", n_no);
	}
	for (size_t i = 0; i < sizeof(long_a); i++)
		long_a[i] = long_b[i] = (char)('a' + (i * i + i / 7) % 26);
	long_b[100000] = '!';
	d = similar_dice(long_a, sizeof(long_a), long_b, sizeof(long_b));
	ok(d > 0.9999 && d < 1, "200,000 letters with one changed: %.6f", d);
	return tap_done();
}
