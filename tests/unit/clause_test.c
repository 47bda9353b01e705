/*
 * clause_test.c: where sentences and their clauses begin and end, by hand.
 */
#include "statement/clause.h"
#include "tap.h"

static char found[1024];

static int
note(void *arg, const struct clause *c)
{
	size_t n = strlen(found);

	snprintf(found + n, sizeof(found) - n, "%s%.*s", n > 0 ? "|" : "", (int)c->len,
	    (const char *)arg + c->start);
	return 0;
}

static void
is_cut(const char *text, const char *want)
{
	found[0] = '\0';
	clauses_each(text, strlen(text), note, (void *)(size_t)text);
	is_str(found, want, "%s", text);
}

static void
abbreviations(void)
{
	is_cut("Ich esse z. B. Linsen. Das reicht.", "Ich esse z. B. Linsen|Das reicht");
	is_cut("Como p. ej. lentejas. Ya es tarde.", "Como p. ej. lentejas|Ya es tarde");
	is_cut("Wir wohnen in der Hauptstr. 5 in Graz. Kommt vorbei.",
	    "Wir wohnen in der Hauptstr. 5 in Graz|Kommt vorbei");
	is_cut("Dr. Smith moved to St. Louis. He likes it.",
	    "Dr. Smith moved to St. Louis|He likes it");
	is_cut("J. R. Hall and E.B. White wrote it. We read it.",
	    "J. R. Hall and E.B. White wrote it|We read it");
	is_cut("Bring fruit, e.g. Apples. They keep.", "Bring fruit, e.g. Apples|They keep");
	is_cut("The ACME Corp. Building is closed. We met at ACME Corp. The door was open.",
	    "The ACME Corp. Building is closed|We met at ACME Corp|The door was open");
	is_cut("We meet at 5 p.m. Then I leave.", "We meet at 5 p.m|I leave");
	is_cut("I said no. Nobody came. See no. 7 there.", "I said no|Nobody came|See no. 7 there");
	is_cut("Es ist im 3. Stock, am 12. Mai. Bis 2030. Wir kommen.",
	    "Es ist im 3. Stock, am 12. Mai|Bis 2030|Wir kommen");
	is_cut("We took plan b. We won.", "We took plan b|We won");
}

static void
lines(void)
{
	/* lines of their own, of which one is the longest */
	is_cut("the roof of the old barn by the river leaks badly\nLudwig comes\nAnna is ill\n"
	       "we meet at the barn tomorrow",
	    "the roof of the old barn by the river leaks badly|Ludwig comes|Anna is ill|"
	    "we meet at the barn tomorrow");
	is_cut("It needs a loop.\nfor (i = 0; i < n; i++) {\n// counts up\nrun(i);\nDone.",
	    "It needs a loop|Done");
}

static void
names(void)
{
	is_cut("It needs 3.5 GB. See https://a.example/x?y=1;z. Then run main.c.",
	    "It needs 3.5 GB|See https://a.example/x?y=1;z|run main.c");
	is_cut("--force is off. .env has the key. call main(). -n counts.",
	    "--force is off|.env has the key|call main()|-n counts");
	is_cut("- done!\n-- well, yes", "done|yes");
	is_cut("always run cargo clippy --all-targets -- -D warnings here - it is fast",
	    "always run cargo clippy --all-targets -- -D warnings here|it is fast");
	is_cut("use rsync -a --delete -- it is safe", "use rsync -a --delete|it is safe");
}

static void
marks(void)
{
	is_cut("Wir haben Lena (8) und Paul (5). Das sind alle.",
	    "Wir haben Lena (8) und Paul (5)|Das sind alle");
	is_cut("I met Ann Lee (CEO of ACME, Inc.) and Bo. She left.",
	    "I met Ann Lee (CEO of ACME, Inc.) and Bo|She left");
	is_cut("I met Bo (he is a nurse.) We talked.", "I met Bo|he is a nurse|We talked");
	is_cut("He said \"No way! I stay.\" and left. We went.",
	    "He said \"No way! I stay.\" and left|We went");
	is_cut("He said: \"I stay.\" We went.", "He said: \"I stay.\"|We went");
	is_cut("A pipe of 5\" is in. A pipe of 6\" is out.",
	    "A pipe of 5\" is in|A pipe of 6\" is out");
	is_cut("她把“早睡！早起！”贴在墙上。很好。", "她把“早睡！早起！”贴在墙上|很好");
	is_cut("他说：“我走了。我不回来。”然后他哭了。", "他说：“我走了。我不回来。”|他哭了");
	is_cut("我们有两个孩子（八岁）在苏州。", "我们有两个孩子（八岁）在苏州");
}

int
main(void)
{
	abbreviations();
	lines();
	names();
	marks();
	return tap_done();
}
