/*
 * merge_guard_test.c: pairs of texts that look alike, and what speaks against taking them for one.
 */
#include "tap.h"

#include <stdlib.h>

#include "text/merge_guard.h"

static void
pair(const char *a, const char *b, const char *want)
{
	const char *got = merge_guard(a, strlen(a), b, strlen(b)),
		   *back = merge_guard(b, strlen(b), a, strlen(a));

	is_str(got == NULL ? "" : got, want, "%s | %s", a, b);
	is_str(back == NULL ? "" : back, want, "and the other way round");
}

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

int
main(void)
{
	pair("User prefers dark mode", "The user prefers a dark mode", "");
	pair("Green tea is Ann's favourite drink", "Ann's favourite drink is green tea", "");
	pair("Ann likes hiking", "Ann really likes hiking", "");
	pair("the favourite colour of Ann", "the favourite color of Ann", "");
	pair("", "", "");
	pair("PR #260 fixes the login", "PR #480 fixes the login", "numbers");
	pair("pays 1,200 a month", "pays 1,300 a month", "numbers");
	pair("has two cats", "has three cats", "numbers");
	pair("has two cats", "has 2 cats", "");
	pair("has cats", "has two cats", "numbers");
	pair("uses getUserName in the client", "uses getUserId in the client", "identifiers");
	pair("the path is /etc/mem/config", "the path is /etc/mem/conf", "identifiers");
	pair("Ann eats meat", "Ann does not eat meat", "negations");
	pair("Ann eats meat", "Ann never eats meat", "negations");
	pair("Ann eats meat", "Ann doesn’t eat meat", "negations");
	pair("Ann can't swim", "Ann cannot swim", "");
	pair("Ann works at Acme", "Ann formerly worked at Acme", "negations");
	pair("Ann lives in Lisbon", "Bob lives in Lisbon", "names");
	pair("Ann lives in Lisbon", "Ann lives in Porto", "names");
	pair("Ann meets Carl on Monday", "Ann meets Carl and Dora on Monday", "names");
	pair("ann lives in lisbon", "bob lives in lisbon", "words");
	pair("deploy before the freeze", "deploy after the freeze", "words");
	pair("his sister cooks", "her sister cooks", "words");
	pair("turn the cache on", "turn the cache off", "words");
	pair("the task is possible", "the task is impossible", "words");
	pair("她喜欢绿茶", "她喜欢红茶", "words");
	pair("她喜欢绿茶", "她不喜欢绿茶", "negations");
	pair("她有三只猫", "她有四只猫", "numbers");
	pair("Élise wohnt in Köln", "Elise wohnt in Koln", "");
	pair("Nora called Emil", "Emil called Nora", "order");
	pair("Emil moved from Oslo to Rome", "Emil moved from Rome to Oslo", "order");
	pair("Emil moved from Oslo to Rome", "Emil moved to Rome from Oslo", "order");
	pair("moved to Oslo", "moved from Oslo", "words");
	pair("a vote for the plan", "a vote against the plan", "words");
	pair("use yarn instead of npm", "use npm instead of yarn", "order");
	pair("wash it before you paint it", "paint it before you wash it", "order");
	pair("the outage caused the rollback", "the rollback caused the outage", "order");
	pair("the outage caused the rollback", "the outage was caused by the rollback", "order");
	pair("Nora is Emil's boss", "Emil is Nora's boss", "order");
	pair("a whale is a mammal", "a mammal is a whale", "order");
	pair("my sister rang your mother", "your sister rang my mother", "order");
	pair("two dogs and three cats", "3 dogs and 2 cats", "order");
	pair("小李比小赵高", "小赵比小李高", "order");
	pair("Lena fährt von Bonn nach Ulm", "Lena fährt von Ulm nach Bonn", "order");
	pair("on Sundays the shop is shut", "the shop is shut on Sundays", "");
	pair("after lunch Nora naps", "Nora naps after lunch", "");
	pair("Nora rang Emil after lunch", "after lunch Emil rang Nora", "order");
	pair("Nora calls Emil, and Nora's calls are long", "Nora calls Emil", "");
	pair("the gate opens at 8 a.m.", "the gate opens at 8 p.m.", "numbers");
	pair("the gate opens at 8 am", "the gate opens at 8 PM", "numbers");
	pair("the gate opens at eight a.m.", "the gate opens at 8 am", "");
	pair("the gate opens at 8am", "the gate opens at 8pm", "numbers");
	pair("I am here", "I am here a m", "");
	pair("\xff\xfe broken", "\xff broken", "");
	claim("User prefers tea", "I prefer tea", "Well, I prefer tea.", "", "");
	claim("Ann prefers tea", "I prefer tea", "Well, I prefer tea.", "Ann Lee", "");
	claim("Bob prefers tea", "I prefer tea", "Well, I prefer tea.", "Ann Lee", "names");
	claim("User has two cats", "I have two cats", "In Rome I have two cats", "", "");
	claim("User has 2 cats in Rome", "I have two cats", "In Rome I have two cats", "", "");
	claim("User has three cats", "I have two cats", "In Rome I have two cats", "", "numbers");
	claim("User likes tea", "I do not like tea", "I do not like tea", "", "negations");
	claim("User does not like tea", "I like tea", "I like tea", "", "negations");
	claim("User calls get_user", "I call getName", "I call getName", "", "identifiers");
	plain("  I  LOVE\ttea. ", "i love tea");
	plain("...", ".");
	plain("我喜欢茶。", "我喜欢茶");
	return tap_done();
}
