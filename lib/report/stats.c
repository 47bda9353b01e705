/*
 * stats.c: the figures of mem-stats. The store counts what it holds; searches are counted from the
 * metric rows, one a search. These are kept for a month, so they are few enough for exact
 * percentiles of sorted values, at 24 bytes a search.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/order.h"
#include "report/stats.h"

static const char *const stage_names[N_STAGES] = { "open", "text", "vectors", "rank", "fetch",
	"all" };
static const double percentiles[] = { 50, 95, 99 };

static int64_t
stage_us(const struct metric *m, enum stats_stage stage)
{
	const int64_t us[N_STAGES] = { m->us_open, m->us_text, m->us_vectors, m->us_rank,
		m->us_fetch, m->us_all };

	return us[stage];
}

void
stats_job(struct store *s, const struct scope *who, const char *program, const char *figures)
{
	const struct metric m = { .time_us = clock_now_us(),
		.program = program,
		.path = METRIC_JOB,
		.flags = figures };

	if (conf_bool("touch"))
		metrics_put(s, who, &m);
}

void
stats_add(struct stats_searches *v, const struct metric *m)
{
	for (int i = 0; i < N_STAGES; i++) {
		int64_t us = stage_us(m, i);

		xgrow(&v->us[i], &v->cap[i], v->n + 1, sizeof(*v->us[i]));
		v->us[i][v->n] = (uint32_t)MAX(0, MIN(us, (int64_t)UINT32_MAX));
	}
	v->n++;
	v->n_with_hits += m->n_hits > 0;
	v->n_hits += m->n_hits;
}

void
stats_searches_release(struct stats_searches *v)
{
	for (int i = 0; i < N_STAGES; i++)
		free(v->us[i]);
	memset(v, 0, sizeof(*v));
}

void
stats_value(struct buf *out, const struct stats_line *l)
{
	char time[TIME_TEXT];

	if (strcmp(l->unit, "time") == 0)
		buf_adds(out, l->time_us == TIME_NONE ? "-" : time_format_local(l->time_us, time));
	else if (isnan(l->value))
		buf_adds(out, "-");
	else if (strcmp(l->unit, "bytes") == 0)
		buf_add_size(out, (int64_t)l->value);
	else if (strcmp(l->unit, "share") == 0)
		buf_addf(out, "%.1f %%", 100 * l->value);
	else if (strcmp(l->unit, "ms") == 0)
		buf_addf(out, "%.2f ms", l->value);
	else if (floor(l->value) == l->value)
		buf_add_count(out, (int64_t)l->value);
	else
		buf_addf(out, "%.2f", l->value);
}

uint32_t
stats_percentile(uint32_t *us, size_t n, double p)
{
	size_t rank = (size_t)ceil(p / 100 * (double)n);

	qsort(us, n, sizeof(*us), by_uint32);
	return us[MAX(rank, 1) - 1];
}

int
stats_searches_each(struct stats_searches *v, stats_fn *fn, void *arg)
{
	double n = (double)v->n;
	const struct stats_line head[] = {
		{ "searches", n, TIME_NONE, "count" },
		{ "searches.with_hits", v->n > 0 ? (double)v->n_with_hits / n : NAN, TIME_NONE, "share" },
		{ "searches.hits_mean", v->n > 0 ? (double)v->n_hits / n : NAN, TIME_NONE, "count" },
	};
	int rc = 0;

	for (size_t i = 0; i < NELEM(head) && rc == 0; i++)
		rc = fn(arg, &head[i]);
	for (size_t i = 0; i < N_STAGES && v->n > 0 && rc == 0; i++) {
		if (stats_percentile(v->us[i], v->n, 100) == 0)
			continue;              /* no search had this stage */
		for (size_t k = 0; k < NELEM(percentiles) && rc == 0; k++) {
			char name[40];
			struct stats_line l = { name,
				stats_percentile(v->us[i], v->n, percentiles[k]) / 1e3, TIME_NONE,
				"ms" };

			snprintf(name, sizeof(name), "searches.%s.p%.0f", stage_names[i],
			    percentiles[k]);
			rc = fn(arg, &l);
		}
	}
	return rc;
}

static int
add_metric(void *arg, const struct metric *m)
{
	if (strcmp(m->path, METRIC_JOB) != 0)
		stats_add(arg, m);
	return 0;
}

struct relay { stats_fn *fn; void *arg; bool stop; };

/*
 * Drops the store's own count of searches, which is not limited by since_us; stats_searches_each
 * gives ours.
 */
static int
relay_stat(void *arg, const struct store_stat *v)
{
	struct relay *r = arg;
	bool time = strcmp(v->unit, "time") == 0;
	struct stats_line l = { v->name, time ? NAN : (double)v->value, time ? v->value : TIME_NONE,
		v->unit };

	if (strcmp(v->name, "searches") != 0)
		r->stop = r->fn(r->arg, &l) != 0;
	return r->stop;
}

int
stats_each(struct store *s, const struct scope *who, int64_t since_us, stats_fn *fn, void *arg,
	struct err *err)
{
	LOCAL(stats_searches) v = { 0 };
	struct relay r = { fn, arg, false };
	int rc = store_stats(s, who, relay_stat, &r, err);

	if (rc != 0 || r.stop)
		return r.stop ? 0 : -1;
	memset(&v, 0, sizeof(v));
	rc = metrics_each(s, who, since_us, add_metric, &v, err);
	if (rc == 0)
		stats_searches_each(&v, fn, arg);
	return rc;
}
