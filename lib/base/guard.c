/*
 * guard.c: the guard as a pure step. Closed: calls go out, failures are remembered. Open: none goes
 * out, until guard_pause is over and one caller is let through to try. Times are compared by
 * age, and an age below 0 (the clock was set back) counts as too old: at worst one try too early,
 * never a guard that stays shut.
 */
#include "base/guard.h"

#include "base/conf.h"

static bool
is_recent(int64_t us, int64_t now_us, int64_t span_us)
{
	return us != TIME_NONE && us <= now_us && now_us - us < span_us;
}

enum call_says
guard_ask(struct guard *g, int64_t now_us, int64_t lease_us)
{
	if (g->opened_us == TIME_NONE || conf_int("guard_failures") == 0)
		return CALL_GO;
	if (is_recent(g->opened_us, now_us, conf_int("guard_pause") * US_PER_S) ||
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
	unsigned n = 0, most = (unsigned)conf_int("guard_failures");

	if (most == 0)
		return false;
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
		if (is_recent(g->failed_us[i], now_us, conf_int("guard_seconds") * US_PER_S))
			g->failed_us[n++] = g->failed_us[i];
	/* there is room, but for what was noted when the setting was higher */
	if (n == GUARD_MOST)
		memmove(g->failed_us, g->failed_us + 1, --n * sizeof(g->failed_us[0]));
	g->failed_us[n++] = now_us;
	g->n_failed = n;
	if (n >= most)
		open_guard(g, now_us);
	return true;
}
