/*
 * report.c: sums up the metric rows of a span of time, one row a search; counts what was stored in
 * it, and what model calls cost.
 *
 * The flags of a row say what happened during the search: "vectors" were used, "sim" is the best
 * similarity, the session was "widened" to the whole memory, "fallback" to words alone, only
 * "distilled" records were found, a context block was "truncated" or "used" a share of its budget,
 * and the "stage" in which a search failed. Rows of programs that do not search have the path
 * "job". What was handed out is counted by what it is.
 */
#include <math.h>

#include "report/report.h"

#include "base/alloc.h"
#include "base/order.h"
#include "report/calls.h"
#include "report/stats.h"
#include "store/handed.h"
#include "store/records.h"

#define FEW_HITS      3
#define WORDLESS_HITS 2

/* ---- what was handed out, by what it is ---- */

/*
 * The rows of metrics name what each search handed out by its row, so that is gathered,
 * sorted, and looked up once, however often it was given.
 */

#define PAGE 64                            /* messages that are read at once */

enum { SAID, DOCUMENTS, FACTS, NOTES, SUMMARIES, CODE, N_GIVEN };

struct given {
	struct store *s;
	const struct scope *who;
	int64_t since_us;
	int64_t *rows[2];                      /* of messages, and of records */
	size_t n[2], cap[2];
	int64_t n_of[N_GIVEN];
};

static int
on_answer(void *arg, const struct handed_answer *a)
{
	struct given *g = arg;

	if (g->since_us != TIME_NONE && a->time_us < g->since_us)
		return 1;                      /* the newest come first */
	for (size_t i = 0; i < a->n; i++) {
		int of = a->items[i].is_record;

		if (!handed_is_out(&a->items[i]))
			continue;
		*xpush(g->rows[of], g->n[of], g->cap[of]) = a->items[i].row;
	}
	return 0;
}

/* The next run of equal rows, from *at on: how many there are. */
static int64_t
next_row(const struct given *g, int of, size_t *at, int64_t *row)
{
	size_t from = *at;

	*row = g->rows[of][from];
	while (*at < g->n[of] && g->rows[of][*at] == *row)
		++*at;
	return (int64_t)(*at - from);
}

static bool
has_code(const struct message *m)
{
	return strstr(m->content, "```") != NULL;
}

static int
count_messages(struct given *g, struct arena *a, struct err *err)
{
	const struct message *m[PAGE];
	int64_t rows[PAGE], times[PAGE];
	size_t at = 0, n;

	while (at < g->n[0]) {
		for (n = 0; n < PAGE && at < g->n[0]; n++)
			times[n] = next_row(g, 0, &at, &rows[n]);
		arena_reset(a);
		if (messages_by_rows(g->s, g->who, rows, n, a, m, err) < 0)
			return -1;
		for (size_t i = 0; i < n; i++) {
			if (m[i] == NULL)
				continue;
			g->n_of[m[i]->role == ROLE_DOCUMENT ? DOCUMENTS : SAID] += times[i];
			g->n_of[CODE] += has_code(m[i]) ? times[i] : 0;
		}
	}
	return 0;
}

static int
count_records(struct given *g, struct arena *a, struct err *err)
{
	static const int kinds[] = { [RECORD_FACT] = FACTS, [RECORD_REFLECTION] = NOTES,
		[RECORD_SUMMARY] = SUMMARIES };
	const struct fact *f;
	size_t at = 0;

	while (at < g->n[1]) {
		int64_t row, times = next_row(g, 1, &at, &row);

		arena_reset(a);
		if (records_by_row(g->s, g->who, row, TIME_NONE, a, &f, err) < 0)
			return -1;
		if (f != NULL)
			g->n_of[kinds[f->head.type]] += times;
	}
	return 0;
}

/*
 * Hands out how many of the items that were given since since_us (TIME_NONE: all that are kept) are
 * turns of conversations, sections of documents, facts, notes and summaries, and how many of the
 * turns have code in them. What is no longer stored is not counted. fn as that of stats_each.
 */
static int
given_each(struct store *s, const struct scope *who, int64_t since_us, stats_fn *fn, void *arg,
	struct err *err)
{
	static const char *const names[N_GIVEN] = { "given.conversations", "given.documents",
		"given.facts", "given.notes", "given.summaries", "given.code" };
	struct given g = { .s = s, .who = who, .since_us = since_us };
	LOCAL(arena) a = ARENA_INIT;
	int rc = handed_each(s, who, on_answer, &g, err);

	for (int of = 0; of < 2; of++)
		if (g.n[of] > 0)
			qsort(g.rows[of], g.n[of], sizeof(*g.rows[of]), by_int64);
	if (rc >= 0)
		rc = count_messages(&g, &a, err) < 0 || count_records(&g, &a, err) < 0 ? -1 : 0;
	for (size_t i = 0; i < N_GIVEN && rc == 0; i++) {
		const struct stats_line l = { names[i], (double)g.n_of[i], TIME_NONE, "count" };

		rc = g.n_of[i] > 0 ? fn(arg, &l) : 0;
	}
	free(g.rows[0]);
	free(g.rows[1]);
	return rc;
}

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

