/*
 * spelling_test.c: misspelt words against stems. Edits and likenesses were counted by hand; stems
 * are Porter's.
 */
#include "tap.h"

#include <math.h>

#include "base/base.h"
#include "base/hash.h"
#include "text/spelling.h"

static const struct { const char *word, *term; double want; } cases[] = {
	{ "netwurk", "network", 1 - 1.0 / 7 },                     /* another letter */
	{ "netwok", "network", 1 - 1.0 / 6 },                      /* one less */
	{ "nettwork", "network", 1 - 1.0 / 8 },                    /* one more */
	{ "newtork", "network", 1 - 1.0 / 7 },                     /* two exchanged */
	{ "network", "network", 1 },
	{ "NETWORK", "network", 1 },                               /* folded */
	/* accents folded, an ending of one letter */
	{ "caf\xc3\xa9s", "cafe", 1 - 0.01 },
	{ "entwork", "network", 1 - 1.0 / 7 - 0.05 },              /* at the first letter */
	{ "xetwork", "network", 1 - 1.0 / 7 - 0.05 },
	{ "etwork", "network", 1 - 1.0 / 6 - 0.05 },
	{ "caht", "chat", 1 - 1.0 / 4 },
	{ "paintign", "paint", 1 - 1.0 / 8 - 0.03 },               /* in the ending */
	{ "retierd", "retir", 1 - 1.0 / 7 - 0.01 },                /* retier, d */
	{ "paniting", "paint", 1 - 1.0 / 8 - 0.03 },               /* in the stem, with an ending */
	{ "famly", "famili", 1 - 1.0 / 5 },                        /* y was made i */
	{ "photogarphy", "photographi", 1 - 1.0 / 11 },
	/* one less in the stem, one in the ending */
	{ "cofiguraton", "configur", 1 - 2.0 / 11 - 0.04 },
	{ "commpuuter", "comput", 1 - 2.0 / 10 - 0.02 },           /* two more */
	{ "ccoomputer", "comput", 1 - 2.0 / 10 - 0.02 },
	{ "netwrking", "network", 1 - 1.0 / 9 - 0.03 },
	{ "orgnaizatoin", "organ", 0 },
	/* cut short, which is less than the letter that lacks */
	{ "restau", "restaur", 0.5 + 0.4 * 6 / 7 },
	{ "photo", "photograph", 0.5 + 0.4 * 5 / 10 },
	{ "pho", "photograph", 0.5 + 0.4 * 3 / 10 },
	{ "cat", "cut", 0 },                                       /* three letters: no edit */
	{ "house", "horn", 0 },                                    /* two, and one is allowed */
	{ "network", "banana", 0 },
	{ "network", "", 0 },
	{ "network", "a", 0 },
	/* Cyrillic: letters, not bytes */
	{ "\xd1\x81\xd0\xb5\xd1\x82\xd1\x8c\xd1\x8e", "\xd1\x81\xd0\xb5\xd1\x82\xd1\x8f\xd1\x8e", 1 - 1.0 / 5 },
	{ "network", "net\xff" "ork", 0 },                         /* no UTF-8 */
};

static void
test_likeness(void)
{
	for (size_t i = 0; i < NELEM(cases); i++) {
		struct spelling s;
		double got, want = cases[i].want;

		spelling_start(&s, cases[i].word, strlen(cases[i].word));
		got = (double)spelling_likeness(&s, cases[i].term, strlen(cases[i].term));
		if (strcmp(cases[i].word, "restau") == 0)
			want = MAX(want, 1 - 1.0 / 6);
		ok(fabs(got - want) < 1e-5, "%s and %s: %.4f is %.4f", cases[i].word, cases[i].term,
		    got, want);
	}
}

static void
test_trigrams(void)
{
	struct spelling s;

	/*
	 * __n _ne net etw two wor ork rk_ and __n _ne net etw two wor orl rld ld_: six of both,
	 * eleven in all
	 */
	spelling_start(&s, "network", 7);
	ok(fabs((double)spelling_likeness(&s, "networld", 8) - (0.2 + 0.5 * 6 / 11)) < 1e-5,
	    "trigrams: %.4f", (double)spelling_likeness(&s, "networld", 8));
	/* __n _ne nec eck ck_: two of eleven */
	is_int(spelling_likeness(&s, "neck", 4) > 0, 0, "too few in common");
}

