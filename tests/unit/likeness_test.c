/*
 * likeness_test.c: pairs of statements that look alike, and what speaks against taking them for
 * one; and pairs that have few words in common.
 */
#include "tap.h"

#include "statement/likeness.h"

static void
judge(const char *older, const char *newer, struct likeness *l)
{
	static struct said a, b;

	said_read(&a, older, strlen(older));
	said_read(&b, newer, strlen(newer));
	likeness(&a, &b, l);
}

/* want: what differs, whichever of them is the newer */
static void
pair(const char *a, const char *b, const char *want)
{
	struct likeness l, back;

	judge(a, b, &l);
	judge(b, a, &back);
	is_str(l.differs == NULL ? "" : l.differs, want, "%s | %s", a, b);
	is_str(back.differs == NULL ? "" : back.differs, want, "and the other way round");
}

/* want: "same", "opposite" or "other" */
static void
becomes(const char *older, const char *newer, const char *want)
{
	struct likeness l;

	judge(older, newer, &l);
	is_str(l.is_same ? "same" : l.opposite ? "opposite" : "other", want,
	    "%s | %s", older, newer);
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
	pair("keeps 200 ewes", "keeps two hundred ewes", "");
	pair("keeps 14000 bees", "keeps 14 thousand bees", "");
	pair("keeps 300 ewes", "keeps two hundred ewes", "numbers");
	pair("the shelf is 60cm deep", "the shelf is 60 cm deep", "");
	pair("the desk cost 2.8k", "the desk cost 2,800", "");
	pair("the desk cost 2.8k", "the desk cost 28,000", "numbers");
	pair("the mill ran w/out a stop", "the mill ran without a stop", "");
	pair("the class begins at 9:30", "the class begins at half past nine", "");
	pair("the class begins at 9:00", "the class begins at nine", "");
	pair("the talk is no more than 20 minutes", "the talk is at most 20 minutes", "");
	pair("the notice is two weeks", "the notice is 14 days", "");
	pair("the notice is a fortnight", "the notice is two weeks", "");
	pair("the warranty is one year", "the warranty is 12 months", "");
	pair("der Test dauert zwei Wochen", "der Test dauert 14 Tage", "");
	pair("the notice is two weeks", "the notice is 15 days", "numbers");
	pair("the notice is two weeks", "the notice is 14 months", "numbers");
	pair("the warranty is one year", "the warranty is 24 months", "numbers");
	pair("the notice is one month", "the notice is 30 days", "numbers");
	pair("Ann no longer eats meat", "Ann eats meat", "negations");
	pair("uses getUserName in the client", "uses getUserId in the client", "identifiers");
	pair("the path is /etc/mem/config", "the path is /etc/mem/conf", "identifiers");
	pair("Ann eats meat", "Ann does not eat meat", "negations");
	pair("Ann eats meat", "Ann never eats meat", "negations");
	pair("Ann eats meat", "Ann doesn’t eat meat", "negations");
	pair("Ann can't swim", "Ann cannot swim", "");
	pair("Usiamo Kafka qui", "Non usiamo Kafka qui", "negations");
	pair("Ann eet vlees", "Ann eet geen vlees", "negations");
	pair("Ann works at Acme", "Ann formerly worked at Acme", "negations");
	pair("Ann lives in Lisbon", "Bob lives in Lisbon", "names");
	pair("Ann lives in Lisbon", "Ann lives in Porto", "names");
	pair("Ann meets Carl on Monday", "Ann meets Carl and Dora on Monday", "names");
	pair("ann lives in lisbon", "bob lives in lisbon", "words");
	pair("deploy before the freeze", "deploy after the freeze", "order");
	pair("his sister cooks", "her sister cooks", "negations");
	pair("turn the cache on", "turn the cache off", "negations");
	pair("the task is possible", "the task is impossible", "negations");
	pair("她喜欢绿茶", "她喜欢红茶", "words");
	pair("她喜欢绿茶", "她不喜欢绿茶", "negations");
	pair("她有三只猫", "她有四只猫", "numbers");
	pair("Élise wohnt in Köln", "Elise wohnt in Koln", "");
	pair("Nora called Emil", "Emil called Nora", "order");
	pair("Emil moved from Oslo to Rome", "Emil moved from Rome to Oslo", "order");
	pair("Emil moved from Oslo to Rome", "Emil moved to Rome from Oslo", "order");
	pair("moved to Oslo", "moved from Oslo", "words");
	pair("a vote for the plan", "a vote against the plan", "negations");
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
	pair("if my cat is here I smile", "my cat is here if I smile", "order");
	pair("Nora rang Emil after lunch", "after lunch Emil rang Nora", "order");
	pair("Nora calls Emil, and Nora's calls are long", "Nora calls Emil", "names");
	pair("the gate opens at 8 a.m.", "the gate opens at 8 p.m.", "numbers");
	pair("the gate opens at 8 am", "the gate opens at 8 PM", "numbers");
	pair("the gate opens at eight a.m.", "the gate opens at 8 am", "");
	pair("the gate opens at 8am", "the gate opens at 8pm", "numbers");
	pair("I am here", "I am here a m", "part");
	pair("I have a dog", "I had a dog", "time");
	pair("Anna likes Peter", "Anna liked Peter", "time");
	pair("Tess lives in Rome", "Tess will live in Rome", "time");
	pair("Tess lives in Rome", "Does Tess live in Rome?", "time");
	pair("I have a dog", "I found a dog", "time");
	pair("I have a cat", "I want a cat", "time");
	pair("Ich habe einen Hund", "Ich hatte einen Hund", "time");
	pair("我有一只狗", "我以前有一只狗", "time");
	pair("Emil lent Nora the saw", "Nora borrowed the saw from Emil", "");
	pair("the gate failed", "the gate has failed", "");
	pair("\xff\xfe broken", "\xff broken", "");
	becomes("Never paint the hull in May", "Always paint the hull in May", "opposite");
	becomes("Always paint the hull in May", "Never paint the hull in May", "opposite");
	becomes("We always moor at the pier", "We do not moor at the pier", "opposite");
	becomes("Nie am Steg festmachen", "Immer am Steg festmachen", "opposite");
	becomes("Never paint the hull in May", "Always paint the hull in June", "other");
	becomes("Never moor at the pier", "Always moor at the pier with two ropes", "other");
	becomes("We moor at the pier", "We always moor at the pier", "other");
	becomes("Emil sold the canoe to Nora.", "Nora bought the canoe from Emil.", "same");
	becomes("Emil sold the canoe to Nora.", "Emil bought the canoe from Nora.", "other");
	becomes("The tide table is under the clock.", "Under the clock is the tide table.", "same");
	becomes("Nora is older than Emil.", "Emil is younger than Nora.", "same");
	becomes("Nora is older than Emil.", "Nora is younger than Emil.", "other");
	becomes("The mill was built by Anton.", "Anton built the mill.", "same");
	becomes("Our boiler makes an awful noise.", "The choir meets in the chapel.", "other");
	becomes("I collect stamps and coins.", "I collect coins.", "other");
	becomes("The ferry needs 40 minutes.", "The ferry needs forty minutes.", "same");
	becomes("The ferry needs 40 minutes.", "The ferry needs 50 minutes.", "other");
	becomes("我欠他三百块。", "我欠他300元。", "same");
	becomes("她坐在二楼。", "她坐在三楼。", "other");
	becomes("The choir meets in the chapel.", "The choir moved to the town hall.", "other");
	becomes("Ich gehe montags schwimmen.", "Ich gehe montags nicht mehr schwimmen.",
	    "opposite");
	becomes("I have a red car.", "I sold the red car.", "other");
	becomes("I have a red car.", "I didn't sell the red car.", "other");
	becomes("I have red cars.", "I sell red cars.", "other");
	becomes("I have a red car.", "I sold the blue car.", "other");
	becomes("I have a cat and a dog.", "I sold the dog.", "other");
	becomes("I love oysters.", "I hate oysters.", "opposite");
	becomes("The lamp is on.", "The lamp is off.", "opposite");
	return tap_done();
}
