/*
 * transaction.c: transactions. Writers queue for one lock of the store, which they hold until the
 * transaction ends, so a writer sees all that the writer before it has committed. PostgreSQL's
 * queue is fair, and lock_timeout ends a wait.
 *
 * When the connection breaks at COMMIT, nobody knows whether it was carried out, and it may still
 * be under way. So each transaction puts a row with a name of its own into txn. On a new connection
 * the same row is put again: the server waits for the first transaction's end, and then refuses the
 * row if that has committed. Nothing is repeated and nothing is lost.
 */
#include "store/postgres/postgres.h"

#include <time.h>

#include "base/clock.h"
#include "base/conf.h"

#define TRIES   3                              /* connections that are tried for one transaction */
#define LOCK_ID "1835363633, 'meta'::regclass::oid::int"       /* "mem1", and which store */

/* ---- writing ---- */

/* The setting "wait" as PostgreSQL takes it, where 0 means no limit. */
static void
order_wait(struct db *d, bool lasts, bool durable)
{
	char ms[32];
	const char *values[] = { ms, durable ? "on" : "off" };

	snprintf(ms, sizeof(ms), "%.0fms", MAX(conf_real("wait") * 1000, 1));
	pg_order(d, "begin",
	    lasts ? "SELECT set_config('lock_timeout', $1, false), $2::text"
		  : "SELECT set_config('lock_timeout', $1, true), "
		    "set_config('synchronous_commit', $2, true)",
	    2, values);
}

/* Makes a lost connection again, before the first statement of a transaction. */
static int
connect_again(struct db *d, struct err *err)
{
	return d->lost ? pg_connect(d, err) : 0;
}

static int
begin_once(struct db *d, struct err *err)
{
	struct pg_result *r;

	if (connect_again(d, err) < 0)
		return -1;
	pg_order(d, "begin", "BEGIN", 0, NULL);
	order_wait(d, false, strcmp(conf_text("sync"), "normal") != 0);
	pg_order(d, "begin", "SELECT pg_advisory_xact_lock(" LOCK_ID ")", 0, NULL);
	pg_order(d, "begin", "DELETE FROM txn WHERE made < now() - interval '1 day'", 0, NULL);
	r = pg_ask(d, "begin", "INSERT INTO txn DEFAULT VALUES RETURNING token::text", 0, NULL,
	    err);
	if (r == NULL)
		return -1;
	snprintf(d->token, sizeof(d->token), "%s", pq.getvalue(r, 0, 0));
	pq.clear(r);
	return 0;
}

int
postgres_begin(struct db *d, struct err *err)
{
	int rc = -1;

	d->failed.code = 0;
	for (int i = 0; rc < 0 && i < TRIES; i++) {
		err_clear(err);
		if ((rc = begin_once(d, err)) < 0 && !d->lost)
			break;
	}
	if (rc == 0)
		d->now = WRITING;
	else
		postgres_rollback(d);
	return rc;
}

/* After a COMMIT without an answer: 0: it was carried out. */
static int
find_out(struct db *d, struct err *err)
{
	const char *values[] = { d->token };
	int64_t until = clock_mono_us() + (int64_t)(conf_real("wait") * US_PER_S);
	const struct timespec pause = { 0, 100000000 };
	struct err why = ERR_INIT;
	struct pg_result *r;
	int rc;

	while ((rc = pg_connect(d, &why)) < 0 && clock_mono_us() < until)
		nanosleep(&pause, NULL);
	if (rc == 0) {
		pg_order(d, "commit", "BEGIN", 0, NULL);
		order_wait(d, false, false);
		r = pg_ask(d, "commit", "INSERT INTO txn (token) VALUES ($1::uuid) RETURNING 1", 1,
		    values, &why);
		if (r == NULL && strcmp(d->state, "23505") == 0) {
			postgres_rollback(d);
			return 0;
		}
		pq.clear(r);
		postgres_rollback(d);
		if (r != NULL)
			return err_set(err, ERR_BUSY,
			    "commit: the connection was lost and nothing was stored, try again: "
			    "'%s'", d->shown);
	}
	return err_set(err, ERR_BUSY,
	    "commit: the connection was lost, and whether it was stored cannot be asked (%s); "
	    "storing it again does no harm: '%s'", why.msg, d->shown);
}

static int
commit(struct db *d, struct err *err)
{
	int rc;

	if (d->failed.code != 0)
		return err_set(err, d->failed.code, "%s", d->failed.msg);
	pg_order(d, "commit", "COMMIT", 0, NULL);
	if (d->n_sent > 0)
		d->sent[d->n_sent - 1].kind = SENT_COMMIT;
	rc = pg_sync(d, err);
	if (rc < 0 && d->lost && *d->token != '\0') {
		err_clear(err);
		rc = find_out(d, err);
	}
	if (rc == 0) {
		pg_forget(d);
		d->now = NO_TRANSACTION;
		*d->token = '\0';
	}
	return rc;
}

int
postgres_commit(struct db *d, struct err *err)
{
	return commit(d, err);
}

void
postgres_rollback(struct db *d)
{
	struct err ignored = ERR_INIT;

	for (size_t i = 0; i < d->n_stmts; i++)
		db_reset(d->stmts[i]);
	pg_forget(d);
	pg_batch_drop(d);
	if (!d->lost) {
		/* an earlier statement that fails would stop it if it was in the same round */
		pg_sync(d, &ignored);
		pg_order(d, "rollback", "ROLLBACK", 0, NULL);
		pg_sync(d, &ignored);
	}
	d->now = NO_TRANSACTION;
	d->failed.code = 0;
	*d->token = '\0';
}

