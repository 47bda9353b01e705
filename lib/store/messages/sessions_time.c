/*
 * sessions_time.c: numbers of sessions by time, a page at a time from the index session_time.
 *
 * A page begins behind the last one: first what is left of the same time, then what has another.
 * These are two statements, because the database finds the place in the index for each of them, and
 * not for both in one: a million sessions without a time would be walked from the first for every
 * page.
 */
#include "store/messages/read.h"

void
sessions_walk_init(struct sessions_walk *w, int64_t user, bool newest_first, int64_t from_us)
{
	*w = (struct sessions_walk){ .user = user,
		.newest_first = newest_first,
		.time_us = from_us,
		.id = newest_first ? INT64_MAX : -1 };
}

/* Appends to the page; at most as much as there is room for. */
static int
read_ids(struct store *s, struct sessions_walk *w, enum stmt which, struct err *err)
{
	struct db_stmt *q = stmt_start(s, which, ARGS(w->user, w->time_us, w->id,
	    NELEM(w->ids) - w->n), err);
	int got;

	while ((got = db_row(q, err)) > 0) {
		w->ids[w->n] = db_column_int(q, 0);
		w->times_us[w->n++] = db_column_int(q, 1);
	}
	return got;
}

/* In a damaged index a page may lie before the one before it: the walk would never end. */
static int
check_order(struct store *s, const struct sessions_walk *w, struct err *err)
{
	int64_t time_us = w->time_us, id = w->id;

	for (size_t i = 0; i < w->n; i++) {
		bool later =
		    w->times_us[i] > time_us || (w->times_us[i] == time_us && w->ids[i] > id);
		bool same = w->times_us[i] == time_us && w->ids[i] == id;
		if (same || later == w->newest_first)
			return db_goes_on(s, 0, 0, err);
		time_us = w->times_us[i];
		id = w->ids[i];
	}
	return 0;
}

int
sessions_walk_next(struct store *s, struct sessions_walk *w, struct err *err)
{
	w->n = 0;
	if (read_ids(s, w, w->newest_first ? STMT_SESSIONS_SAME_DOWN : STMT_SESSIONS_SAME_UP, err) <
		0 ||
	    (w->n < NELEM(w->ids) &&
		read_ids(s, w, w->newest_first ? STMT_SESSIONS_TIME_DOWN : STMT_SESSIONS_TIME_UP,
		    err) < 0) ||
	    check_order(s, w, err) < 0)
		return -1;
	if (w->n == 0)
		return 0;
	w->time_us = w->times_us[w->n - 1];
	w->id = w->ids[w->n - 1];
	return 1;
}
