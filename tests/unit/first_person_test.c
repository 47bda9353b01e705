/*
 * first_person_test.c: what another memory says of its user, as the user would say it.
 */
#include "audit/first_person.h"
#include "tap.h"

static struct arena a;

static void
says(const struct first_person *how, const char *text, bool begins, const char *want)
{
	const char *said = "";
	size_t len = 0;
	bool got = first_person(how, text, strlen(text), &a, &said, &len);

	ok(len == strlen(want) && memcmp(said, want, len) == 0, "'%s' is '%s'", text, want);
	is_int(got, begins, "'%s' %s with the user", text, begins ? "begins" : "does not begin");
}

int
main(void)
{
	static const char *const verbs[][2] = {
		{ "lives in Porto", "live in Porto" },
		{ "watches birds", "watch birds" }, { "fixes boats", "fix boats" },
		{ "carries a lamp", "carry a lamp" }, { "passes the mill", "pass the mill" },
		{ "goes by train", "go by train" }, { "is a baker", "am a baker" },
		{ "has a cat", "have a cat" }, { "does not smoke", "do not smoke" },
		{ "doesn't smoke", "don't smoke" }, { "was in Rome", "was in Rome" },
	};
	const struct first_person user = { "", false, false }, half = { "", true, false },
				  ann = { "Ann", false, false };
	char text[80], want[80];

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		snprintf(text, sizeof(text), "The user %s.", verbs[i][0]);
		snprintf(want, sizeof(want), "I %s.", verbs[i][1]);
		says(&user, text, true, want);
	}
	says(&half, "lives in Porto", true, "I live in Porto");
	says(&ann, "Ann has a cat", true, "I have a cat");
	says(&ann, "Ann's cat is grey", true, "My cat is grey");
	says(&user, "Ann has a cat", false, "Ann has a cat");
	says(&user, "The user's boat leaks", true, "My boat leaks");
	arena_release(&a);
	return tap_done();
}
