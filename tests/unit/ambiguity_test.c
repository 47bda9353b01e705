/*
 * ambiguity_test.c: words that point back, and the same words when they do not. Expected by hand:
 * the words found, each with its kind.
 */
#include "tap.h"

#include "base/base.h"
#include "text/ambiguity.h"

static const struct { const char *text, *want; } cases[] = {
	{ "", "" },
	{ "Is it treatable?", "it:it" },
	{ "What are its symptoms?", "its:it" },
	/* a curly apostrophe */
	{ "It\xe2\x80\x99s subscribers", "It:it" },
	{ "Describe it's growth", "it:it" },
	{ "Did they sell their house to him?", "they:they their:they him:person" },
	{ "the house that burnt", "" },
	{ "is that true", "that:that" },
	{ "about that", "that:that" },
	{ "Is there a way?", "" },
	{ "There are ten.", "" },
	{ "There's one way", "" },                                         /* nor "one way" */
	{ "How do I get there?", "there:there" },
	{ "the second one", "one:one" },
	{ "one of the best", "" },
	{ "More than ten", "" },
	{ "tell me more", "more:more" },
	{ "cities such as Rome", "" },
	{ "no such city", "such:same" },
	{ "What else? And the latter?", "else:other latter:order" },
	{ "THESE", "THESE:this" },
	{ "item, italic, theyre_x, hit", "" },                             /* parts of words */
	{ "\xe4\xbb\x96\xe6\x98\xaf\xe8\xb0\x81", "\xe4\xbb\x96:person" },         /* 他是谁 */
	{ "\xe5\xae\x83\xe4\xbb\xac", "\xe5\xae\x83\xe4\xbb\xac:they" },           /* 它们, not 它 */
	{ "\xe5\x85\xb6\xe5\xae\x9e", "" },                                        /* 其实: in fact */
	/* in the order of the text */
	{ "it \xe9\x82\xa3\xe9\x87\x8c she", "it:it \xe9\x82\xa3\xe9\x87\x8c:there she:person" },
	{ "a\xff it \xe4\xbb", "it:it" },                                  /* no UTF-8 */
};

int
main(void)
{
	struct ambiguity found[8];
	char text[400];

	for (size_t i = 0; i < NELEM(cases); i++) {
		size_t n = ambiguity_find(cases[i].text, strlen(cases[i].text), found,
			   NELEM(found)),
		       at = 0;

		text[0] = '\0';
		for (size_t k = 0; k < n; k++)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%.*s:%s",
			    k ? " " : "", (int)(found[k].end - found[k].start),
			    cases[i].text + found[k].start, ambiguity_names[found[k].kind]);
		is_str(text, cases[i].want, "'%s'", cases[i].text);
	}
	is_int(ambiguity_find("it it it it", 11, found, 2), 2, "no more than asked for");
	is_int(ambiguity_find("it", 2, found, 0), 0, "none when none is asked for");
	return tap_done();
}
