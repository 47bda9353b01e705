/*
 * report.c: sums up the metric rows of a span of time, one row a search; counts what was stored in
 * it, and what model calls cost.
 *
 * The flags of a row say what happened during the search: "vectors" were used, "sim" is the best
 * similarity, the session was "widened" to the whole memory, "fallback" to words alone, only
 * "distilled" records were found, a context block was "truncated" or "used" a share of its budget.
 * Rows of programs that do not search have the path "job".
 */
#include <math.h>

#include "report/report.h"

#include "report/calls.h"

#define FEW_HITS      3
#define WORDLESS_HITS 2

static bool
has_flag(const char *flags, const char *flag)
{
	size_t len = strlen(flag);

	for (const char *p = flags; (p = strstr(p, flag)) != NULL; p += len)
		if ((p == flags || p[-1] == ',') && (p[len] == '\0' || p[len] == ','))
			return true;
	return false;
}

/* The number of a flag "name=0.5"; NAN when the flag is not set. */
static double
flag_number(const char *flags, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = flags; (p = strstr(p, name)) != NULL; p += len)
		if ((p == flags || p[-1] == ',') && p[len] == '=')
			return strtod(p + len + 1, NULL);
	return NAN;
}

static void
add_number(const char *flags, const char *name, double *sum, size_t *n)
{
	double v = flag_number(flags, name);

	if (!isfinite(v))
		return;
	*sum += v;
	++*n;
}

static void
add_count(const char *flags, const char *name, int64_t *n)
{
	double v = flag_number(flags, name);

	if (v > 0 && v < 1e12)
		*n += (int64_t)v;
}

static void
add_job(struct report *v, const struct metric *m)
{
	add_count(m->flags, "pruned_facts", &v->n_pruned_facts);
	add_count(m->flags, "pruned_sessions", &v->n_pruned_sessions);
	add_count(m->flags, "shortcuts", &v->n_shortcuts);
	add_count(m->flags, "missed", &v->n_missed);
}

static void
count_name(struct report_name *names, size_t *n, const char *name)
{
	size_t i;

	for (i = 0; i < *n && strcmp(names[i].name, name) != 0; i++)
		continue;
	if (i == *n && i == REPORT_NAMES - 1)
		name = "other";
	if (i == REPORT_NAMES)
		i--;
	else if (i == *n)
		snprintf(names[(*n)++].name, sizeof(names->name), "%s", name);
	names[i].n++;
}

static int
add_search(void *arg, const struct metric *m)
{
	struct report *v = arg;
	bool vectors = has_flag(m->flags, "vectors");

	if (strcmp(m->path, STATS_JOB) == 0) {
		add_job(v, m);
		return 0;
	}
	add_number(m->flags, "sim", &v->sim_sum, &v->n_sim);
	add_number(m->flags, "used", &v->used_sum, &v->n_used);
	v->n_spared += has_flag(m->flags, "rerank_spared");
	stats_add(&v->all, m);
	v->n_none += m->n_hits == 0;
	v->n_few += m->n_hits < FEW_HITS;
	v->n_wordless += m->n_hits < WORDLESS_HITS && !vectors;
	v->n_vectors += vectors;
	v->n_widened += has_flag(m->flags, "widened");
	v->n_fallback += has_flag(m->flags, "fallback");
	v->n_distilled += has_flag(m->flags, "distilled");
	v->n_truncated += has_flag(m->flags, "truncated");
	v->n_context += strcmp(m->program, "mem-context") == 0;
	count_name(v->paths, &v->n_paths, m->path);
	count_name(v->programs, &v->n_programs, m->program);
	return 0;
}

int
report_read(struct store *s, const struct scope *who, int64_t since_us, struct report *v,
	struct err *err)
{
	return metrics_each(s, who, since_us, add_search, v, err);
}

void
report_release(struct report *v)
{
	stats_release(&v->all);
}

/* ---- lines ---- */

static int
most_first(const void *pa, const void *pb)
{
	const struct report_name *a = pa, *b = pb;

	return a->n != b->n ? (a->n < b->n ? 1 : -1) : strcmp(a->name, b->name);
}