/* A short transaction: a program that only reads does not wait for the disk. */
int
postgres_short_begin(struct db *d, bool wait, struct err *err)
{
	struct pg_result *r;
	bool got;

	if (d->now != NO_TRANSACTION)
		return err_set(err, ERR_BUG, "a short transaction inside another");
	if (d->read_only)
		return err_set(err, ERR_PERM, "store cannot be written: '%s'", d->shown);
	if (connect_again(d, err) < 0)
		return -1;
	d->failed.code = 0;
	pg_order(d, "begin", "BEGIN", 0, NULL);
	order_wait(d, false, d->mode != STORE_READ);
	r = pg_ask(d, "begin",
	    wait ? "SELECT true FROM (SELECT pg_advisory_xact_lock(" LOCK_ID ")) l"
		 : "SELECT pg_try_advisory_xact_lock(" LOCK_ID ")", 0, NULL, err);
	got = r != NULL && *pq.getvalue(r, 0, 0) != 0;
	if (r != NULL && !got)
		err_set(err, ERR_BUSY, "store is busy, try again: '%s'", d->shown);
	pq.clear(r);
	if (got)
		d->now = WRITING_SHORT;
	else
		postgres_rollback(d);
	return got ? 0 : -1;
}

int
postgres_short_end(struct db *d, int rc, struct err *err)
{
	if (rc == 0)
		rc = commit(d, err);
	if (rc != 0)
		postgres_rollback(d);
	return rc == 0 ? 0 : -1;
}

/* ---- reading ---- */

int
pg_snapshot_again(struct db *d, struct err *err)
{
	if (connect_again(d, err) < 0)
		return -1;
	pg_order(d, "read", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", 0, NULL);
	pq.clear(d->seen.result);
	d->seen.result = NULL;
	pg_order(d, "read", "SELECT pg_current_snapshot()::text", 0, NULL);
	if (d->n_sent > 0)
		d->sent[d->n_sent - 1].rows = &d->seen;
	return 0;
}

int
postgres_snapshot(struct db *d, struct err *err)
{
	if (d->now != NO_TRANSACTION)
		return err_set(err, ERR_BUG, "a snapshot inside a transaction");
	if (pg_snapshot_again(d, err) < 0)
		return -1;
	d->now = READING;
	d->has_read = false;
	d->failed.code = 0;
	return 0;
}

void
postgres_snapshot_end(struct db *d)
{
	for (size_t i = 0; i < d->n_stmts; i++)
		db_reset(d->stmts[i]);
	pg_forget(d);
	if (d->now == READING && !d->lost) {
		/* its answer comes with that of the next round */
		pg_order(d, "read", "COMMIT", 0, NULL);
		pq.flush(d->conn);
	}
	d->now = NO_TRANSACTION;
}

bool
postgres_has_snapshot(const struct db *d)
{
	return d->now != NO_TRANSACTION;
}

/* ---- the lock over more than a transaction ---- */

int
postgres_lock(struct db *d, bool wait, struct err *err)
{
	struct pg_result *r;
	bool got;

	if (d->lock_depth > 0) {
		d->lock_depth++;
		return 0;
	}
	if (connect_again(d, err) < 0)
		return -1;
	order_wait(d, true, true);
	r = pg_ask(d, "lock",
	    wait ? "SELECT true FROM (SELECT pg_advisory_lock(" LOCK_ID ")) l"
		 : "SELECT pg_try_advisory_lock(" LOCK_ID ")", 0, NULL, err);
	got = r != NULL && *pq.getvalue(r, 0, 0) != 0;
	if (r != NULL && !got)
		err_set(err, ERR_BUSY, "store is busy, try again: '%s'", d->shown);
	pq.clear(r);
	d->lock_depth = got;
	return got ? 0 : -1;
}

void
postgres_unlock(struct db *d)
{
	struct err ignored = ERR_INIT;

	if (d->lock_depth == 0 || --d->lock_depth > 0 || d->lost)
		return;
	pg_order(d, "unlock", "SELECT pg_advisory_unlock(" LOCK_ID ")", 0, NULL);
	pg_sync(d, &ignored);
}

/* Those who wait are only told that the store is busy. */
void
postgres_lock_note(struct db *d, const char *doing)
{
	(void)d;
	(void)doing;
}

/* The key of a piece of work, made different for each store in a database. */
#define HOLD_ID "$1::bigint # ('meta'::regclass::oid::bigint << 32)"

int
postgres_hold(struct store *s, uint64_t key, bool *taken, struct err *err)
{
	struct db *d = s->db;
	char text[32];
	const char *values[] = { text };
	struct pg_result *r;

	*taken = false;
	if (connect_again(d, err) < 0)
		return -1;
	snprintf(text, sizeof(text), "%lld", (long long)key);
	r = pg_ask(d, "lock", "SELECT pg_try_advisory_lock(" HOLD_ID ")", 1, values, err);
	*taken = r != NULL && *pq.getvalue(r, 0, 0) != 0;
	pq.clear(r);
	return r == NULL ? -1 : 0;
}

void
postgres_let_go(struct store *s, uint64_t key)
{
	struct err ignored = ERR_INIT;
	char text[32];
	const char *values[] = { text };

	snprintf(text, sizeof(text), "%lld", (long long)key);
	pg_order(s->db, "unlock", "SELECT pg_advisory_unlock(" HOLD_ID ")", 1, values);
	pg_sync(s->db, &ignored);
}
