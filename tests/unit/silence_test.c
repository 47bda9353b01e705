/* silence_test.c: turns that say nothing, and turns as short that say something. */
#include "tap.h"

#include <time.h>

#include "base/alloc.h"
#include "statement/silence.h"
#include "statement/speech.h"

static bool
to(const char *question, const char *text, bool order)
{
	return silence_to(question, strlen(question), text, strlen(text), order);
}

/* Of many lines that may begin what a list adds none is searched to the end of the text. */
static void
test_rules(void)
{
	enum { LINE = 16, LINES = 60000 };
	char *text = xmalloc(LINE * LINES);
	clock_t began = clock();

	for (size_t i = 0; i < LINES; i++)
		memcpy(text + i * LINE, "_______________\n", LINE);
	ok(speech_own(text, LINE * LINES) > 0 && clock() - began < 5 * CLOCKS_PER_SEC,
	    "many rules are read in time");
	free(text);
}

int
main(void)
{
	static const char *const nothing[] = { "", "ok", "Go on!", "do it", "hm", "jo",
		"let's look", "sure, go ahead", "morning!", "take it then", "ja, genau",
		"oui merci", "obrigado", "\xf0\x9f\x91\x8d", "*** Quits ann (Read error)",
		"* ann has quit (Read error)",
		"*** ann <ann!~a@host.example> has joined #boats", "@ann has joined the channel",
		"-!- ann is now known as ann_away" },
		*const something[] = { "Lisbon", "tomorrow", "on friday", "three", "42",
		"in the morning", "I stopped", "we paid", "sqlite then", "am Samstag",
		"\xe5\xa5\xbd", "Ann has left the band", "* Ann has quit smoking",
		"* Ann has quit (finally) smoking",
		"To unsubscribe from this list, write to Bo", "* Redis is now known as Valkey",
		"*** Ann sails on Monday",
		"no, it is just what we said before" };

	for (size_t i = 0; i < NELEM(nothing); i++)
		ok(silence_of_talk(nothing[i], strlen(nothing[i])), "says nothing: '%s'",
		    nothing[i]);
	for (size_t i = 0; i < NELEM(something); i++)
		ok(!silence_of_talk(something[i], strlen(something[i])), "says something: '%s'",
		    something[i]);
	ok(to("do I go running?", "go on", false), "nothing to a question");
	ok(!to("go on", "go on", false), "what has all words of the question was looked for");
	ok(to("when do I run?", "run the tests", true), "an order, of which its verb is asked");
	ok(!to("when do I run?", "run the tests", false), "what nobody is told to do");
	ok(!to("when did you run the tests?", "run the tests", true), "an order that is asked for");
	ok(!to("what is done after a change?", "run the tests", true), "one that no word asks for");
	ok(!to("what do I plant?", "plant trees", true), "what begins with no order");
	ok(silence_of_tool("The file a.py has been updated.", 31) && silence_of_tool("200", 3) &&
		!silence_of_tool("3 tests failed", 14), "what a tool says");
	test_rules();
	return tap_done();
}