/* What a program did, by the name of its figure in the flags, and what it is told as. */
static const struct { const char *flag, *name, *unit; } counts[N_REPORT_COUNTS] = {
	[REPORT_PRUNED_FACTS] = { "pruned_facts", "pruned.facts", "count" },
	[REPORT_PRUNED_SESSIONS] = { "pruned_sessions", "pruned.sessions", "count" },
	[REPORT_SHORTCUTS] = { "shortcuts", "calls.shortcuts", "count" },
	[REPORT_SPARED] = { "rerank_spared", "calls.spared", "count" },
	[REPORT_MISSED] = { "missed", "missed", "count" },
	[REPORT_EMBEDDED] = { "embedded", "embedded", "count" },
	[REPORT_EMBED_MS] = { "embed_ms", "embedded.ms", "ms" },
	[REPORT_PROFILE] = { "profile", "profile.used", "count" },
};

static void
count_names(struct report_names *names, const char *name, size_t times)
{
	struct report_name *v = names->items;
	size_t i;

	for (i = 0; i < names->n && strcmp(v[i].name, name) != 0; i++)
		continue;
	if (i == names->n && i == REPORT_NAMES - 1)
		name = "other";
	if (i == REPORT_NAMES)
		i--;
	else if (i == names->n)
		snprintf(v[names->n++].name, sizeof(v->name), "%s", name);
	v[i].n += times;
}

/* Counts the flag "name=WORD", if it is there. */
static void
count_word(struct report_names *names, const char *flags, const char *name, size_t times)
{
	const char *p = strstr(flags, name);
	char word[40];

	if (p == NULL)
		return;
	p += strlen(name);
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(p, ","), p);
	count_names(names, word, times);
}

/* A figure without a number is one. */
static void
add_counts(struct report *v, const struct metric *m)
{
	for (size_t i = 0; i < N_REPORT_COUNTS; i++) {
		double n = has_flag(m->flags, counts[i].flag) ? 1
		    : flag_number(m->flags, counts[i].flag);

		if (n > 0 && n < 1e12)
			v->n_of[i] += (int64_t)n;
	}
}

static int
add_search(void *arg, const struct metric *m)
{
	struct report *v = arg;
	bool vectors = has_flag(m->flags, "vectors");

	add_counts(v, m);
	if (strcmp(m->path, METRIC_JOB) == 0) {
		double n = flag_number(m->flags, counts[REPORT_PRUNED_FACTS].flag);

		count_word(&v->failed, m->flags, "stage=", 1);
		count_word(&v->policies, m->flags, "policy=", n > 0 ? (size_t)n : 0);
		return 0;
	}
	add_number(m->flags, "sim", &v->sim_sum, &v->n_sim);
	add_number(m->flags, "used", &v->used_sum, &v->n_used);
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
	count_names(&v->paths, m->path, 1);
	count_names(&v->programs, m->program, 1);
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
	stats_searches_release(&v->all);
}

/* ---- lines ---- */

ORDER_DOWN_TEXT(most_first, struct report_name, n, name)

/* n_all is what counts are divided by to give shares; 0: give the counts. */
static int
put_names(struct report_names *names, const char *prefix, size_t n_all, stats_fn *fn, void *arg)
{
	int rc = 0;

	qsort(names->items, names->n, sizeof(names->items[0]), most_first);
	for (size_t i = 0; i < names->n && rc == 0; i++) {
		char name[80];
		struct stats_line l = { name,
			(double)names->items[i].n / (double)MAX(n_all, 1), TIME_NONE,
			n_all > 0 ? "share" : "count" };

		snprintf(name, sizeof(name), "%s.%s", prefix, names->items[i].name);
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
	return rc != 0 || (rc = put_names(&v->paths, "searches.path", v->all.n, fn, arg)) != 0 ||
	    (rc = put_names(&v->programs, "searches.of", 0, fn, arg)) != 0
	    ? rc
	    : put_names(&v->failed, "searches.failed", 0, fn, arg);
}

static int
put_counts(struct report *v, stats_fn *fn, void *arg)
{
	int rc = 0;

	for (size_t i = 0; i < N_REPORT_COUNTS && rc == 0; i++) {
		const struct stats_line l = { counts[i].name, (double)v->n_of[i], TIME_NONE,
			counts[i].unit };

		rc = v->n_of[i] > 0 ? fn(arg, &l) : 0;
	}
	return rc != 0 ? rc : put_names(&v->policies, "pruned.facts", 0, fn, arg);
}

struct relay { stats_fn *fn; void *arg; bool stop; };

static int
relay_line(void *arg, const struct stats_line *l)
{
	struct relay *r = arg;

	r->stop = r->fn(r->arg, l) != 0;
	return r->stop;
}

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
	LOCAL(report) v = { .n_none = 0 };
	struct relay r = { fn, arg, false };
	int rc = report_read(s, who, since_us, &v, err);

	if (rc == 0)
		r.stop = fn(arg, &since) != 0 || put_searches(&v, fn, arg) != 0 ||
		    put_counts(&v, fn, arg) != 0;
	if (rc == 0 && !r.stop)
		rc = given_each(s, who, since_us, relay_line, &r, err);
	if (rc == 0 && !r.stop)
		rc = store_grown(s, who, since_us, relay_stat, &r, err);
	if (r.stop)
		return 0;
	return rc == 0 ? calls_figures(s, who, since_us, fn, arg, err) : -1;
}
