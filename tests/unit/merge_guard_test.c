/*
 * merge_guard_test.c: claims that their quotes and messages bear out, and others.
 */
#include "tap.h"

#include <stdlib.h>

#include "statement/merge_guard.h"

static void
claim(const char *c, const char *quote, const char *source, const char *who, const char *want)
{
	const char *got =
	    merge_guard_claim(c, strlen(c), quote, strlen(quote), source, strlen(source), who);

	is_str(got == NULL ? "" : got, want, "%s <- %s", c, quote);
}

static void
plain(const char *text, const char *want)
{
	size_t len;
	char *got = merge_guard_plain(text, strlen(text), &len);

	is_str(got, want, "plain: %s", text);
	is_int(len, strlen(want), "its length");
	free(got);
}

/* A message of more words than a statement is read of. */
static void
test_long(void)
{
	char source[8000];
	size_t n = 0;

	for (int i = 0; i < 400; i++)
		n += (size_t)snprintf(source + n, sizeof(source) - n, "so it went on, ");
	snprintf(source + n, sizeof(source) - n, "and Zoe has 17 hens");
	claim("Zoe has 17 hens", "Zoe has 17 hens", source, "", "");
	claim("Zoe has 19 hens", "Zoe has 17 hens", source, "", "numbers");
	claim("Ida has 17 hens", "Zoe has 17 hens", source, "", "names");
}

/* Each character of a script without spaces is a word. */
static void
test_long_han(void)
{
	char source[4000];
	size_t n = 0;

	for (int i = 0; i < 170; i++)
		n += (size_t)snprintf(source + n, sizeof(source) - n, "水");
	snprintf(source + n, sizeof(source) - n, "。我住在上海有37只猫");
	claim("用户住在上海有37只猫", "我住在上海有37只猫", source, "", "");
}

int
main(void)
{
	claim("User prefers tea", "I prefer tea", "Well, I prefer tea.", "", "");
	claim("Ann prefers tea", "I prefer tea", "Well, I prefer tea.", "Ann Lee", "");
	claim("Bob prefers tea", "I prefer tea", "Well, I prefer tea.", "Ann Lee", "names");
	claim("User has two cats", "I have two cats", "In Rome I have two cats", "", "");
	claim("User has 2 cats in Rome", "I have two cats", "In Rome I have two cats", "", "");
	claim("User has three cats", "I have two cats", "In Rome I have two cats", "", "numbers");
	claim("User likes tea", "I do not like tea", "I do not like tea", "", "negations");
	claim("User does not like tea", "I like tea", "I like tea", "", "negations");
	claim("User calls get_user", "I call getName", "I call getName", "", "identifiers");
	claim("User does not like tea", "I hate tea", "I hate tea", "", "");
	claim("User lives in Oslo", "she lives there", "Oslo is fine. she lives there", "", "");
	claim("User pays 40 euros", "I pay 14 euros", "I pay 14 euros", "", "numbers");
	claim("用户有三只猫", "我有两只猫", "我有两只猫", "", "numbers");
	test_long();
	test_long_han();
	plain("  I  LOVE\ttea. ", "i love tea");
	plain("...", ".");
	plain("我喜欢茶。", "我喜欢茶");
	return tap_done();
}
