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
	ends(true, "The audit is on 3 May", "The audit was moved to 9 June");
	ends(true, "Rent is 640 a month", "The owner raised the rent to 710");
	ends(true, "Our mirror is in Lyon", "We moved the mirror to Graz");
	ends(true, "Is a cello teacher at the mill", "I stopped teaching at the mill");
	ends(true, "Likes figs", "I gave up figs");
	ends(true, "The audit is on Monday", "The audit was moved to Friday");
	ends(true, "I have a canoe", "I sold my canoe on Monday");
	ends(true, "I have 2 goats in Graz", "I gave away the goats");
	ends(true, "Ich esse Käse", "Ich esse keinen Käse mehr");
	ends(true, "Ich habe ein Klavier", "Das Klavier ist verkauft");
	ends(true, "Die Miete ist 640 Euro im Monat", "Die Miete wurde auf 710 Euro erhöht");
	ends(true, "Je mange du poisson", "Je ne mange plus de poisson");
	ends(true, "Fumo en pipa", "Ya no fumo en pipa");
	ends(true, "我养鸽子", "我不再养鸽子了");
	ends(true, "Le marché est le 4 mai", "Le marché est reporté au 11 mai");
	ends(true, "Il mercato è il 4 maggio", "Il mercato è stato spostato al 9 giugno");
	ends(true, "例会在周三", "例会推迟到周五");
	ends(true, "我用钢笔写信", "钢笔不用了");
	ends(true, "我在窑炉厂上班", "我从窑炉厂离职了");
	ends(true, "nous utilisons Kafka", "nous laissons tomber Kafka");
	ends(true, "on utilise Kafka pour les cloches", "on abandonne Kafka");
	ends(true, "repas de la forge le 26 novembre", "le repas de la forge est annulé");
	ends(true, "je rame le matin", "je ne rame plus");
	ends(true, "używamy Kafka", "rezygnujemy z Kafka");
	ends(true, "używamy Kafka", "już nie używamy Kafka");
	ends(true, "kolacja kuźni 26 listopada", "kolacja kuźni odwołana");
	ends(true, "we gebruiken Kafka", "we stappen af van Kafka");
	ends(true, "de veiling is op 3 maart", "de veiling gaat niet door");
	ends(true, "ik rook", "ik rook niet meer");
	ends(true, "I run three times a week", "I no longer run");
	ends(true, "I run in the mornings", "I don't run any more, my knee hurts");
	ends(true, "I prefer running in the morning", "I no longer run");
}

/* Of other things, people and times in those languages, denied, or only of one occasion. */
static void
test_stands_abroad(void)
{
	ends(false, "I run a forge", "I no longer run");
	ends(false, "I run the backup every night", "I no longer run");
	ends(false, "I run three times a week", "I no longer run marathons");
	ends(false, "I run three times a week", "Ann no longer runs");
	ends(false, "I work in the mornings", "I no longer work at night");
	ends(false, "I have three goats", "I no longer run");
	ends(false, "on passe à Kafka", "on laisse tomber Sidekiq");
	ends(false, "on passe à Kafka", "ils laissent tomber Kafka");
	ends(false, "on passe à Kafka", "on ne laisse pas tomber Kafka");
	ends(false, "on utilise Kafka pour les cloches", "on abandonne Kafka pour les logs");
	ends(false, "repas de la forge le 26 novembre", "le repas de famille est annulé");
	ends(false, "la foire est le 3 mars", "la foire n'est jamais annulée");
	ends(false, "la foire est tous les lundis", "la foire est annulée");
	ends(false, "używamy Kafka", "nie rezygnujemy z Kafka");
	ends(false, "używamy Kafka", "rezygnujemy z Redis");
	ends(false, "używamy Kafka", "już używamy Kafka");
	ends(false, "kolacja kuźni 26 listopada", "kolacja kuźni nie jest odwołana");
	ends(false, "targ jest w każdy wtorek", "targ odwołany");
	ends(false, "we gebruiken Kafka", "ze stappen af van Kafka");
	ends(false, "we gebruiken Kafka", "we stappen niet af van Kafka");
	ends(false, "de veiling is elke maandag", "de veiling gaat vandaag niet door");
	ends(false, "ik rook", "mijn broer rookt niet meer");
}

