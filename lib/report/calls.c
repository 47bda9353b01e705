/*
 * calls.c: sums up the ledger of model calls, whose rows are one for each day, program and model.
 * There are few programs, so a plain list of them will do.
 */
#include "report/calls.h"

#include "json/json.h"

#define PROGRAMS_MOST 40
#define MILLION       1e6

void
record_calls(struct buf *out, const char *user, const struct ledger_row *r)
{
	char day[TIME_TEXT];

	json_record(out, "calls");
	json_str(out, "user", user);
	json_str(out, "day", time_format_day(r->day * US_PER_DAY, day));
	json_str(out, "program", r->program);
	json_str(out, "model", r->model);
	json_int(out, "calls", r->n_calls);
	json_int(out, "failed", r->n_failed);
	json_int(out, "stopped", r->n_stopped);
	json_int(out, "tokens_in", r->cost.tokens_in);
	json_int(out, "tokens_out", r->cost.tokens_out);
	json_num(out, "money", (double)r->cost.micros / MILLION);
	json_close(out);
}

struct sums {
	struct ledger_row all;
	struct { char name[60]; int64_t n; } of[PROGRAMS_MOST];
	size_t n_programs;
};

static int
add_row(void *arg, const struct ledger_row *r)
{
	struct sums *v = arg;
	size_t i;

	v->all.n_calls += r->n_calls;
	v->all.n_failed += r->n_failed;
	v->all.n_stopped += r->n_stopped;
	v->all.cost.tokens_in += r->cost.tokens_in;
	v->all.cost.tokens_out += r->cost.tokens_out;
	v->all.cost.micros += r->cost.micros;
	for (i = 0; i < v->n_programs && strcmp(v->of[i].name, r->program) != 0; i++)
		continue;
	if (i == PROGRAMS_MOST)
		return 0;
	if (i == v->n_programs)
		snprintf(v->of[v->n_programs++].name, sizeof(v->of[i].name), "%s", r->program);
	v->of[i].n += r->n_calls;
	return 0;
}

static int
put_figures(const struct sums *v, int64_t n_open, int64_t n_opened, stats_fn *fn, void *arg)
{
	const struct ledger_row *a = &v->all;
	const struct stats_line head[] = {
		{ "calls", (double)a->n_calls, TIME_NONE, "count" },
		{ "calls.failed", (double)a->n_failed, TIME_NONE, "count" },
		{ "calls.stopped", (double)a->n_stopped, TIME_NONE, "count" },
		{ "calls.tokens_in", (double)a->cost.tokens_in, TIME_NONE, "count" },
		{ "calls.tokens_out", (double)a->cost.tokens_out, TIME_NONE, "count" },
		{ "calls.money", (double)a->cost.micros / MILLION, TIME_NONE, "money" },
		{ "guard.open", (double)n_open, TIME_NONE, "count" },
		{ "guard.opened", (double)n_opened, TIME_NONE, "count" },
	};
	int rc = 0;

	for (size_t i = 0; i < NELEM(head) && rc == 0; i++)
		rc = fn(arg, &head[i]);
	for (size_t i = 0; i < v->n_programs && rc == 0; i++) {
		char name[80];
		struct stats_line l = { name, (double)v->of[i].n, TIME_NONE, "count" };

		snprintf(name, sizeof(name), "calls.of.%s", v->of[i].name);
		rc = fn(arg, &l);
	}
	return rc;
}

int
calls_figures(struct store *s, const struct scope *who, int64_t since_us, stats_fn *fn, void *arg,
	struct err *err)
{
	struct sums v = { .n_programs = 0 };
	int64_t n_open, n_opened;

	if (ledger_each(s, who, since_us, add_row, &v, err) < 0 ||
	    guard_counts(s, &n_open, &n_opened, err) < 0)
		return -1;
	if (v.n_programs > 0)
		put_figures(&v, n_open, n_opened, fn, arg);
	return 0;
}
