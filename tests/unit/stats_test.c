/*
 * stats_test.c: percentiles by nearest rank, and the figures of searches. The expected values are
 * by hand.
 */
#include <math.h>

#include "report/stats.h"
#include "tap.h"

static struct stats_line got[64];
static char names[64][40];
static size_t n_got;

static int
keep(void *arg, const struct stats_line *l)
{
	(void)arg;
	got[n_got] = *l;
	snprintf(names[n_got], sizeof(names[0]), "%s", l->name);
	return ++n_got == NELEM(got);
}

static const struct stats_line *
line(const char *name)
{
	size_t i;

	for (i = 0; i < n_got; i++)
		if (strcmp(names[i], name) == 0)
			return &got[i];
	return NULL;
}

static void
test_percentile(void)
{
	uint32_t hundred[100], three[] = { 30, 10, 20 }, one[] = { 7 };
	int i;

	for (i = 0; i < 100; i++)
		hundred[i] = (uint32_t)(100 - i);
	is_int(stats_percentile(hundred, 100, 50), 50, "p50 of 1 to 100");
	is_int(stats_percentile(hundred, 100, 95), 95, "p95");
	is_int(stats_percentile(hundred, 100, 99), 99, "p99");
	is_int(stats_percentile(hundred, 100, 100), 100, "p100");
	is_int(stats_percentile(hundred, 100, .5), 1, "p0.5");
	is_int(stats_percentile(three, 3, 50), 20, "the middle of three");
	is_int(stats_percentile(three, 3, 34), 20, "just over a third");
	is_int(stats_percentile(three, 3, 33), 10, "just under a third");
	is_int(stats_percentile(one, 1, 50), 7, "of one");
}

static void
test_searches(void)
{
	struct stats_searches v;
	struct metric m;
	int i;

	memset(&v, 0, sizeof(v));
	n_got = 0;
	stats_searches_each(&v, keep, NULL);
	is_int(n_got, 3, "no searches: three lines");
	ok(line("searches")->value == 0, "none");
	ok(isnan(line("searches.with_hits")->value) && isnan(line("searches.hits_mean")->value),
	    "no share and no mean of none");

	for (i = 1; i <= 4; i++) {
		memset(&m, 0, sizeof(m));
		m.n_hits = i == 1 ? 0 : 10;
		m.us_text = 1000 * i;
		/* over 32 bits of microseconds: an hour and more */
		m.us_all = i == 4 ? 9000000000ll : 2500 * i;
		stats_add(&v, &m);
	}
	n_got = 0;
	stats_searches_each(&v, keep, NULL);
	ok(line("searches")->value == 4, "four");
	ok(line("searches.with_hits")->value == .75, "three of four found something");
	ok(line("searches.hits_mean")->value == 7.5, "30 hits in 4 searches");
	ok(line("searches.text.p50")->value == 2, "p50 of 1, 2, 3, 4 ms");
	ok(line("searches.text.p95")->value == 4, "p95");
	ok(line("searches.all.p50")->value == 5, "of the whole");
	ok(line("searches.all.p99")->value == 4294967.295, "what does not fit is cut");
	ok(line("searches.vectors.p50") == NULL, "a stage that no search had is left out");
	is_int(n_got, 3 + 3 + 3, "no other lines");
	is_str(line("searches.text.p50")->unit, "ms", "unit");
	stats_searches_release(&v);
}

int
main(void)
{
	test_percentile();
	test_searches();
	return tap_done();
}