/* n_all is what counts are divided by to give shares; 0: give the counts. */
static int
put_names(struct report_name *names, size_t n, const char *prefix, size_t n_all, stats_fn *fn,
	void *arg)
{
	int rc = 0;

	qsort(names, n, sizeof(*names), most_first);
	for (size_t i = 0; i < n && rc == 0; i++) {
		char name[80];
		struct stats_line l = { name, (double)names[i].n / (double)MAX(n_all, 1), TIME_NONE,
			n_all > 0 ? "share" : "count" };

		snprintf(name, sizeof(name), "searches.%s.%s", prefix, names[i].name);
		rc = fn(arg, &l);
	}
	return rc;
}

static int
put_searches(struct report *v, stats_fn *fn, void *arg)
{
	double n = (double)v->all.n, n_context = (double)v->n_context;
	const struct stats_line shares[] = {
		{ "searches.none", (double)v->n_none / n, TIME_NONE, "share" },
		{ "searches.few", (double)v->n_few / n, TIME_NONE, "share" },
		{ "searches.vectors", (double)v->n_vectors / n, TIME_NONE, "share" },
		{ "searches.widened", (double)v->n_widened / n, TIME_NONE, "share" },
		{ "searches.fallback", (double)v->n_fallback / n, TIME_NONE, "share" },
		{ "searches.distilled", (double)v->n_distilled / n, TIME_NONE, "share" },
		{ "searches.truncated", (double)v->n_truncated / n_context, TIME_NONE, "share" },
	};
	const struct stats_line means[] = {
		{ "searches.sim_top", v->n_sim > 0 ? v->sim_sum / (double)v->n_sim : NAN, TIME_NONE, "similarity" },
		{ "searches.budget_used", v->n_used > 0 ? v->used_sum / (double)v->n_used : NAN, TIME_NONE, "share" },
	};
	int rc = stats_searches_each(&v->all, fn, arg);

	for (size_t i = 0; i < NELEM(means) && rc == 0; i++)
		rc = isnan(means[i].value) ? 0 : fn(arg, &means[i]);
	for (size_t i = 0; i < NELEM(shares) - (v->n_context == 0) && v->all.n > 0 && rc == 0; i++)
		rc = fn(arg, &shares[i]);
	if (rc == 0)
		rc = put_names(v->paths, v->n_paths, "path", v->all.n, fn, arg);
	return rc != 0 ? rc : put_names(v->programs, v->n_programs, "of", 0, fn, arg);
}

static int
put_jobs(const struct report *v, stats_fn *fn, void *arg)
{
	const struct stats_line counts[] = {
		{ "pruned.facts", (double)v->n_pruned_facts, TIME_NONE, "count" }, { "pruned.sessions", (double)v->n_pruned_sessions, TIME_NONE, "count" },
		{ "calls.shortcuts", (double)v->n_shortcuts, TIME_NONE, "count" }, { "calls.spared", (double)v->n_spared, TIME_NONE, "count" },
		{ "missed", (double)v->n_missed, TIME_NONE, "count" },
	};
	int rc = 0;

	for (size_t i = 0; i < NELEM(counts) && rc == 0; i++)
		rc = counts[i].value > 0 ? fn(arg, &counts[i]) : 0;
	return rc;
}

struct relay { stats_fn *fn; void *arg; bool stop; };

static int
relay_stat(void *arg, const struct store_stat *v)
{
	struct relay *r = arg;
	const struct stats_line l = { v->name, (double)v->value, TIME_NONE, v->unit };

	r->stop = r->fn(r->arg, &l) != 0;
	return r->stop;
}

int
report_each(struct store *s, const struct scope *who, int64_t since_us, stats_fn *fn, void *arg,
	struct err *err)
{
	const struct stats_line since = { "since", NAN, since_us, "time" };
	struct report v = { .n_none = 0 };
	struct relay r = { fn, arg, false };
	int rc = report_read(s, who, since_us, &v, err);

	if (rc == 0)
		r.stop = fn(arg, &since) != 0 || put_searches(&v, fn, arg) != 0 ||
		    put_jobs(&v, fn, arg) != 0;
	report_release(&v);
	if (rc == 0 && !r.stop)
		rc = store_grown(s, who, since_us, relay_stat, &r, err);
	if (r.stop)
		return 0;
	return rc == 0 ? calls_figures(s, who, since_us, fn, arg, err) : -1;
}
