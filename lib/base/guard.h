/*
 * guard.h: a guard before a service that may fail (a circuit breaker): the decision alone,
 * without a store. So many failures (setting guard_failures; 0: it never stops any) within
 * guard_seconds stop all calls for guard_pause seconds.
 */
#pragma once

#include "base/clock.h"

#define GUARD_MOST 20                      /* of the setting guard_failures */

struct guard {
	int64_t failed_us[GUARD_MOST];         /* [n_failed], oldest first */
	unsigned n_failed;
	int64_t opened_us; /* when calls were stopped; TIME_NONE: they are not */
	int64_t probe_us, lease_us; /* the try under way, for how long it counts; TIME_NONE: none */
	int64_t n_opened;
};
#define GUARD_INIT { { 0 }, 0, TIME_NONE, TIME_NONE, 0, 0 }

enum call_says {
	CALL_GO,
	CALL_PROBE, /* go: this call is the one try; its outcome is wanted soon */
	CALL_STOPPED,                          /* the guard has stopped calls */
	/* it may take more than is left of the day's budget */
	CALL_TOO_DEAR,
	CALL_OVER_BUDGET                       /* nothing is left of it */
};

/*
 * Whether a call may go out. The one try is noted in g for lease_us, so that a caller that dies
 * does not stop the others for good. A time in the future counts as long past, so that a clock that
 * was set back stops calls for no longer than guard_pause.
 */
enum call_says guard_ask(struct guard *g, int64_t now_us, int64_t lease_us);
/*
 * Takes in the outcome of a call. While calls are stopped, only that of the try counts. Returns
 * whether g was changed.
 */
bool guard_tell(struct guard *g, int64_t now_us, bool probe, bool failed);
