/*
 * far.h: a store in a file that says it is far away: what is declared to it is what a server would
 * fetch in one round, so it is counted how many rounds there would be. Declarations are told apart
 * by the statement's text with its parameters in it: one that is run otherwise than it was declared
 * is a round of its own.
 */
#pragma once

#include "base/alloc.h"
#include "base/hash.h"
#include "store/sqlite/sqlite.h"

struct far_reads {
	int64_t n_statements, n_rounds;
	int64_t n_unused;                      /* declared and not run when the snapshot ended */
};

struct declared { uint64_t hash; enum { WANTED = 1, FETCHED, USED } state; };

static struct { struct far_reads *to; struct declared *items; size_t n, cap; } far;
static struct db_driver far_driver;

static struct declared *
far_find(sqlite3_stmt *q, uint64_t *hash)
{
	char *text = sqlite3_expanded_sql(q);

	*hash = hash64(text, strlen(text), 0);
	sqlite3_free(text);
	for (size_t i = 0; i < far.n; i++)
		if (far.items[i].hash == *hash)
			return &far.items[i];
	return NULL;
}

static bool
far_gathers(const struct db *d)
{
	(void)d;
	return true;
}

static void
far_want(struct db_stmt *q)
{
	uint64_t hash;

	if (far_find(q->q, &hash) != NULL)
		return;
	xgrow(&far.items, &far.cap, far.n + 1, sizeof(*far.items));
	far.items[far.n++] = (struct declared){ hash, WANTED };
}

static int
far_fetch(struct db *d, struct err *e)
{
	(void)d;
	(void)e;
	return 0;
}

static void
far_drop(struct db *d)
{
	(void)d;
}

/* q is about to be run. */
static void
far_note(struct db_stmt *q)
{
	struct declared *it;
	uint64_t hash;

	if (sqlite3_stmt_busy(q->q) || !sqlite3_stmt_readonly(q->q) ||
	    sqlite3_column_count(q->q) == 0)
		return;
	far.to->n_statements++;
	it = far_find(q->q, &hash);
	if (it == NULL || it->state == WANTED) {
		far.to->n_rounds++;
		for (size_t i = 0; i < far.n; i++)
			if (far.items[i].state == WANTED)
				far.items[i].state = FETCHED;
	}
	if (it != NULL)
		it->state = USED;
}

static int
far_row(struct db_stmt *q, struct err *e)
{
	far_note(q);
	return file_driver.row(q, e);
}

static int
far_done(struct db_stmt *q, struct err *e)
{
	far_note(q);
	return file_driver.done(q, e);
}

static struct db_stmt *
far_prepare(struct db *d, int which, const char *text, const char *what, struct err *e)
{
	struct db_stmt *q = file_driver.prepare(d, which, text, what, e);

	if (q != NULL)
		q->driver = &far_driver;
	return q;
}

static void
far_snapshot_end(struct db *d)
{
	file_driver.snapshot_end(d);
	for (size_t i = 0; i < far.n; i++)
		far.to->n_unused += far.items[i].state != USED;
	far.n = 0;
}

/* The open store s counts into *to from now on; it is as one at hand if it is not far. */
static void
far_count(struct store *s, bool is_far, struct far_reads *to)
{
	static const struct db_ahead ahead = { far_gathers, far_want, far_fetch, far_drop };

	far_driver = file_driver;
	far_driver.prepare = far_prepare;
	far_driver.row = far_row;
	far_driver.done = far_done;
	far_driver.snapshot_end = far_snapshot_end;
	far_driver.ahead = is_far ? &ahead : NULL;
	s->db->driver = &far_driver;
	for (size_t i = 0; i < s->db->n_stmts; i++)
		s->db->stmts[i]->driver = &far_driver;
	far.to = to;
	far.n = 0;
	*to = (struct far_reads){ .n_statements = 0 };
}
