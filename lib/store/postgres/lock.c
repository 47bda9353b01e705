/*
 * lock.c: locks over more than a transaction. A transaction on a connection of its own has them,
 * which does nothing else: it ends when they are released, or with the program. So they need no
 * session, which a pooler would not give, and they are free at once when their holder dies. Such a
 * transaction keeps no old rows alive, as it has read and written none.
 */
#include "store/postgres/postgres.h"

#include "base/alloc.h"

/* The connection for locks, in a transaction. */
static struct db *
beside(struct db *d, struct err *err)
{
	struct db *b = d->beside;

	if (b == NULL) {
		b = d->beside = xcalloc(1, sizeof(*b));
		b->driver = d->driver;
		b->path = xstrdup(d->path);
		b->pooled = d->pooled;
		b->lost = true;
	}
	if (b->lost) {
		b->n_held = 0;
		if (pg_connect_again(b, err) < 0)
			return NULL;
	}
	if (b->n_held > 0)
		return b;
	pg_order_begin(b, false);
	pg_order(b, "lock", "SELECT set_config('idle_in_transaction_session_timeout', '0', true)",
	    0, NULL);
	return b;
}

static void
end(struct db *b)
{
	struct err ignored = ERR_INIT;

	b->n_held = 0;
	if (b->lost)
		return;
	pg_order(b, "unlock", "ROLLBACK", 0, NULL);
	pg_sync(b, &ignored);
}

/* Takes a lock by a statement that gives a row when it has it. 0: it has not; -1: error. */
static int
take(struct db *d, const char *sql, int n, const char *const *values, struct err *err)
{
	struct db *b = beside(d, err);
	struct pg_result *r;
	int got = -1;

	if (b == NULL)
		return -1;
	if ((r = pg_ask(b, "lock", sql, n, values, err)) != NULL)
		got = pq.ntuples(r);
	pq.clear(r);
	if (got > 0)
		b->n_held++;
	else if (b->n_held == 0 || got < 0)
		end(b);
	return got;
}

static void
release(struct db *d)
{
	/* what is released before the last goes with it */
	if (d->beside != NULL && d->beside->n_held > 0 && --d->beside->n_held == 0)
		end(d->beside);
}

int
postgres_lock(struct db *d, bool wait, struct err *err)
{
	int got = 1;

	if (d->lock_depth == 0)
		got = take(d, wait ? "SELECT pg_advisory_xact_lock(" STORE_LOCK ")"
		    : "SELECT 1 WHERE pg_try_advisory_xact_lock(" STORE_LOCK ")", 0, NULL, err);
	if (got > 0)
		d->lock_depth++;
	else if (got == 0)
		err_set(err, ERR_BUSY, "store is busy, try again: '%s'", d->path);
	return got > 0 ? 0 : -1;
}

int
pg_lock_check(struct db *d, struct err *err)
{
	struct pg_result *r = pg_ask(d->beside, "lock", "SELECT 1", 0, NULL, err);

	if (r == NULL)
		return -1;
	pq.clear(r);
	return 0;
}

void
postgres_unlock(struct db *d)
{
	if (d->lock_depth > 0 && --d->lock_depth == 0)
		release(d);
}

int
postgres_hold(struct store *s, uint64_t key, bool *taken, struct err *err)
{
	char text[32];
	const char *values[] = { text };

	snprintf(text, sizeof(text), "%lld", (long long)key);
	int got = take(s->db, "SELECT 1 WHERE pg_try_advisory_xact_lock(" HOLD_LOCK ")", 1, values,
	    err);
	*taken = got > 0;
	return got < 0 ? -1 : 0;
}

void
postgres_let_go(struct store *s, uint64_t key)
{
	(void)key;
	release(s->db);
}
