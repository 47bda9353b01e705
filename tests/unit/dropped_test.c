/*
 * dropped_test.c: sentences that drop a thing by its name, in seven languages, and such that only
 * sound like it: of others, elsewhere, of a part, supposed, asked or denied.
 */
#include "tap.h"

#include "statement/dropped.h"

static struct dropped d;

static void
drops(enum dropped_of want, const char *older, const char *newer)
{
	enum dropped_of got = dropped_read(&d, newer, strlen(newer), false)
	    ? dropped_is(&d, older, strlen(older), false)
	    : DROPPED_NOT;

	ok(got == want, "%d, not %d: %s | %s", (int)want, (int)got, older, newer);
}

static void
test_drops(void)
{
	const enum dropped_of whole = DROPPED_WHOLE, decided = DROPPED_DECIDED;

	drops(whole, "Decision: hemp for the sheets", "We drop hemp and move to nylon instead.");
	drops(whole, "Decision: Stripe for payments.", "Decision: Mollie instead of Stripe");
	drops(whole, "Decision: Redux for the state of the app",
	    "Let's replace Redux with Zustand.");
	drops(whole, "Decision: Vue for the pages", "We're switching from Vue to Svelte.");
	drops(decided, "We decided to host on Heroku", "Heroku is gone, all runs on Hetzner.");
	drops(whole, "Decision: log to Graylog", "We no longer log to Graylog, Loki has it.");
	drops(whole, "We decided to use hemp for the sheets", "We decided against hemp.");
	drops(whole, "Decision: go with Stripe", "We decided against going with Stripe.");
	drops(whole, "We decided to use Kafka for events", "We decided not to use Kafka.");
	drops(whole, "Wir haben uns für Redis entschieden", "Wir haben uns gegen Redis entschieden.");
	drops(whole, "Nous avons décidé d'utiliser Sass", "On a décidé de ne pas utiliser Sass.");
	drops(whole, "Entscheidung: Jira für Tickets", "Wir ersetzen Jira durch Linear.");
	drops(whole, "Beschluss: Slack für Absprachen", "Slack nutzen wir nicht mehr.");
	drops(decided, "Beschlossen: Jenkins baut es", "Wir steigen von Jenkins auf GitLab um.");
	drops(whole, "Décision : MySQL pour les comptes", "On remplace MySQL par MariaDB.");
	drops(whole, "Décision : Sass pour les styles", "On utilise Tailwind au lieu de Sass.");
	drops(whole, "Decisión: Redis para la caché", "Usamos Valkey en vez de Redis.");
	drops(whole, "Decisión: Angular para el panel", "Ya no usamos Angular en el panel.");
	drops(whole, "Decisione: Kafka per gli eventi", "Sostituiamo Kafka con NATS.");
	drops(whole, "Decisione: Ansible per i server", "Passiamo da Ansible a NixOS.");
	drops(whole, "Decisão: Webpack para o build", "Não usamos mais Webpack.");
	drops(whole, "Decisão: Grafana para os gráficos", "Em vez de Grafana, usamos Metabase.");
	drops(decided, "决定：用 Vue 写前端", "把 Vue 换成 React。");
	drops(decided, "决定：缓存用 Redis", "我们不再用 Redis，改用 Memcached。");
	/* that it was decided to use it says no more than its name */
	drops(whole, "We decided to use Stripe for the payments",
	    "Decision: we use Mollie instead of Stripe");
	drops(whole, "Wir haben entschieden, MongoDB für die Karten zu nutzen",
	    "MongoDB nutzen wir nicht mehr.");
	drops(whole, "Hemos decidido usar Vue para la interfaz", "Ya no usamos Vue.");
	drops(whole, "Nous avons décidé d'utiliser Jenkins pour la livraison",
	    "On n'utilise plus Jenkins.");
	drops(whole, "Decision: tar for the deck", "We drop tar for good.");
	/* not known to be decided */
	drops(DROPPED_NAMED, "Stripe for payments", "We dropped Stripe.");
}

