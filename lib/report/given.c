/*
 * given.c: the rows of metrics name what each search handed out by its row, so that is gathered,
 * sorted, and looked up once, however often it was given.
 */
#include "report/given.h"

#include "base/alloc.h"
#include "store/handed.h"
#include "store/records.h"

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

static int
by_row(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
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

int
given_each(struct store *s, const struct scope *who, int64_t since_us, stats_fn *fn, void *arg,
	struct err *err)
{
	static const char *const names[N_GIVEN] = { "given.conversations", "given.documents",
		"given.facts", "given.notes", "given.summaries", "given.code" };
	struct given g = { .s = s, .who = who, .since_us = since_us };
	struct arena a = ARENA_INIT;
	int rc = handed_each(s, who, on_answer, &g, err);

	for (int of = 0; of < 2; of++)
		if (g.n[of] > 0)
			qsort(g.rows[of], g.n[of], sizeof(*g.rows[of]), by_row);
	if (rc >= 0)
		rc = count_messages(&g, &a, err) < 0 || count_records(&g, &a, err) < 0 ? -1 : 0;
	for (size_t i = 0; i < N_GIVEN && rc == 0; i++) {
		const struct stats_line l = { names[i], (double)g.n_of[i], TIME_NONE, "count" };

		rc = g.n_of[i] > 0 ? fn(arg, &l) : 0;
	}
	free(g.rows[0]);
	free(g.rows[1]);
	arena_release(&a);
	return rc;
}
