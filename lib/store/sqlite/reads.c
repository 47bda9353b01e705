/*
 * reads.c: declared reads, counted. SQLite answers in microseconds and gains nothing by hearing
 * of reads beforehand; but what is declared here is what a database far away would fetch in one
 * round, so it is counted how many rounds there would be. Declarations are told apart by the
 * statement's text with its parameters in it: one that is run otherwise than it was declared is a
 * round of its own.
 */
#include "store/sqlite/sqlite.h"

#include "base/alloc.h"
#include "base/hash.h"

enum state { WANTED = 1, FETCHED, USED };

struct declared { uint64_t hash; enum state state; };

struct reads {
	bool gather;
	struct db_reads *to;
	struct declared *items;
	size_t n, cap;
};

bool
sqlite_gathers(const struct db *d)
{
	return d->reads != NULL && d->reads->gather;
}

int
sqlite_fetch(struct db *d, struct err *err)
{
	(void)d;
	(void)err;
	return 0;
}

void
sqlite_count_reads(struct db *d, bool gather, struct db_reads *to)
{
	if (d->reads == NULL)
		d->reads = xcalloc(1, sizeof(*d->reads));
	d->reads->gather = gather;
	d->reads->to = to;
	*to = (struct db_reads){ .n_statements = 0 };
}

static uint64_t
hash_of(sqlite3_stmt *q)
{
	char *text = sqlite3_expanded_sql(q);
	uint64_t hash = text == NULL ? 0 : hash64(text, strlen(text), 0);

	sqlite3_free(text);
	return hash;
}

static struct declared *
find(struct reads *r, uint64_t hash)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->items[i].hash == hash)
			return &r->items[i];
	return NULL;
}

void
sqlite_want(struct db_stmt *q)
{
	struct db *d = q->db;

	struct reads *r = d->reads;
	uint64_t hash;

	if (!sqlite_gathers(d) || find(r, hash = hash_of(q->q)) != NULL)
		return;
	xgrow(&r->items, &r->cap, r->n + 1, sizeof(*r->items));
	r->items[r->n++] = (struct declared){ hash, WANTED };
}

void
reads_note(struct db *d, sqlite3_stmt *q)
{
	struct reads *r = d->reads;
	struct declared *it;

	if (!sqlite3_stmt_readonly(q) || sqlite3_column_count(q) == 0)
		return;
	r->to->n_statements++;
	it = find(r, hash_of(q));
	if (it == NULL || it->state == WANTED) {
		r->to->n_rounds++;
		for (size_t i = 0; i < r->n; i++)
			if (r->items[i].state == WANTED)
				r->items[i].state = FETCHED;
	}
	if (it != NULL)
		it->state = USED;
}

void
reads_forget(struct db *d)
{
	for (size_t i = 0; i < d->reads->n; i++)
		d->reads->to->n_unused += d->reads->items[i].state != USED;
	d->reads->n = 0;
}

void
reads_free(struct reads *r)
{
	if (r != NULL)
		free(r->items);
	free(r);
}
