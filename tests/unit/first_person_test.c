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
	const struct first_person user = { "", false }, ann = { "Ann", false };

	says(&user, "The user lives in Porto.", true, "I lives in Porto.");
	says(&user, "The user told Ann of their boat", true, "I told Ann of my boat");
	says(&ann, "Ann has a cat", true, "I has a cat");
	says(&ann, "Ann's cat is grey", true, "My cat is grey");
	says(&user, "Ann has a cat", false, "Ann has a cat");
	says(&user, "The user's boat leaks", true, "My boat leaks");
	arena_release(&a);
	return tap_done();
}
