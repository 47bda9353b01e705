/*
 * chosen_test.c: decisions that choose two values for one thing, and some that only look so.
 */
#include "tap.h"

#include "statement/judge.h"

static bool
differ(const char *x, const char *y)
{
	static struct said a, b;
	const struct judge_side older = { x, strlen(x), &a, true },
				newer = { y, strlen(y), &b, true };

	said_read(&a, x, older.len);
	said_read(&b, y, newer.len);
	return judge_values(&older, &newer) != NULL && judge_values(&newer, &older) != NULL;
}

struct pair { const char *a, *b; };

static const struct pair two_values[] = {
	{ "Decision: go with Zephyr for payments", "Decision: go with Mistral for payments" },
	{ "Decided: ferry trip on the 17th", "decided: ferry trip on the 24th" },
	{ "we decided to use Vue for the shop", "we decided to use Svelte for the shop, because "
	  "Ruth knows it" },
	{ "Entscheidung: Zahlungen laufen über Zephyr", "Entscheidung: Zahlungen laufen über "
	  "Mistral" },
	{ "decidimos usar o Zephyr para o logo", "decidimos usar o Mistral para o logo" },
	{ "hemos decidido alojar la web en Hetzner", "hemos decidido alojar la web en OVH" },
	{ "Decision: host the docs on Netlify", "Decision: host the docs on Vercel" },
	{ "we decided to poll each 15 minutes", "we decided to poll each hour" },
	{ "we decided to keep backups for 30 days", "we decided to keep backups for 90 days" },
	{ "Decision: go with Zephyr for mail", "Decision: go with Mistral for mail because it is "
	  "free" },
};

static const struct pair beside[] = {
	{ "we decided to use Vue for the shop", "we decided to use Svelte for the office" },
	{ "we decided to use Vue for Ruth", "we decided to use Vue for Ines" },
	{ "we decided to translate it to German", "we decided to translate it to French" },
	{ "we decided to hire Ruth", "we decided to hire Ines" },
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
};

int
main(void)
{
	for (size_t i = 0; i < NELEM(two_values); i++)
		ok(differ(two_values[i].a, two_values[i].b), "two values: %s %s", two_values[i].a,
		    two_values[i].b);
	for (size_t i = 0; i < NELEM(beside); i++)
		ok(!differ(beside[i].a, beside[i].b), "both may hold: %s %s", beside[i].a,
		    beside[i].b);
	return tap_done();
}
