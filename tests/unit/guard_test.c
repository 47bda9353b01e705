/*
 * guard_test.c: the guard's step against its rule told in another way; then guard, ledger and
 * budget in a store, by many processes at once.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "storing.h"

#include "store/guard.h"

#define S US_PER_S
#define T0 (1700000000 * US_PER_S)

/* ---- the step ---- */

static void
fail_at(struct guard *g, int64_t us, int n)
{
	for (int i = 0; i < n; i++)
		guard_tell(g, us + i * S, false, true);
}

static void
test_step(void)
{
	struct guard g = GUARD_INIT;

	is_int(guard_ask(&g, T0, 60 * S), CALL_GO, "new: go");
	fail_at(&g, T0, 4);
	is_int(guard_ask(&g, T0 + 4 * S, 60 * S), CALL_GO, "four failures: go");
	guard_tell(&g, T0 + 601 * S, false, true);
	is_int(guard_ask(&g, T0 + 601 * S, 60 * S), CALL_GO,
	    "a fifth when two are over 600 s old: go");
	guard_tell(&g, T0 + 602 * S, false, true);
	is_int(guard_ask(&g, T0 + 602 * S, 60 * S), CALL_GO, "as many as have gone have come: go");
	is_int(g.n_failed, 3, "three count");
	g = (struct guard)GUARD_INIT;
	fail_at(&g, T0, 5);
	is_int(guard_ask(&g, T0 + 4 * S, 60 * S), CALL_STOPPED, "five: stop");
	is_int(g.n_opened, 1, "once");
	is_int(guard_tell(&g, T0 + 5 * S, false, false), false,
	    "a call that began before and succeeds: nothing");
	is_int(guard_tell(&g, T0 + 100 * S, false, true), false, "or fails: nothing");
	is_int(guard_ask(&g, T0 + 303 * S, 60 * S), CALL_STOPPED, "299 s later: stop");
	is_int(guard_ask(&g, T0 + 304 * S, 60 * S), CALL_PROBE, "300 s later: one tries");
	is_int(guard_ask(&g, T0 + 304 * S, 60 * S), CALL_STOPPED, "and one only");
	guard_tell(&g, T0 + 310 * S, true, true);
	is_int(guard_ask(&g, T0 + 609 * S, 60 * S), CALL_STOPPED, "it failed: 300 s more");
	is_int(guard_ask(&g, T0 + 610 * S, 60 * S), CALL_PROBE, "again one");
	is_int(guard_ask(&g, T0 + 669 * S, 60 * S), CALL_STOPPED, "which does not come back");
	is_int(guard_ask(&g, T0 + 670 * S, 60 * S), CALL_PROBE, "another one");
	guard_tell(&g, T0 + 671 * S, true, false);
	is_int(guard_ask(&g, T0 + 671 * S, 60 * S), CALL_GO, "it succeeded: go");
	fail_at(&g, T0 + 671 * S, 4);
	is_int(guard_ask(&g, T0 + 680 * S, 60 * S), CALL_GO, "the old failures are forgotten");
	is_int(g.n_opened, 2, "it was opened twice");
}

static void
test_clock(void)
{
	const int64_t day = 86400 * S;
	struct guard g = GUARD_INIT;

	fail_at(&g, T0, 5);
	is_int(guard_ask(&g, T0 - day, 60 * S), CALL_PROBE, "clock a day back: one tries");
	is_int(guard_ask(&g, T0 - day + S, 60 * S), CALL_STOPPED, "the others do not");
	guard_tell(&g, T0 - day + 2 * S, true, true);
	is_int(guard_ask(&g, T0 - day + 301 * S, 60 * S), CALL_STOPPED,
	    "it failed: stopped on the new clock");
	is_int(guard_ask(&g, T0 + 3 * S, 60 * S), CALL_PROBE, "and forward again: one tries");
	is_int(guard_ask(&g, T0 - day, 60 * S), CALL_PROBE, "back while it does: one more");
	is_int(guard_ask(&g, T0 - day, 60 * S), CALL_STOPPED, "no storm");
	g = (struct guard)GUARD_INIT;
	fail_at(&g, T0, 4);
	guard_tell(&g, T0 - day, false, true);
	is_int(guard_ask(&g, T0 - day, 60 * S), CALL_GO, "failures still to come do not count");
}

