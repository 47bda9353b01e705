/*
 * guard.h: a guard before a service that may fail (a circuit breaker): the decision alone,
 * without a store.
 */
#ifndef BASE_GUARD_H
#define BASE_GUARD_H

#include "base/clock.h"

#define GUARD_FAILURES  5
#define GUARD_WINDOW_US (600 * US_PER_S)
#define GUARD_STOP_US   (300 * US_PER_S)

struct guard {
	int64_t failed_us[GUARD_FAILURES];     /* [n_failed], oldest first */
	unsigned n_failed;
	int64_t opened_us;                     /* TIME_NONE: calls go out */
	int64_t probe_us, lease_us;            /* probe_us TIME_NONE: nobody tries */
	int64_t n_opened;
};
#define GUARD_INIT { { 0 }, 0, TIME_NONE, TIME_NONE, 0, 0 }

enum call_says {
	CALL_GO,
	CALL_PROBE,                            /* go: it is the one try; tell its outcome soon */
	CALL_STOPPED,                          /* by the guard */
	/* it may take more than is left of the day's budget */
	CALL_TOO_DEAR,
	CALL_OVER_BUDGET                       /* nothing is left of it */
};

/*
 * May a call go out? When it is the try, g takes note of it for lease_us: a caller that dies does
 * not stop the others for good. A clock that was set back opens nothing for longer than
 * GUARD_STOP_US: a time still to come counts as long past.
 */
enum call_says guard_ask(struct guard *g, int64_t now_us, int64_t lease_us);
/*
 * What came of it. The outcome of a call that began before the stop and was not the try changes
 * nothing. Returns whether g was changed.
 */
bool guard_tell(struct guard *g, int64_t now_us, bool probe, bool failed);

#endif