/* What others refuse, where it is said what is done in its place; it is not ended by that. */
static void
test_refused(void)
{
	const enum dropped_of decided = DROPPED_DECIDED, not = DROPPED_NOT;

	drops(decided, "Decision: Stripe for payments", "Legal says Stripe is out, we use Mollie.");
	drops(decided, "Decision: Redis for the cache",
	    "Priya says no to Redis, so memcached it is.");
	drops(decided, "Decision: cow's milk for the cat",
	    "The vet said no cow's milk, so oat milk from now on.");
	drops(decided, "Decision: Heroku for the site",
	    "Legal says we can't use Heroku, so we go with Hetzner.");
	drops(decided, "Entscheidung: Jira für Tickets",
	    "Der Chef sagt nein zu Jira, deshalb nehmen wir Linear.");
	drops(decided, "Beschluss: Slack für Absprachen",
	    "Die Revision sagt, Slack ist raus, wir nehmen Matrix.");
	drops(decided, "Décision : Redis pour le cache",
	    "Priya a dit non à Redis, donc ce sera memcached.");
	drops(decided, "Décision : MySQL pour les comptes",
	    "Le juridique dit que MySQL est exclu, on prend MariaDB.");
	drops(decided, "Decisión: Angular para el panel",
	    "Legal dice que Angular queda fuera, usamos Svelte.");
	drops(decided, "Decisión: leche de vaca para el gato",
	    "El veterinario prohibió la leche de vaca, así que leche de avena desde ahora.");
	drops(decided, "Decisione: Kafka per gli eventi",
	    "L'ufficio ha detto no a Kafka, quindi usiamo NATS.");
	drops(decided, "决定：支付用 Stripe", "法务说不能用 Stripe，所以我们改用 Mollie。");
	/* it is not refused, in part, elsewhere, or perhaps */
	drops(not, "Decision: Stripe for payments",
	    "Legal says Stripe is fine, we use Mollie for invoices.");
	drops(not, "Decision: Stripe for payments",
	    "Legal says no to Stripe refunds, so we use vouchers.");
	drops(not, "Decision: Stripe for payments",
	    "Legal vetoed Stripe for refunds, so we use vouchers.");
	drops(not, "Decision: Stripe for payments",
	    "Legal says no to Stripe on mobile, so we use Mollie.");
	drops(not, "Decision: coffee for the break",
	    "The doctor said no coffee after noon, so tea from now on.");
	drops(not, "Decision: Stripe for payments",
	    "Legal didn't say no to Stripe, so we use Mollie for the rest.");
	drops(not, "Decision: Stripe for payments", "If Legal vetoes Stripe, we use Mollie.");
	drops(not, "Decision: Stripe for payments",
	    "In my novel Legal says no to Stripe, so Mollie it is.");
	drops(not, "Decision: Stripe for payments",
	    "Legal says no to Stripe until May, so we use Mollie.");
	drops(not, "Entscheidung: Jira für Tickets",
	    "Der Chef sagt nein zu Jira für Notizen, also nehmen wir Papier.");
	drops(not, "Décision : Redis pour le cache",
	    "Si Priya interdit Redis, on prend memcached.");
	drops(not, "Decisión: Angular para el panel",
	    "El cliente dice que Angular queda fuera, ellos usan Vue.");
	/* nobody says what we do in its place */
	drops(not, "Decision: Stripe for payments", "Legal says Stripe is out, they use Mollie.");
	drops(not, "Decision: Stripe for payments", "Legal says no to Stripe.");
	drops(not, "Decision: Mollie for payments", "Legal says no to Stripe, so we use Mollie.");
}

/* Each guard of dropped.c, in its order. */
static void
test_stands(void)
{
	const enum dropped_of not = DROPPED_NOT;

	/* what is dropped is not named in the older, is more than its thing, or what that is for */
	drops(not, "Decision: Redis for the cache", "We drop Redis keys after an hour.");
	drops(not, "Decision: ESLint for linting", "We replaced the ESLint config with ours.");
	drops(not, "Decision: hemp for the sheets", "We drop the sheets.");
	drops(not, "Decision: PostgreSQL for orders", "We moved from MySQL to PostgreSQL.");
	/* elsewhere, or for something else */
	drops(not, "Decision: Redis for the cache", "The store moved from Redis to Valkey.");
	drops(not, "We decided to use Redis", "We decided against a second Redis replica.");
	drops(not, "We decided to use Redis for orders", "We decided against Redis for the search.");
	drops(not, "Decision: SQLite for the tests",
	    "In production we use Oracle instead of SQLite.");
	drops(not, "Entscheidung: Jira für Tickets", "Für Notizen nehmen wir Papier statt Jira.");
	drops(not, "Decision: VAT is on the invoice", "Drop VAT from the fixtures for the demo.");
	drops(not, "Decision: Redis for the cache", "We dropped Redis on staging.");
	drops(not, "Decision: Redis for the cache", "We dropped Redis for the cache of maps.");
	drops(not, "Decision: Redis für den Cache",
	    "Wir werfen Redis für den Cache von Karten raus.");
	drops(DROPPED_DECIDED, "We decided to use Redis for the cache and for the queue",
	    "We dropped Redis for the queue.");
	/* of others, or of what was */
	drops(not, "Decision: Vue for the pages", "The client dropped Vue.");
	drops(not, "Decision: Vue for the pages", "They dropped Vue.");
	drops(not, "Decision: Redis for the cache", "You dropped Redis!");
	drops(not, "Decision: Jenkins builds it", "The tutorial uses Actions instead of Jenkins.");
	drops(not, "Decision: yarn for packages", "We used yarn instead of npm back then.");
	drops(not, "Decisión: Angular para todo", "El cliente ya no usa Angular.");
	drops(not, "决定：图表用 ECharts", "他们不再用 ECharts。");
	/* supposed, asked, denied, for a time */
	drops(not, "Decision: Redis for the cache", "We could replace Redis with Valkey.");
	drops(not, "Decision: Stripe for payments", "Should we use Mollie instead of Stripe?");
	drops(not, "Decision: Redis for the cache", "We don't drop Redis.");
	drops(not, "Decisão: Grafana para tudo", "Não trocamos Grafana por nada.");
	drops(not, "Decision: Redis for the cache", "We drop Redis until Monday.");
	drops(not, "Entscheidung: Jira für Tickets", "Wenn wir Jira ersetzen, dann bald.");
	drops(not, "决定：缓存用 Redis", "要不要把 Redis 换成 Memcached？");
	/* the older does not say that it is used */
	drops(not, "Decision: Mollie instead of Stripe", "We dropped Stripe.");
	drops(not, "Decision: no Redux", "We drop Redux.");
	drops(not, "I want Redux", "We drop Redux.");
}

int
main(void)
{
	test_drops();
	test_refused();
	test_stands();
	return tap_done();
}
