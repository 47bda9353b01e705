/*
 * guard.c: the guard as a pure step. Closed: calls go out, failures are remembered. Open: none goes
 * out, until GUARD_STOP_US are over and one caller is let through to try. Times are compared by
 * age, and an age below 0 (the clock was set back) counts as too old: at worst one try too early,
 * never a guard that stays shut.
 */
#include "base/guard.h"

static bool
is_recent(int64_t us, int64_t now_us, int64_t span_us)
{
	return us != TIME_NONE && us <= now_us && now_us - us < span_us;
}

enum call_says
guard_ask(struct guard *g, int64_t now_us, int64_t lease_us)
{
	if (g->opened_us == TIME_NONE)
		return CALL_GO;
	if (is_recent(g->opened_us, now_us, GUARD_STOP_US) ||
	    is_recent(g->probe_us, now_us, g->lease_us))
		return CALL_STOPPED;
	g->probe_us = now_us;
	g->lease_us = lease_us;
	return CALL_PROBE;
}

static void
open_guard(struct guard *g, int64_t now_us)
{
	g->opened_us = now_us;
	g->probe_us = TIME_NONE;
	g->n_failed = 0;
	g->n_opened++;
}

bool
guard_tell(struct guard *g, int64_t now_us, bool probe, bool failed)
{
	unsigned n = 0;

	if (g->opened_us != TIME_NONE) {
		if (!probe)
			return false;
		if (failed)
			open_guard(g, now_us);
		else
			g->opened_us = g->probe_us = TIME_NONE;
		return true;
	}
	if (!failed)
		return false;
	for (unsigned i = 0; i < g->n_failed; i++)
		if (is_recent(g->failed_us[i], now_us, GUARD_WINDOW_US))
			g->failed_us[n++] = g->failed_us[i];
	/* n < GUARD_FAILURES: at so many it was opened, and forgot them */
	g->failed_us[n++] = now_us;
	g->n_failed = n;
	if (n == GUARD_FAILURES)
		open_guard(g, now_us);
	return true;
}
