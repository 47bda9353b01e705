/*
 * guard.h: calls of models, counted and held back in the store, so that all processes that use it
 * know of each other's.
 *
 * The guard: GUARD_FAILURES failures of a service within GUARD_WINDOW_US stop calls to it for
 * GUARD_STOP_US; then one caller tries it, and what comes of that lets all of them go on or stops
 * them as long again. The ledger: calls, tokens and money by user, day, program and model. The
 * budget is of all users of a store together: they share the purse. Its tokens and money are set
 * aside before a call and settled after it, so that calls side by side cannot pass it together.
 *
 * A call takes the store's lock for a moment only (call_begin not even that, unless there is
 * something to write), never while the model works. The store may be one that is open for reading;
 * it must not be in a transaction.
 */
#ifndef STORE_GUARD_H
#define STORE_GUARD_H

#include "base/guard.h"
#include "store/store.h"

struct call_cost { int64_t tokens_in, tokens_out, micros /* money, in millionths */; };

struct call {
	/* key of the guard: says what is called, no secret in it */
	const char *service;
	const char *program, *model;
	struct call_cost aside;                /* expected; taken from the budget until call_end */
	int64_t budget_tokens, budget_micros;  /* a day (UTC), 0: no limit */
	int64_t lease_us;                      /* longest time the call may take */
	int64_t day;                           /* filled by call_begin */
	bool probe, noted;                     /* filled by call_begin */
};

/*
 * Asks whether the call may be made, and sets its cost aside where there is a budget; then call_end
 * is owed. Not in a transaction.
 */
int call_begin(struct store *s, const struct scope *who, struct call *c, enum call_says *says,
	struct err *err);

enum call_came { CALL_DONE, CALL_FAILED /* the service, not the request, is at fault */ };
/* Settles what was set aside, with what the call did cost. */
int call_end(struct store *s, const struct scope *who, const struct call *c, enum call_came came,
	const struct call_cost *cost, struct err *err);
/* Counts n calls that were not made. Best effort. */
void calls_stopped(struct store *s, const struct scope *who, const char *program, const char *model,
	int64_t n);

/* A row of the ledger, of the user; since_us TIME_NONE: all. By day, program and model. */
struct ledger_row {
	int64_t day;
	const char *program, *model;
	int64_t n_calls, n_failed, n_stopped;
	struct call_cost cost;
};
typedef int ledger_fn(void *arg, const struct ledger_row *r);
int ledger_each(struct store *s, const struct scope *who, int64_t since_us, ledger_fn *fn,
	void *arg, struct err *err);

/* Of all services: how many are stopped now, and how often any was. */
int guard_counts(struct store *s, int64_t *n_open, int64_t *n_opened, struct err *err);

#endif
