/*
 * advice.c: what needs doing. One figure is computed for each rule and compared with the rule's
 * limit; rules whose figure is above it are due.
 */
#include "base/conf.h"
#include "embed/service.h"
#include "gen/advice_rows.h"
#include "report/report.h"
#include "store/categories.h"
#include "store/guard.h"
#include "summary/summarize.h"

enum {
	DAMAGE, LOG_SIZE, FILE_SIZE, VECTORS, SUMMARIES, UNSORTED, FACTS, STOPPED, SLOW, NONE,
	MISSED, WORDLESS, FALLBACK, DISTILLED, TRUNCATED, SUMMARY_COST, N_RULES
};

static const struct trigger rules[N_RULES] = { ADVICE_RULES };

struct looked {
	double facts, guarded, vectors, missing, said;
	double open, cost_summaries, cost_all;
	size_t n_faults;
	int64_t since_us;
};

static int
look_stat(void *arg, const struct store_stat *v)
{
	struct looked *l = arg;

	if (strcmp(v->name, "facts") == 0)
		l->facts = (double)v->value;
	else if (strcmp(v->name, "facts.protected") == 0)
		l->guarded = (double)v->value;
	else if (strcmp(v->name, "vectors") == 0)
		l->vectors = (double)v->value;
	else if (strcmp(v->name, "vectors.missing") == 0)
		l->missing = (double)v->value;
	else if (strcmp(v->name, "grown.said") == 0 || strcmp(v->name, "grown.facts") == 0 ||
	    strcmp(v->name, "grown.reflections") == 0)
		l->said += (double)v->value;
	return 0;
}

/*
 * Costs count by money where prices are known, else by tokens, a million to one unit of money, so
 * that calls with a price outweigh those without.
 */
static int
look_calls(void *arg, const struct ledger_row *r)
{
	struct looked *l = arg;
	double cost =
	    (double)r->cost.micros + (double)(r->cost.tokens_in + r->cost.tokens_out) / 1e6;

	l->cost_all += cost;
	if (strcmp(r->program, "mem-summarize") == 0)
		l->cost_summaries += cost;
	return 0;
}

static int
look_check(void *arg, const struct check_finding *f)
{
	((struct looked *)arg)->n_faults += f->level >= 2;
	return 0;
}

/*
 * Counts vectors that searches cannot use because the model of their name is now another one: they
 * have to be made anew.
 */
static int
count_outdated(struct store *s, const struct scope *who, double *n, struct err *err)
{
	struct vectors *v;
	struct model *m;

	if (vectors_open(s, who, &v, err) < 0)
		return -1;
	const struct vectors_info *info = vectors_info(v);
	if (info->n > 0 && !service_made(&info->model) && model_has_namesake(info->model.name)) {
		if (model_open_same(&m, info->model.name, info->model.sha256))
			model_close(m);
		else
			*n += info->n;
	}
	vectors_close(v);
	return 0;
}

static void
judge_searches(struct report *v, double value[N_RULES])
{
	double n = (double)v->all.n;

	if (v->all.n < TRIGGER_SEARCHES)
		return;
	value[SLOW] = stats_percentile(v->all.us[STAGE_ALL], v->all.n, 95) / 1e3;
	value[NONE] = (double)v->n_none / n;
	value[WORDLESS] = (double)v->n_wordless / n;
	value[FALLBACK] = (double)v->n_fallback / n;
	value[DISTILLED] = (double)v->n_distilled / n;
	value[TRUNCATED] =
	    v->n_context < TRIGGER_SEARCHES ? 0 : (double)v->n_truncated / (double)v->n_context;
}

static int
read_figures(struct store *s, const struct scope *who, int64_t since_us, bool check,
	double value[N_RULES], struct err *err)
{
	struct looked l = { .since_us = since_us };
	LOCAL(report) searches = { .n_none = 0 };
	struct category_runs runs;
	int64_t n_due, n_open, n_opened, n_bytes, n_log;

	if ((check && store_check(s, CHECK_QUICK, look_check, &l, err) < 0) ||
	    store_stats_records(s, who, look_stat, &l, err) < 0 ||
	    categories_runs(s, who, &runs, err) < 0 ||
	    store_grown(s, who, runs.time_us == TIME_NONE ? TIME_NONE : runs.time_us + 1, look_stat,
		&l, err) < 0 ||
	    summarize_due(s, who, conf_int("summarize_messages"), &n_due, err) < 0 ||
	    guard_counts(s, &n_open, &n_opened, err) < 0 ||
	    store_file_bytes(s, &n_bytes, &n_log, err) < 0 ||
	    ledger_each(s, who, since_us, look_calls, &l, err) < 0 ||
	    report_read(s, who, since_us, &searches, err) < 0 ||
	    count_outdated(s, who, &l.missing, err) < 0)
		return -1;
	value[DAMAGE] = (double)l.n_faults;
	value[LOG_SIZE] = (double)n_log;
	value[FILE_SIZE] = (double)n_bytes;
	value[VECTORS] = l.missing;
	value[SUMMARIES] = (double)n_due;
	value[UNSORTED] = l.said;
	/* when all facts are protected, mem-prune could remove none */
	value[FACTS] = l.facts > l.guarded ? l.facts : 0;
	value[STOPPED] = (double)n_open;
	value[MISSED] = (double)searches.n_of[REPORT_MISSED];
	value[SUMMARY_COST] = l.cost_all > 0 ? l.cost_summaries / l.cost_all : 0;
	judge_searches(&searches, value);
	if (l.vectors > 0 && l.missing == 0)
		value[WORDLESS] = 0;       /* what it advises has been done since */
	return 0;
}

int
triggers_each(struct store *s, const struct scope *who, int64_t since_us, bool check,
	trigger_fn *fn, void *arg, size_t *n_due, struct err *err)
{
	double value[N_RULES] = { 0 };

	*n_due = 0;
	if (read_figures(s, who, since_us, check, value, err) < 0)
		return -1;
	for (int i = 0; i < N_RULES; i++) {
		struct trigger t = rules[i];

		t.value = value[i];
		if (i == FACTS)
			t.limit = (double)conf_int("facts_max");
		else if (i == FILE_SIZE)
			t.limit = (double)conf_int("file_mb") * 1e6;
		else if (i == SLOW)
			t.limit = (double)conf_int("slow_ms");
		if (t.value <= t.limit)
			continue;
		++*n_due;
		if (fn(arg, &t) != 0)
			break;
	}
	return 0;
}
