/*
 * guard.c: guard and ledger. What is asked before a call is read without the lock; only what
 * changes something (the one try, money set aside) takes a transaction, decided anew inside it, so
 * that of many callers one is the one.
 *
 * guard.failed: up to GUARD_MOST times, microseconds, 8 bytes each, little endian, oldest first.
 */
#include "store/guard.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/conf.h"
#include "store/sql/column.h"

/* ---- the guard's row ---- */

static int
guard_read(struct store *s, const char *service, struct guard *g, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_GUARD_GET, ARGS(service), err);
	int got;

	*g = (struct guard)GUARD_INIT;
	if ((got = db_row(q, err)) <= 0)
		return got;
	const uint8_t *p = db_column_blob(q, 0);
	g->n_failed = MIN((unsigned)db_column_bytes(q, 0) / 8, GUARD_MOST);
	for (unsigned i = 0; i < g->n_failed; i++)
		g->failed_us[i] = (int64_t)get_le64(p + 8 * i);
	g->opened_us = column_time(q, 1);
	g->probe_us = column_time(q, 2);
	g->lease_us = db_column_int(q, 3);
	g->n_opened = db_column_int(q, 4);
	db_reset(q);
	return 0;
}

static int
guard_write(struct store *s, const char *service, const struct guard *g, struct err *err)
{
	uint8_t failed[8 * GUARD_MOST];

	for (unsigned i = 0; i < g->n_failed; i++)
		put_le(failed + 8 * i, (uint64_t)g->failed_us[i], 8);
	return stmt_run(s, STMT_GUARD_PUT, ARGS(service, BLOB(failed, 8 * g->n_failed),
	    TIME(g->opened_us), TIME(g->probe_us), g->lease_us, g->n_opened), err);
}

int
guard_counts(struct store *s, int64_t *n_open, int64_t *n_opened, struct err *err)
{
	int64_t now = clock_now_us(), from = now - conf_int("guard_pause") * US_PER_S;
	int64_t v[2];
	int got = stmt_numbers(s, STMT_GUARD_COUNTS, ARGS(from, now), v, NELEM(v), err);

	*n_open = v[0];
	*n_opened = v[1];
	return got < 0 ? -1 : 0;
}

/* ---- the ledger ---- */

struct ledger_add {
	int64_t day;
	const char *program, *model;
	int64_t n_calls, n_failed, n_stopped;
	struct call_cost cost;
};

static int
ledger_add(struct store *s, const struct scope *who, const struct ledger_add *v, struct err *err)
{
	int64_t user = user_number(s, who->user, true, err);

	return user < 0 ? -1 : stmt_run(s, STMT_LEDGER_ADD, ARGS(user, v->day, v->program,
	    v->model, v->n_calls, v->n_failed, v->n_stopped, v->cost.tokens_in,
	    v->cost.tokens_out, v->cost.micros), err);
}

/* Changes *says if what is left of the day's budget is less than what the call sets aside. */
static int
ask_budget(struct store *s, const struct call *c, enum call_says *says, struct err *err)
{
	int64_t spent[2], tokens, micros, aside = c->aside.tokens_in + c->aside.tokens_out;
	int got = stmt_numbers(s, STMT_LEDGER_SPENT, ARGS(c->day), spent, NELEM(spent), err);

	if (got <= 0)
		return got;
	tokens = spent[0];
	micros = spent[1];
	if ((c->budget_tokens > 0 && tokens >= c->budget_tokens) ||
	    (c->budget_micros > 0 && micros >= c->budget_micros))
		*says = CALL_OVER_BUDGET;
	else if ((c->budget_tokens > 0 && aside > c->budget_tokens - tokens) ||
		 (c->budget_micros > 0 && c->aside.micros > c->budget_micros - micros))
		*says = CALL_TOO_DEAR;
	return 0;
}

