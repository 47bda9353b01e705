/*
 * guard.h: calls to models, counted and limited in the store, so that all processes that use a
 * store share the counts.
 *
 * The guard is a circuit breaker. Failures of a service stop calls to it for a while
 * (base/guard.h); then one caller tries it, whose success lets all go on and whose failure stops
 * them for as long again. The ledger counts calls, tokens and money by user, day,
 * program and model. All users of a store share one budget. The tokens and money that a call is
 * expected to cost are set aside before it and settled after it, so that calls made at the same
 * time cannot exceed the budget together.
 *
 * These functions hold the store's lock for a moment (call_begin only when it writes), never while
 * the model works. The store may be open for reading; no transaction may be open.
 */
#pragma once

#include "base/guard.h"
#include "store/store.h"

struct call_cost { int64_t tokens_in, tokens_out, micros /* money, in millionths */; };

struct call {
	/* names the service to the guard; holds no secret */
	const char *service;
	const char *program, *model;
	struct call_cost aside;                /* expected; taken from the budget until call_end */
	int64_t budget_tokens, budget_micros;  /* a day (UTC), 0: no limit */
	int64_t lease_us;                      /* longest time the call may take */
	int64_t day;                           /* filled by call_begin */
	bool probe, noted;                     /* filled by call_begin */
};

/*
 * Asks whether the call may be made. If it may, its cost is set aside where there is a budget, and
 * the caller must call call_end.
 */
int call_begin(struct store *s, const struct scope *who, struct call *c, enum call_says *says,
	struct err *err);

enum call_came { CALL_DONE, CALL_FAILED /* the service, not the request, is at fault */ };
/* Settles what was set aside with what the call has cost. */
int call_end(struct store *s, const struct scope *who, const struct call *c, enum call_came came,
	const struct call_cost *cost, struct err *err);
/* Counts n calls that were not made. Best effort. */
void calls_stopped(struct store *s, const struct scope *who, const char *program, const char *model,
	int64_t n);

/* The user's rows of the ledger since then (TIME_NONE: all), ordered by day, program and model. */
struct ledger_row {
	int64_t day;
	const char *program, *model;
	int64_t n_calls, n_failed, n_stopped;
	struct call_cost cost;
};
typedef int ledger_fn(void *arg, const struct ledger_row *r);
int ledger_each(struct store *s, const struct scope *who, int64_t since_us, ledger_fn *fn,
	void *arg, struct err *err);

/* How many services are stopped now, and how often any service was. */
int guard_counts(struct store *s, int64_t *n_open, int64_t *n_opened, struct err *err);
