/*
 * references_test.c: words that point back, and the same words when they do not. Expected by hand:
 * the words found, each with its kind.
 */
#include "tap.h"

#include "base/base.h"
#include "followup/references.h"

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
	{ "the second one", "second:order one:one" },
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
	{ "the first of them", "first:order them:they" },
	{ "the first novel", "" },
	{ "was trinkt sie gern?", "sie:person" },
	{ "Haben Sie Zeit, Herr Wolf?", "" },                              /* a polite "you" */
	{ "kann die auch nach innen? Die graue Farbe.", "die:that auch:more" },
	{ "und der andere, wie kommt man da hin?", "andere:other da:there" },
	{ "gibt es etwas", "" },
	{ "how often should I do it?", "" },                               /* no thing */
	{ "is it open at that time?", "it:it" },                           /* a moment */
	{ "what does the latter cost?", "latter:order" },
	{ "he did die there", "he:person there:there" },                   /* no German article */
	/* in the order of the text */
	{ "it \xe9\x82\xa3\xe9\x87\x8c she", "it:it \xe9\x82\xa3\xe9\x87\x8c:there she:person" },
	{ "a\xff it \xe4\xbb", "it:it" },                                  /* no UTF-8 */
};

/* The names of the kinds, in their order. */
static const char *const kinds[] = { "it", "they", "person", "this", "that", "one", "there", "same",
	"other", "more", "both", "order", "time" };

int
main(void)
{
	struct arena a = ARENA_INIT;
	struct reference found[REFERENCES];
	char text[400];

	for (size_t i = 0; i < NELEM(cases); i++) {
		struct conversation t;
		const struct conversation_turn *q;
		size_t n, at = 0;

		conversation_start(&t, &a);
		q = conversation_add(&t, CONVERSATION_USER, cases[i].text, strlen(cases[i].text));
		n = references_find(q, found);
		text[0] = '\0';
		for (size_t k = 0; k < n; k++) {
			const struct conversation_word *w = &q->words[found[k].word];

			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%.*s:%s",
			    k ? " " : "", (int)(w->end - w->start), q->text + w->start,
			    kinds[found[k].kind - LEX_IT]);
		}
		is_str(text, cases[i].want, "'%s'", cases[i].text);
	}
	is_int(references_count("it it she", 9), 3, "counted");
	is_int(references_count("", 0), 0, "none in nothing");
	memset(text, ' ', sizeof(text));
	for (size_t i = 0; i + 3 < sizeof(text); i += 3)
		memcpy(text + i, "it", 2);
	is_int(references_count(text, sizeof(text)), REFERENCES, "no more than there is room for");
	arena_release(&a);
	return tap_done();
}
