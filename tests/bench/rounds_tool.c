/*
 * rounds_tool.c: what a question reads of the store: how many statements, and in how many rounds
 * if those that are declared together (store/db.h) were one. The answers are the same either way,
 * or it stops.
 *
 *	rounds_tool DB STRATEGY QUESTIONS     questions of a file, one a line; the median and the most of each figure
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/hash.h"
#include "search/search.h"
#include "store/sql/handle.h"

#define QUESTIONS_MAX 1000

static struct err err = ERR_INIT;

static void
must(int rc, const char *what)
{
	if (rc >= 0)
		return;
	fprintf(stderr, "rounds_tool: %s: %s\n", what, err.msg);
	exit(1);
}

static int
by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void
put(const char *what, int64_t *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_number);
	printf("%s: median %lld, most %lld\n", what, (long long)v[n / 2], (long long)v[n - 1]);
}

/*
 * By a handle of its own, as by a program of its own: nothing is remembered. *hits: a hash of
 * what was found.
 */
static struct db_reads
ask(const char *path, const struct search_query *q, bool gather, uint64_t *hits)
{
	struct scope who = { "default", NULL, NULL, NULL };
	struct search_result r;
	struct db_reads reads;
	struct search *search;
	struct store *s;

	must(store_open(path, STORE_READ, &s, &err), path);
	db_count_reads(s->db, gather, &reads);
	must(search_open(s, &search, &err), "search");
	must(search_run(search, &who, q, &r, &err), q->text);
	*hits = 0;
	for (size_t i = 0; i < r.n; i++)
		*hits = hash64(&r.hits[i].score, sizeof(r.hits[i].score),
		    hash64_mix(*hits ^ (uint64_t)r.hits[i].row));
	search_close(search);
	store_close(s);
	return reads;
}

int
main(int argc, char **argv)
{
	static int64_t n_statements[QUESTIONS_MAX], n_rounds[QUESTIONS_MAX],
	    n_unused[QUESTIONS_MAX];
	uint64_t hits[2];
	char line[4096];
	size_t n = 0;
	FILE *in;

	if (argc != 4 || (in = fopen(argv[3], "r")) == NULL) {
		fprintf(stderr, "usage: rounds_tool DB STRATEGY QUESTIONS\n");
		return 64;
	}
	must(conf_load(&err), "settings");
	while (n < QUESTIONS_MAX && fgets(line, sizeof(line), in) != NULL) {
		struct search_query q = {
			.text = line, .len = strcspn(line, "\n"), .strategy = argv[2], .limit = 10,
			.filter = MESSAGE_FILTER_ANY, .now_us = clock_now_us() };
		struct db_reads gathered = ask(argv[1], &q, true, &hits[0]);
		n_statements[n] = ask(argv[1], &q, false, &hits[1]).n_statements;
		if (hits[0] != hits[1]) {
			fprintf(stderr, "rounds_tool: other hits when reads are declared: %s",
			    line);
			return 1;
		}
		n_rounds[n] = gathered.n_rounds;
		n_unused[n++] = gathered.n_unused;
	}
	if (n == 0)
		return 1;
	put("statements", n_statements, n);
	put("rounds", n_rounds, n);
	put("declared and not read", n_unused, n);
	return 0;
}