/* What was decided ends by what "we" drop, and by nothing that is said of others. */
static void
test_decided(void)
{
	ends(true, "Decision: hemp for the sheets", "We drop hemp and move to nylon instead.");
	ends(true, "Decision: log to Graylog", "We no longer log to Graylog, Loki has it.");
	ends(true, "Entscheidung: Jira für Tickets", "Wir ersetzen Jira durch Linear.");
	ends(true, "Beschluss: Slack für Absprachen", "Slack nutzen wir nicht mehr.");
	ends(true, "Decisión: usamos yarn para los paquetes",
	    "Decisión: usamos npm en vez de yarn para los paquetes");
	ends(true, "Decisão: Webpack para o build", "Não usamos mais Webpack.");
	ends(true, "We decided to host on Heroku", "Heroku is gone, all runs on Hetzner.");
	ends(true, "We decided to use hemp for the sheets", "We decided against hemp.");
	ends(true, "Decision: go with Stripe", "We decided against going with Stripe.");
	ends(true, "We decided to use Kafka for events", "We decided not to use Kafka.");
	ends(true, "Wir haben uns für Redis entschieden",
	    "Wir haben uns gegen Redis entschieden.");
	ends(false, "We decided to use Redis", "We decided against a second Redis replica.");
	ends(false, "We decided to use Redis for orders",
	    "We decided against Redis for the search.");
	/* it is not what was decided, is more than that, or elsewhere */
	ends(false, "Decision: hemp for the sheets", "We drop the sheets.");
	ends(false, "Decision: Redis for the cache", "We drop Redis keys after an hour.");
	ends(false, "Decision: ESLint for linting", "We replaced the ESLint config with ours.");
	ends(false, "Decision: Redis for the cache", "The store moved from Redis to Valkey.");
	ends(false, "Decision: Redis for the cache", "We dropped Redis on staging.");
	ends(false, "Decision: VAT is on the invoice", "Drop VAT from the fixtures.");
	/* of others, supposed, denied, or refused already */
	ends(false, "Decision: Vue for the pages", "They dropped Vue.");
	ends(false, "Decision: Redis for the cache", "You dropped Redis!");
	ends(false, "决定：图表用 ECharts", "他们不再用 ECharts。");
	ends(false, "Decision: Redis for the cache", "We could replace Redis with Valkey.");
	ends(false, "Decision: Redis for the cache", "We don't drop Redis.");
	ends(false, "Decision: Redis for the cache", "We drop Redis until Monday.");
	ends(false, "Decision: no Redux", "We drop Redux.");
}