static void
test_start(void)
{
	struct spelling s;

	ok(!spelling_start(&s, "ab", 2), "two letters");
	ok(!spelling_start(&s, "", 0), "none");
	ok(!spelling_start(&s, "abcdefghijklmnopqrstuvwxyz", 26), "more than are looked at");
	is_int(spelling_likeness(&s, "abcdefghijklmnopqrstuvwxyz", 26) > 0, 0, "is like nothing");
	ok(!spelling_start(&s, "\xff\xfe\xfd", 3) || s.n > 0, "no UTF-8");
	ok(spelling_start(&s, "abc", 3), "three");
	ok(spelling_start(&s, "abcdefghijklmnopqrstuvwx", 24), "twenty-four");
	ok(spelling_likeness(&s, "abcdefghijklmnopqrstuvwx", 24) == 1, "is like itself");
}

static void
test_found(void)
{
	struct spelling s;
	char term[8];

	spelling_start(&s, "netwurk", 7);
	spelling_end(&s);
	is_int(s.n_found, 0, "nothing yet");
	spelling_try(&s, "netwrk", 6, 1);
	spelling_try(&s, "network", 7, 3);
	spelling_try(&s, "banana", 6, 1000);
	spelling_try(&s, "network", 7, 5);             /* of another segment */
	spelling_end(&s);
	is_int(s.n_found, 2, "two are like it");
	ok(s.found[0].len == 7 && memcmp(s.found[0].term, "network", 7) == 0,
	    "as like, but more frequent");
	is_int(s.found[0].df, 8, "its documents are added up");
	spelling_start(&s, "thesq", 5);
	spelling_try(&s, "these", 5, 1);
	is_int(s.n_found, 0, "a stop word is not meant");
	spelling_start(&s, "wxyz", 4);
	for (int i = 0; i < 26; i++) {
		snprintf(term, sizeof(term), "wxy%c", 'a' + i);
		spelling_try(&s, term, 4, (uint32_t)i + 1);
	}
	spelling_end(&s);
	is_int(s.n_found, SPELLING_FOUND, "no more than are kept");
	ok(s.found[0].term[3] == 'z' && s.found[1].term[3] == 'y' && s.found[2].term[3] == 'x',
	    "the same word, then the most frequent");
}

/* Right words that nobody has said are near many others by their letters. */
static void
test_right_words(void)
{
	static const char *const pairs[][2] = { { "reaction", "read" }, { "money", "move" },
		{ "allergic", "all" } };

	for (size_t i = 0; i < NELEM(pairs); i++) {
		struct spelling s;
		spelling_start(&s, pairs[i][0], strlen(pairs[i][0]));
		ok(spelling_likeness(&s, pairs[i][1], strlen(pairs[i][1])) <= 0, "%s is no %s",
		    pairs[i][0], pairs[i][1]);
	}
}

static uint64_t state = 8;

static unsigned
any(unsigned below)
{
	state = hash64_mix(state + 1);
	return (unsigned)(state % below);
}

/* One of the four edits of term [*n] at its character at, which is not the last. */
static void
edit(char *term, size_t *n, size_t at)
{
	char c = term[at];

	switch (any(4)) {
	case 0:
		term[at] = (char)('a' + any(26));
		break;
	case 1:
		memmove(term + at, term + at + 1, *n - at);
		--*n;
		break;
	case 2:
		memmove(term + at + 1, term + at, *n + 1 - at);
		term[at] = (char)('a' + any(26));
		++*n;
		break;
	default:
		term[at] = term[at + 1];
		term[at + 1] = c;
	}
}

/*
 * A term that two edits make of the word, or of it less an ending, is nearly as like it as two
 * edits are (fewer edits and a longer ending may be found instead), whatever letters come and go:
 * what is dismissed beforehand has more.
 */
static void
test_edits(void)
{
	static const char *const endings[] = { "", "", "s", "ed", "ing", "ation" };
	size_t wrong = 0;

	for (size_t round = 0; round < 200000; round++) {
		const char *ending = endings[any(NELEM(endings))];
		char word[40], term[40];
		size_t n = 8 + any(5), m = n, ends = strlen(ending);
		unsigned letters = any(2) ? 26 : 5, n_edits = any(3);
		struct spelling s;

		for (size_t i = 0; i < n; i++)
			word[i] = (char)('a' + any(letters));
		memcpy(term, word, n);
		memcpy(word + n, ending, ends + 1);
		term[n] = '\0';
		for (unsigned k = 0; k < n_edits; k++)
			/* apart: what was exchanged is not changed again */
			edit(term, &m, k == 0 ? 5 + any((unsigned)m - 6) : 2);
		wrong += !spelling_start(&s, word, n + ends) ||
		    (double)spelling_likeness(&s, term, m) <
			1 - (double)n_edits / (double)(n + ends) - 0.01 * (double)ends - 0.03;
	}
	is_int(wrong, 0, "200,000 terms of two edits at most are as like the word as that");
}

int
main(void)
{
	test_likeness();
	test_trigrams();
	test_start();
	test_found();
	test_right_words();
	test_edits();
	return tap_done();
}
