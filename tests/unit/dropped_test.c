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
	/* not known to be decided */
	drops(DROPPED_NAMED, "Stripe for payments", "We dropped Stripe.");
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
	drops(not, "Decision: SQLite for the tests",
	    "In production we use Oracle instead of SQLite.");
	drops(not, "Entscheidung: Jira für Tickets", "Für Notizen nehmen wir Papier statt Jira.");
	drops(not, "Decision: VAT is on the invoice", "Drop VAT from the fixtures for the demo.");
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
	test_stands();
	return tap_done();
}
