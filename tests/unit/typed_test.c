/*
 * typed_test.c: statements that give one thing two values, and some that only look so.
 */
#include "tap.h"

#include "statement/typed.h"

static bool
differ(const char *x, const char *y)
{
	static struct said a, b;
	const struct judge_side older = { x, strlen(x), &a, false },
				newer = { y, strlen(y), &b, false };

	said_read(&a, x, older.len);
	said_read(&b, y, newer.len);
	return typed_differ(&older, &newer) && typed_differ(&newer, &older);
}

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
