/*
 * records_time.c: facts in the order in which they were said, which need not be that of storing, as
 * sessions are imported and extracted as they are found.
 */
#include "store/records/rows.h"

#include "base/alloc.h"
#include "base/order.h"
#include "store/sql/column.h"

#define PAGE_ROWS 64

struct timed { int64_t row, us; };
struct times { struct timed *of; size_t n, cap; };

ORDER_BY_TWO(earlier_first, struct timed, us, row)

/* Reads when the facts that pass were said, in that order. */
static int
read_times(struct store *s, const struct scope *who, const struct record_filter *f,
	struct times *t, struct err *err)
{
	struct scope_numbers n;
	struct rows_args args;
	struct db_stmt *q;
	int got;

	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	if (n.user == 0)
		return 0;
	args = rows_args(who, &n, f, user_lo(n.user), user_hi(n.user), INT64_MAX);
	q = stmt_start(s, STMT_RECORDS_TIMES, args.v, NELEM(args.v), err);
	while ((got = db_row(q, err)) > 0)
		*xpush(t->of, t->n, t->cap) =
		    (struct timed){ db_column_int(q, 0), db_column_int(q, 1) };
	if (t->n > 0)
		qsort(t->of, t->n, sizeof(*t->of), earlier_first);
	return got;
}

int
facts_by_time(struct store *s, const struct scope *who, const struct record_filter *f, fact_fn *fn,
	void *arg, struct err *err)
{
	struct times t = { .n = 0 };
	LOCAL(arena) a = ARENA_INIT;
	int rc = read_times(s, who, f, &t, err);
	size_t most = f->limit > 0 ? MIN((size_t)f->limit, t.n) : t.n;

	for (size_t from = 0, n; rc == 0 && from < most; from += n) {
		const struct fact *of[PAGE_ROWS];
		int64_t rows[PAGE_ROWS];

		n = MIN(most - from, (size_t)PAGE_ROWS);
		for (size_t i = 0; i < n; i++)
			rows[i] = t.of[f->newest_first ? t.n - 1 - from - i : from + i].row;
		arena_reset(&a);
		rc = records_by_rows(s, who, rows, n, TIME_NONE, &a, of, err);
		for (size_t i = 0; rc == 0 && i < n; i++)
			if (of[i] != NULL)
				rc = fn(arg, of[i]);
	}
	free(t.of);
	return rc < 0 ? -1 : 0;
}