/* ---- in a store ---- */

static void
at(int64_t us)
{
	clock_fix(us);
}

static struct call
a_call(const char *service)
{
	return (struct call){ .service = service,
		.program = "mem-test",
		.model = "m",
		.lease_us = 60 * S };
}

static enum call_says
ask(struct call *c)
{
	enum call_says says = CALL_STOPPED;

	must(call_begin(st, &ann, c, &says, &err), "call_begin");
	return says;
}

static void
fail_once(const char *service)
{
	struct call c = a_call(service);
	const struct call_cost none = { 0, 0, 0 };

	ask(&c);
	must(call_end(st, &ann, &c, CALL_FAILED, &none, &err), "call_end");
}

/* Each in a process of its own, all let go at once: how many were told to try. */
static int
processes_told(int n, enum call_says what)
{
	int gate[2], n_told = 0, status;
	char c;

	if (pipe(gate) != 0)
		return -1;
	for (int i = 0; i < n; i++)
		if (fork() == 0) {
			enum call_says says = CALL_STOPPED;
			struct call call = a_call("chat m");
			struct store *mine;
			close(gate[1]);
			if (read(gate[0], &c, 1) != 0 ||
			    store_open(PATH, i % 2 ? STORE_READ : STORE_WRITE, &mine, &err) < 0 ||
			    call_begin(mine, &ann, &call, &says, &err) < 0) {
				fprintf(stderr, "%s\n", err.msg);
				_exit(9);
			}
			store_close(mine);
			_exit(says == what);
		}
	close(gate[0]);
	close(gate[1]);
	while (wait(&status) > 0)
		n_told +=
		    WIFEXITED(status) && WEXITSTATUS(status) == 9 ? 1000 : WEXITSTATUS(status);
	return n_told;
}

static void
test_processes(void)
{
	at(T0);
	for (int i = 0; i < 5; i++) {
		struct store *other;
		must(store_open(PATH, STORE_READ, &other, &err), "open");
		struct call c = a_call("chat m");
		enum call_says says;
		must(call_begin(other, &ann, &c, &says, &err), "begin");
		is_int(says, CALL_GO, "call %d goes", i);
		must(call_end(other, &bob, &c, CALL_FAILED, &(struct call_cost){ 0, 0, 0 }, &err),
		    "end");
		store_close(other);
	}
	is_int(processes_told(8, CALL_STOPPED), 8,
	    "five failures of five handles: eight processes are stopped");
	at(T0 + 299 * S);
	is_int(processes_told(8, CALL_STOPPED), 8, "299 s later too");
	at(T0 + 300 * S);
	is_int(processes_told(16, CALL_PROBE), 1, "300 s later exactly one of sixteen tries");
	is_int(processes_told(8, CALL_PROBE), 0, "and no other, while it does");
	at(T0 + 360 * S);
	is_int(processes_told(8, CALL_PROBE), 1,
	    "it died: when its time is over exactly one of eight tries");
	struct call other = a_call("chat other");
	is_int(ask(&other), CALL_GO, "another service is not stopped");
}

static char rows[2000];
static size_t rows_len;

static int
see_row(void *arg, const struct ledger_row *r)
{
	(void)arg;
	rows_len += (size_t)snprintf(rows + rows_len, sizeof(rows) - rows_len,
	    "%s%d %s %s %d %d %d %d %d %d", rows_len ? "; " : "", (int)r->day, r->program, r->model,
	    (int)r->n_calls, (int)r->n_failed, (int)r->n_stopped, (int)r->cost.tokens_in,
	    (int)r->cost.tokens_out, (int)r->cost.micros);
	return 0;
}

static const char *
ledger_of(const struct scope *who, int64_t since_us)
{
	rows_len = 0;
	rows[0] = '\0';
	must(ledger_each(st, who, since_us, see_row, NULL, &err), "ledger");
	return rows;
}