/* Each guard of ended.c, in its order. */
static void
test_stands(void)
{
	/* until: not for good; once; supposed, asked or denied */
	ends(false, "I drink cider", "I gave up cider till Easter");
	ends(false, "I drink cider", "I gave up cider for two months");
	ends(false, "I drink cider", "I gave up cider for January");
	ends(true, "I drink cider", "I gave up cider for my health");
	ends(false, "Ik drink cider", "Ik drink even geen cider meer");
	ends(false, "We keep the queue in Kafka", "We met Bea, who dropped Kafka");
	ends(false, "The kiln club meets on Mondays", "The kiln club is cancelled today");
	ends(false, "We meet Femke every month", "The meeting with Femke in December is cancelled");
	ends(false, "Wir treffen Femke jeden Monat", "Das Treffen mit Femke fällt aus");
	ends(true, "We meet Femke every month", "The monthly meeting with Femke is cancelled");
	ends(true, "We meet Femke every month", "We no longer meet Femke");
	ends(false, "The audit is at 9:00", "The audit was moved to 10:00 this week");
	ends(true, "We use cvs", "We dropped cvs this week");
	ends(false, "I have a canoe", "We should have sold the canoe");
	ends(false, "I like the canoe", "Still getting used to the canoe");
	ends(false, "We use cvs", "We might use git instead of cvs now");
	ends(false, "The audit is on 3 May", "The audit may have been moved to 9 June");
	/* something that the older does not name, up to a word behind which it is over */
	ends(false, "I like my new job", "I lost my job at the tannery");
	ends(false, "We keep the wiki on Heroku", "The wiki lost the photos");
	ends(true, "I have a canoe", "I sold the canoe for 90 euros because of the leak");
	/* of one of the things that it is for, or at one place */
	ends(false, "We use cvs for the docs and for the code", "We dropped cvs for the docs");
	ends(false, "We use cvs for the archive", "We dropped cvs for the archive of maps");
	ends(true, "We use cvs for the archive", "We dropped cvs for the archive since May");
	ends(false, "We use cvs", "We retired cvs for the archive");
	ends(false, "We use cvs", "We retired cvs for an archive of maps");
	ends(true, "I eat figs", "I gave up figs for as long as the diet lasts");
	ends(true, "I eat figs", "I gave up figs for my health");
	ends(false, "On mange du poisson", "On ne mange plus de poisson le dimanche");
	ends(false, "I row on the lake", "I gave up rowing on the lake with Bea");
	ends(true, "I row with Bea", "I gave up rowing with Bea");
	ends(false, "We chose the barge for Lyon", "We sold the barge for Graz");
	ends(false, "Wir nutzen cvs für Notizen", "Wir haben cvs für Belege abgeschafft");
	ends(true, "We use cvs for the archive", "We dropped cvs for Mercurial");
	ends(true, "I keep the van for the market", "I sold the van for 900 euros");
	ends(true, "We use cvs for the archive", "We dropped cvs for good");
	ends(false, "We use cvs for the archive", "We dropped cvs on the laptops");
	ends(true, "We use cvs on the laptops", "We dropped cvs on the laptops");
	ends(true, "We use cvs for the archive", "We dropped cvs on 3 May");
	/* merely whom the older is about */
	ends(false, "Ruth is allergic to wasps", "Ruth quit");
	ends(false, "用户对虾过敏", "用户取消了");
	ends(true, "Redis is our cache", "Redis was replaced with Valkey");
	/* than */
	ends(false, "Ich esse zwei Eier am Tag", "Ich esse nicht mehr als zwei Eier am Tag");
	/* instead of it, but not now, or elsewhere */
	ends(false, "We use cvs", "We used git instead of cvs");
	ends(false, "We use cvs in the mill project",
	    "We use git instead of cvs in the kiln project now");
	ends(false, "We use cvs in the mill project",
	    "In the kiln project, we now use git instead of cvs");
	ends(true, "We use cvs in the mill project",
	    "In the mill project we now use git instead of cvs");
	/* a value of another type, of another thing; what somebody does is no move of theirs */
	ends(false, "The mirror is in Lyon", "The mirror was moved to the left");
	ends(false, "The audit is in Graz", "The audit was moved to 9 June");
	ends(false, "The audit is on 3 May", "The audit was moved to room 5");
	ends(false, "My train leaves at 8:05", "The train to Graz was moved to 9:05");
	ends(false, "Ines is 31", "Ines switched to 2 pills a day");
	/* of somebody else */
	ends(false, "My aunt plays the cello", "I no longer play the cello");
	ends(false, "我妹妹养鸽子", "我不再养鸽子了");
	ends(false, "The mill sells honey", "I sold my honey");
	ends(false, "My landlord smokes", "I quit smoking");
	ends(false, "The rent of Olga is 640", "My rent was raised to 710");
	ends(false, "The harbour office uses cvs", "We no longer use cvs");
	ends(false, "I have a canoe", "Olga sold the canoe");
	ends(false, "I live in Graz", "Bea no longer lives in Graz");
	/* one of many things that the older names; one of two that it says */
	ends(false, "We have a rehearsal room with a piano on floor 3", "The piano is gone");
	ends(false, "I keep a cat and a goat", "I sold the goat");
	/* what is past, denied or wished for does not end; a wish or a question ends nothing */
	ends(false, "I wanted a canoe", "I sold the canoe");
	ends(false, "I don't eat cheese", "I no longer eat cheese");
	ends(false, "I have a canoe", "Was the canoe sold?");
	ends(false, "I have a canoe", "I want the canoe sold");
	ends(false, "I have a canoe", "If I sold the canoe I would walk");
	ends(false, "If I win I have a canoe", "I sold the canoe");
	ends(false, "I have a canoe", "Translate: I sold the canoe");
	/* words that are another's stem: "positive", "position"; "uses", "us" */
	ends(false, "She got a positive review in Graz", "She lost her position in Graz");
	ends(false, "The customer uses cvs", "We no longer use cvs");
	/* no word of an end at all */
	ends(false, "I moved to Graz", "My new address is near the mill");
	ends(false, "I live in Graz", "I moved to Lyon");
	ends(false, "Receipts carry the tax number", "From now on every build is signed");
}

int
main(void)
{
	test_ends();
	test_stands_abroad();
	test_decided();
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
