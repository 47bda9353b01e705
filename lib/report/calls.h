/* calls.h: the ledger of model calls (store/guard.h), as figures and as records. */
#pragma once

#include "base/buf.h"
#include "report/stats.h"
#include "store/guard.h"

/*
 * Writes a row as a record: type, user, day, program, model, calls, failed, stopped, tokens_in,
 * tokens_out, money.
 */
void record_calls(struct buf *out, const char *user, const struct ledger_row *r);

/*
 * Hands out sums since the day of since_us: calls, calls.failed, calls.stopped, calls.tokens_in,
 * calls.tokens_out, calls.money, calls.of.PROGRAM; then, for all users, guard.open and
 * guard.opened. Hands out nothing when no call was made or stopped. fn returns 0 to go on.
 */
int calls_figures(struct store *s, const struct scope *who, int64_t since_us, stats_fn *fn,
	void *arg, struct err *err);