static void
test_ledger(void)
{
	const struct call_cost cost = { 100, 20, 1500 };
	struct call c = a_call("chat m");
	int64_t n_open, n_opened;

	is_int(ask(&c), CALL_GO, "go");
	must(call_end(st, &ann, &c, CALL_DONE, &cost, &err), "end");
	is_int(ask(&c), CALL_GO, "go");
	must(call_end(st, &ann, &c, CALL_FAILED, &cost, &err), "end");
	calls_stopped(st, &ann, "mem-test", "m", 3);
	at(T0 + US_PER_DAY);
	c.program = "mem-other";
	is_int(ask(&c), CALL_GO, "go");
	must(call_end(st, &ann, &c, CALL_DONE, &cost, &err), "end");
	is_str(ledger_of(&ann, TIME_NONE),
	    "19675 mem-test m 2 1 3 200 40 3000; 19676 mem-other m 1 0 0 100 20 1500",
	    "by day, program and model");
	is_str(ledger_of(&ann, T0 + US_PER_DAY), "19676 mem-other m 1 0 0 100 20 1500",
	    "since a day");
	is_str(ledger_of(&bob, TIME_NONE), "", "another user's is his own");
	must(guard_counts(st, &n_open, &n_opened, &err), "counts");
	is_int(n_open * 10 + n_opened, 0, "no guard was opened");
	for (int i = 0; i < 5; i++)
		fail_once("chat x");
	must(guard_counts(st, &n_open, &n_opened, &err), "counts");
	is_int(n_open * 10 + n_opened, 11, "one is open, opened once");
	reopen(STORE_REPAIR);
	must(store_repair(st, NULL, NULL, &err), "repair");
	must(guard_counts(st, &n_open, &n_opened, &err), "counts");
	is_int(n_open * 10 + n_opened, 0, "a repair empties the guard");
	ok(strstr(ledger_of(&ann, TIME_NONE), "19675 mem-test m 2 1 3 200 40 3000") != NULL,
	    "and keeps the ledger");
}

static void
test_budget(void)
{
	struct call c = a_call("chat m"), d;
	const struct call_cost small = { 10, 10, 10 };

	c.budget_tokens = 1000;
	c.aside = (struct call_cost){ 200, 300, 0 };
	d = c;
	is_int(ask(&c), CALL_GO, "the first half is set aside");
	is_int(ask(&d), CALL_GO, "so is the second");
	struct call e = d;
	is_int(ask(&e), CALL_OVER_BUDGET, "a third at the same time is over the budget");
	must(call_end(st, &ann, &d, CALL_DONE, &small, &err), "end");
	must(call_end(st, &ann, &c, CALL_DONE, &small, &err), "end");
	is_str(ledger_of(&ann, TIME_NONE), "19675 mem-test m 2 0 0 20 20 20",
	    "what was not used went back");
	must(call_begin(st, &bob, &e, &(enum call_says){ CALL_GO }, &err), "begin");
	must(call_end(st, &bob, &e, CALL_DONE, &(struct call_cost){ 900, 61, 0 }, &err), "end");
	e.aside = (struct call_cost){ 0, 0, 0 };
	is_int(ask(&e), CALL_OVER_BUDGET, "what another user spent counts");
	at(T0 + US_PER_DAY);
	is_int(ask(&e), CALL_GO, "tomorrow is another day");
	at(T0);
	c = a_call("chat m");
	c.budget_micros = 1000;
	c.aside.micros = 981;
	is_int(ask(&c), CALL_TOO_DEAR, "money: 20 and 981 are over 1000");
	c.aside.micros = 980;
	is_int(ask(&c), CALL_GO, "20 and 980 are not");
}

static void
test_refusals(void)
{
	struct call c = a_call("chat m");
	enum call_says says;

	must(store_begin(st, &err), "begin");
	c.budget_tokens = 1;
	ok(call_begin(st, &ann, &c, &says, &err) < 0 && err.code == ERR_BUG,
	    "not inside a transaction");
	store_rollback(st);
}

static void
fresh_at(void)
{
	fresh();
	at(T0);
}

int
main(void)
{
	static const char *const files[] = { PATH, PATH "-wal", PATH "-shm", PATH ".lock", NULL };

	test_step();
	test_clock();
	tmpdir_make();
	fresh_at();
	test_processes();
	fresh_at();
	test_ledger();
	fresh_at();
	test_budget();
	fresh_at();
	test_refusals();
	store_close(st);
	tmpdir_remove(files);
	return tap_done();
}
