/*
 * ended_test.c: statements that say what has ended, in seven languages, and such that only sound
 * like it: of somebody else, of a part, supposed, asked or denied; and values of one key.
 */
#include "tap.h"

#include "statement/ended.h"
#include "statement/values.h"

static void
ends(bool want, const char *older, const char *newer)
{
	ok(ended_text(older, strlen(older), newer, strlen(newer)) == want, "%s: %s | %s",
	    want ? "ends" : "stands", older, newer);
}

static void
differ(bool want, const char *older, const char *newer)
{
	static struct said a, b;

	said_read(&a, older, strlen(older));
	said_read(&b, newer, strlen(newer));
	ok(values_differ(&a, &b) == want, "%s: %s | %s",
	    want ? "another value" : "no other value", older, newer);
}

static void
test_ends(void)
{
	ends(true, "We keep the queue in Kafka", "We dropped Kafka");
	ends(true, "I row on Tuesdays", "I gave up rowing");
	ends(true, "The kiln club meets on Mondays", "The kiln club is cancelled");
	ends(true, "I rent a lock-up", "I don't rent the lock-up any more");
	ends(true, "Bea plays the cello", "Bea no longer plays the cello");
	ends(true, "We use cvs for the archive", "We use git instead of cvs from now on");
	ends(true, "The audit is on 3 May", "The audit was moved to 9 May");
	ends(true, "Rent is 640 a month", "They raised the rent to 710");
	ends(true, "Our mirror is in Lyon", "We moved the mirror to Graz");
	ends(true, "I take aspirin for my knee", "The nurse took me off aspirin");
	ends(true, "Ich esse Käse", "Ich esse keinen Käse mehr");
	ends(true, "Ich habe ein Klavier", "Das Klavier ist verkauft");
	ends(true, "Das Abo kostet 8 Euro", "Das Abo wurde auf 11 Euro erhöht");
	ends(true, "Je mange du poisson", "Je ne mange plus de poisson");
	ends(true, "Fumo en pipa", "Ya no fumo en pipa");
	ends(true, "我养鸽子", "我不再养鸽子了");
	ends(true, "例会在周三", "例会推迟到周五");
	ends(true, "我用钢笔写信", "钢笔不用了");
	/* a day on which it ended; months and units are no names */
	ends(true, "Is a cello teacher at the mill", "I stopped teaching at the mill");
	ends(true, "I have a canoe", "I sold my canoe on Monday");
	ends(true, "We use cvs", "We dropped cvs this week");
	ends(true, "Ich habe ein Klavier", "Ich habe das Klavier heute verkauft");
	ends(true, "我有独木舟", "我今天卖了独木舟");
	ends(true, "The audit is on 3 May", "The audit was moved to 9 June");
	ends(true, "Die Miete ist 640 Euro im Monat", "Die Miete wurde auf 710 Euro erhöht");
	ends(true, "I have 2 goats in Graz", "I gave away the goats");
	ends(true, "We use cvs in the mill project",
	    "In the mill project we now use git instead of cvs");
}

static void
test_stands(void)
{
	ends(false, "I moved to Graz", "My new address is near the mill");
	ends(false, "I live in Graz", "I moved to Lyon");
	ends(false, "spaces, 3 of them, 90 characters a line",
	    "the picker is supposed to put spaces behind the smiley");
	ends(false, "The team unshipped the flag", "I plan to bring the flag to the board");
	ends(false, "Receipts carry the tax number", "From now on every build is signed");
	ends(false, "I keep a cat and a goat", "I sold the goat");
	ends(false, "I have a canoe", "My uncle sold the canoe");
	ends(false, "Bea lives in Graz", "I no longer live in Graz");
	ends(false, "I live in Graz", "Bea no longer lives in Graz");
	ends(false, "I have a canoe", "We should sell the canoe");
	ends(false, "I have a canoe", "I have not sold the canoe");
	ends(false, "I have a canoe", "If I sold the canoe I would walk");
	ends(false, "I have a canoe", "Was the canoe sold?");
	ends(false, "I like the canoe", "Still getting used to the canoe");
	/* of somebody else, or of something else */
	ends(false, "My aunt plays the cello", "I no longer play the cello");
	ends(false, "My landlord smokes", "I quit smoking");
	ends(false, "Mein Onkel raucht", "Ich rauche nicht mehr");
	ends(false, "我妹妹养鸽子", "我不再养鸽子了");
	ends(false, "The mill sells honey", "I sold my honey");
	ends(false, "The rent of Olga is 640", "My rent was raised to 710");
	ends(false, "The harbour office has a kiln", "I no longer go to the kiln");
	/* once, and not for good */
	ends(false, "The kiln club meets on Mondays", "The kiln club is cancelled today");
	ends(false, "The audit is at 9:00", "The audit was moved to 10:00 this week");
	ends(false, "Der Chor probt montags", "Der Chor ist heute abgesagt");
	ends(false, "La chorale est le mardi", "La chorale est annulée mardi prochain");
	ends(false, "The pool opens at 6", "The pool is closed during the holidays");
	ends(false, "I drink cider", "I gave up cider till Easter");
	/* elsewhere */
	ends(false, "We use cvs in the mill project",
	    "We use git instead of cvs in the kiln project now");
	ends(false, "We use cvs in the mill project",
	    "In the kiln project, we now use git instead of cvs");
	ends(false, "Wir nutzen cvs im Projekt Mühle",
	    "Wir nutzen im Projekt Ofen ab jetzt git statt cvs");
	ends(false, "我们在磨坊项目里用cvs", "我在窑炉项目里改用git而不是cvs");
	ends(false, "We keep the wiki on Heroku", "We moved the blog off Heroku");
	ends(false, "The audit in room 3 is on Friday", "The audit in room 3 went well");
	ends(false, "I like my new job", "I lost my job at the tannery");
	ends(false, "The mirror is in Lyon", "The mirror was moved to the left");
	ends(false, "Ich esse Käse", "Ich esse nicht mehr als ein Stück Käse");
}

int
main(void)
{
	test_ends();
	test_stands();
	differ(true, "I live in Lyon", "I have moved to Graz");
	differ(true, "the hall seats 40", "it seats 60 since the fire");
	differ(true, "vim", "emacs");
	differ(true, "the roof is red", "the roof is blue");
	differ(true, "I eat meat", "I don't eat meat");
	differ(false, "I work at the mill", "I work late when there is much to do");
	differ(false, "likes short answers", "answers should name their sources");
	return tap_done();
}