int
ledger_each(struct store *s, const struct scope *who, int64_t since_us, ledger_fn *fn, void *arg,
	struct err *err)
{
	struct scope_numbers n;
	LOCAL(arena) a = ARENA_INIT;
	FREED struct ledger_row *rows = NULL;
	size_t n_rows = 0, cap = 0;
	int got;

	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	struct db_stmt *q = stmt_start(s, STMT_LEDGER, ARGS(n.user,
	    since_us == TIME_NONE ? INT64_MIN : since_us / US_PER_DAY), err);
	while ((got = db_row(q, err)) > 0) {
		*xpush(rows, n_rows, cap) = (struct ledger_row){
			.day = db_column_int(q, 0),
			.program = column_text(q, 1, &a),
			.model = column_text(q, 2, &a),
			.n_calls = db_column_int(q, 3),
			.n_failed = db_column_int(q, 4),
			.n_stopped = db_column_int(q, 5),
			.cost = { db_column_int(q, 6), db_column_int(q, 7), db_column_int(q, 8) },
		};
	}
	for (size_t i = 0; got == 0 && i < n_rows; i++)
		got = fn(arg, &rows[i]);
	return got < 0 ? -1 : 0;
}

/* ---- a call ---- */

static bool
has_budget(const struct call *c)
{
	return c->budget_tokens > 0 || c->budget_micros > 0;
}

/* Inside the transaction: asks anew, and notes what the answer costs. */
static int
begin_noted(struct store *s, const struct scope *who, struct call *c, enum call_says *says,
	struct err *err)
{
	const struct ledger_add aside = { .day = c->day,
		.program = c->program,
		.model = c->model,
		.cost = c->aside };
	struct guard g;

	if (guard_read(s, c->service, &g, err) < 0)
		return -1;
	*says = guard_ask(&g, clock_now_us(), c->lease_us);
	if (*says == CALL_STOPPED)
		return 0;
	if (has_budget(c) && ask_budget(s, c, says, err) < 0)
		return -1;
	if (*says == CALL_TOO_DEAR || *says == CALL_OVER_BUDGET)
		return 0;
	if (has_budget(c) && ledger_add(s, who, &aside, err) < 0)
		return -1;
	c->noted = has_budget(c);
	c->probe = *says == CALL_PROBE;
	return c->probe ? guard_write(s, c->service, &g, err) : 0;
}

int
call_begin(struct store *s, const struct scope *who, struct call *c, enum call_says *says,
	struct err *err)
{
	struct guard g;

	c->day = clock_now_us() / US_PER_DAY;
	c->probe = c->noted = false;
	if (guard_read(s, c->service, &g, err) < 0)
		return -1;
	*says = guard_ask(&g, clock_now_us(), c->lease_us);
	if (*says == CALL_STOPPED || (*says == CALL_GO && !has_budget(c)))
		return 0;
	if (db_short_begin(s->db, NULL, err) < 0)
		return -1;
	return db_short_end(s->db, begin_noted(s, who, c, says, err), err);
}

int
call_end(struct store *s, const struct scope *who, const struct call *c, enum call_came came,
	const struct call_cost *cost, struct err *err)
{
	struct ledger_add v = { .day = c->day,
		.program = c->program,
		.model = c->model,
		.n_calls = 1,
		.n_failed = came == CALL_FAILED,
		.cost = *cost };
	struct guard g;

	if (c->noted) {
		v.cost.tokens_in -= c->aside.tokens_in;
		v.cost.tokens_out -= c->aside.tokens_out;
		v.cost.micros -= c->aside.micros;
	}
	if (db_short_begin(s->db, NULL, err) < 0)
		return -1;
	int rc = ledger_add(s, who, &v, err);
	if (rc == 0 && (rc = guard_read(s, c->service, &g, err)) == 0 &&
	    guard_tell(&g, clock_now_us(), c->probe, came == CALL_FAILED))
		rc = guard_write(s, c->service, &g, err);
	return db_short_end(s->db, rc, err);
}

void
calls_stopped(struct store *s, const struct scope *who, const char *program, const char *model,
	int64_t n)
{
	struct ledger_add v = { .day = clock_now_us() / US_PER_DAY,
		.program = program,
		.model = model,
		.n_stopped = n };
	struct err ignored = ERR_INIT;

	if (db_short_begin(s->db, NULL, &ignored) == 0)
		db_short_end(s->db, ledger_add(s, who, &v, &ignored), &ignored);
}
