/* judge_test.c: statements that give one thing two values, and some that only look so. */
#include "tap.h"

#include "statement/judge.h"

struct pair { const char *a, *b; };

static const struct pair two_values[] = {
	{ "The gateway listens on port 7070.", "The gateway listens on port 7171." },
	{ "Lock timeout: 20s", "The lock timeout is 45s." },
	{ "We use bun.", "Package manager: yarn" },
	{ "Install packages with npm.", "We use pnpm for packages." },
	{ "The job database is SQLite.", "The job database is Oracle." },
	{ "The owner of the kiln is Ruth.", "The kiln's owner is Ines." },
	{ "Der Dienst läuft auf Port 7070.", "Der Dienst läuft auf Port 7171." },
	{ "端口是 7070。", "端口是 7171。" },
	{ "free shipping from 80 euro", "free shipping from 100 euro" },
	{ "alarm at 3.10 metres for Lauwersoog", "alarm at 3.20 metres for Lauwersoog" },
	{ "Muster kosten ab 2027 3,50 Euro", "Muster kosten ab 2027 4,80 Euro" },
	{ "Probe ist mittwochs um 19:30", "Probe ist jetzt donnerstags um 20:00" },
	{ "bins are emptied every Tuesday", "bins are emptied every Friday" },
	{ "office hours are on Friday", "office hours are on Tuesday" },
	{ "backups at 02:00 every night", "backups at 03:30 every night" },
	{ "kiln timeout 40 minutes", "kiln timeout 50 minutes" },
	{ "gratis verzending vanaf 50 euro", "gratis verzending vanaf 75 euro" },
};

static const struct pair beside[] = {
	{ "The gateway listens on port 7070.", "The mirror listens on port 7171." },
	{ "The lock timeout is 20 seconds.", "The lock timeout is 20000 ms." },
	{ "The database is Postgres.", "The database is PostgreSQL." },
	{ "We use npm in the shop.", "We use yarn in the app." },
	{ "We support Node 18.", "We support Node 20." },
	{ "We will use pnpm.", "We use npm." },
	{ "The port was 7070.", "The port is 7171." },
	{ "If all fails, the port is 7171.", "The port is 7070." },
	{ "Ports 7070 and 7171 are set.", "Port 7171 is set." },
	{ "Ruth is an owner of the kiln.", "Ines is an owner of the kiln." },
	{ "Issue 12 is about the kiln.", "Issue 15 is about the kiln." },
	{ "I fired 3 pots.", "I fired 5 pots." },
	{ "Ruth has 2 kilns.", "Ines has 3 kilns." },
	{ "The port is 7070.", "The port is not 7171." },
	{ "Our job database is SQLite.", "Their job database is Oracle." },
	{ "My gateway port is 7070.", "Your gateway port is 7171." },
	{ "We format code with biome.", "We format code with ruff." },
	{ "Tests run with vitest.", "Tests run with pytest." },
	{ "we decided to use Vue for the shop", "we decided to use Svelte for the office" },
	{ "we decided to use Vue for Ruth", "we decided to use Vue for Ines" },
	{ "we decided to translate it to German", "we decided to translate it to French" },
	{ "we decided to hire Ruth", "we decided to hire Ines" },
	{ "we decided that Ruth uses Vim here", "we decided that Ines uses Vim here" },
	{ "Entscheidung: Ruth soll Vim nutzen", "Entscheidung: Ines soll Vim nutzen" },
	{ "use Postgres for the kiln", "use PostgreSQL for the kiln" },
	{ "we decided to use JS for the shop", "we decided to use JavaScript for the shop" },
	{ "Decision: use Vue for the shop", "Decision: use Vue.js for the shop" },
	{ "we agreed that Ruth uses Vim", "we agreed that Ines uses Vim" },
	{ "Decision: go with Ruth", "Decision: go with Vue" },
	{ "Decision: refund order 1021", "Decision: refund order 1034" },
	{ "we decided to close issue 12", "we decided to close issue 14" },
	{ "Decision: merge PR 41", "Decision: merge PR 57" },
	{ "Decision: ship v2 on 3 May", "Decision: ship v3 on 17 June" },
	{ "we decided to host the picnic with Ruth", "we decided to host the picnic with Ines" },
	{ "we decided to use Sentry for errors on Android", "we decided to use Sentry for errors "
	  "on Windows" },
	{ "we decided to use Vue also for the shop", "we decided to use Svelte also for the shop" },
	{ "Decision: we support Python 3.11", "Decision: we support SQLite 3.39" },
	{ "free shipping from 80 euro", "express shipping from 100 euro" },
	{ "10 % off orders of 50 euro", "10 % off orders of 90 euro" },
	{ "refunds within 14 days", "refunds within 2 weeks" },
	{ "lunch with Ines for 14 euro today", "lunch with Ines for 17 euro today" },
	{ "we waited for 20 minutes", "we waited for 40 minutes" },
	{ "pots from 12 to 14 euro", "pots from 15 to 18 euro" },
	{ "I fire on Mondays", "I fire on Fridays" },
	{ "today is Monday", "today is Tuesday" },
	{ "the train on Monday is full", "the train on Friday is full" },
	{ "the shop is open on Mondays and Fridays", "the shop is open on Fridays" },
	{ "call Ruth on Monday", "call Ruth on Friday" },
	{ "meeting with Ruth at 15:00", "meeting with Ruth at 16:00" },
	{ "is shipping free from 80 euro?", "is shipping free from 100 euro?" },
};

/* In how many of both orders one has another value. */
static int
differ(const struct pair *p)
{
	static struct said a, b;
	struct judge_side x, y;
	struct judged to, back;

	said_read(&a, p->a, strlen(p->a));
	said_read(&b, p->b, strlen(p->b));
	x = judge_side(p->a, strlen(p->a), &a);
	y = judge_side(p->b, strlen(p->b), &b);
	judge(&x, &y, &to);
	judge(&y, &x, &back);
	return (to.against != NULL) + (back.against != NULL);
}

static void
test_pairs(const struct pair *p, size_t n, int want)
{
	for (size_t i = 0; i < n; i++)
		is_int(differ(&p[i]), want, "%s: %s %s",
		    want > 0 ? "two values" : "both may hold", p[i].a, p[i].b);
}

int
main(void)
{
	test_pairs(two_values, NELEM(two_values), 2);
	test_pairs(beside, NELEM(beside), 0);
	return tap_done();
}
