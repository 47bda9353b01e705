/*
 * transaction.c: transactions.
 *
 * Whoever writes for a user locks the user's row until the transaction ends, so he sees all that
 * the writer before him has committed; those who write for others do not wait. Before that he takes
 * the lock of the store, which they share; a transaction for all users, and one that makes a user,
 * takes it alone. Who finds a row unlocked may overtake those who wait for it; so before the row
 * there is an advisory lock, whose queue is fair. lock_timeout ends a wait. Nothing outlasts a
 * transaction, so each of them may get another connection of a pooler.
 *
 * When the connection breaks at COMMIT, nobody knows whether it was carried out, and it may still
 * be under way. So each transaction puts a row with a name of its own into txn. On a new connection
 * the same row is put again: the server waits for the first transaction's end, and then refuses the
 * row if that has committed. If it has not, all is done again (repeat.c). Nothing is stored twice
 * and nothing is lost.
 */
#include "store/postgres/postgres.h"

#include <time.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"

#define TRIES_LEAST 4
#define PAUSE_MS    100                        /* between tries to connect */
#define SWEEP_EACH  1000                       /* transactions of a process */

/* ---- writing ---- */

int64_t
pg_until(void)
{
	return clock_mono_us() + (int64_t)(conf_real("wait") * US_PER_S);
}

bool
pg_tries(int n, int64_t until)
{
	return n < TRIES_LEAST || clock_mono_us() < until;
}

int
pg_connect_again(struct db *d, struct err *err)
{
	int64_t until = pg_until();
	const struct timespec pause = { 0, PAUSE_MS * 1000000l };

	while (d->lost) {
		err_clear(err);
		/* a transaction that is rolled back would take the settings back */
		if (pg_connect(d, err) == 0 && pg_sync(d, err) == 0)
			break;
		if (err->code != ERR_UNAVAILABLE || clock_mono_us() >= until)
			return -1;
		nanosleep(&pause, NULL);
	}
	return 0;
}

void
pg_order_begin(struct db *d, bool durable)
{
	char ms[32];
	const char *values[] = { ms, durable ? "on" : "off" };

	/* for lock_timeout, 0 means no limit */
	snprintf(ms, sizeof(ms), "%.0fms", MAX(conf_real("wait") * 1000, 1));
	pg_order(d, "begin", "BEGIN", 0, NULL);
	pg_order_settings(d);
	pg_order(d, "begin", "SELECT set_config('lock_timeout', $1, true), "
	    "set_config('synchronous_commit', $2, true)", 2, values);
}

void
pg_end(struct db *d)
{
	struct err ignored = ERR_INIT;

	if (d->lost)
		return;
	/* an earlier statement that fails would stop it if it was in the same round */
	pg_sync(d, &ignored);
	pg_order(d, "rollback", "ROLLBACK", 0, NULL);
	pg_sync(d, &ignored);
}

/* Locks and names the transaction. 1: the user is not there yet. */
static int
begin_once(struct db *d, const char *user, struct err *err)
{
	struct rows found = { .n = 1 }, version = { .n = 0 };
	struct pg_result *r;
	int rc = -1;

	pg_order_begin(d, strcmp(conf_text("sync"), "normal") != 0);
	if (d->lock_depth == 0 && user == NULL)
		pg_order(d, "begin", "SELECT pg_advisory_xact_lock(" STORE_LOCK ")", 0, NULL);
	if (d->lock_depth == 0 && user != NULL) {
		pg_order(d, "begin", "SELECT pg_advisory_xact_lock_shared(" STORE_LOCK
		    "), pg_advisory_xact_lock(" USER_QUEUE ")", 1, &user);
		pg_order(d, "begin", "SELECT 1 FROM usr WHERE name = $1 FOR UPDATE", 1,
		    &user)->rows = &found;
	}
	if (d->n_begun++ % SWEEP_EACH == 0)
		pg_order(d, "begin", "DELETE FROM txn WHERE token IN (SELECT token FROM txn WHERE "
		    "made < now() - interval '1 day' FOR UPDATE SKIP LOCKED)", 0, NULL);
	/* see begin() of store/sqlite/transaction.c */
	pg_order(d, "begin", "SELECT value FROM meta WHERE name = 'version'", 0, NULL)->rows =
	    &version;
	r = pg_ask(d, "begin", "INSERT INTO txn DEFAULT VALUES RETURNING token::text", 0, NULL,
	    err);
	if (r != NULL && (version.n == 0 || store_still_known(strtoll(pq.getvalue(version.result, 0,
	    0), NULL, 10), d->path, err) == 0)) {
		snprintf(d->token, sizeof(d->token), "%s", pq.getvalue(r, 0, 0));
		rc = found.n == 0;
	}
	pq.clear(found.result);
	pq.clear(version.result);
	pq.clear(r);
	return rc;
}

int
pg_begin_again(struct db *d, struct err *err)
{
	const char *user = d->user;
	int64_t until = pg_until();
	int rc = -1;

	if (d->lock_depth > 0 && pg_lock_check(d, err) < 0)
		return -1;
	for (int i = 0; rc < 0 && pg_tries(i, until); i++) {
		if (pg_connect_again(d, err) < 0)
			return -1;
		err_clear(err);
		if ((rc = begin_once(d, user, err)) > 0) {
			pg_end(d);
			rc = begin_once(d, user = NULL, err);
		}
		if (rc < 0 && !d->lost)
			break;
	}
	return rc;
}

/* After a COMMIT without an answer: 1: it was carried out; 0: it was not and will not be. */
static int
find_out(struct db *d, struct err *err)
{
	const char *values[] = { d->token };
	enum transaction now = d->now;
	struct err why = ERR_INIT;
	struct pg_result *r = NULL;
	bool is_there = false;

	d->now = COMMITTING;                   /* what is asked is no part of the transaction */
	if (pg_connect_again(d, &why) == 0) {
		pg_order_begin(d, false);
		r = pg_ask(d, "commit", "INSERT INTO txn (token) VALUES ($1::uuid) RETURNING 1", 1,
		    values, &why);
		is_there = r == NULL && strcmp(d->state, "23505") == 0;
		pg_end(d);
	}
	d->now = now;
	if (r == NULL && !is_there)
		return err_set(err, ERR_BUSY, "commit: the connection was lost, and whether it was "
		    "stored cannot be asked (%s); storing it again does no harm: '%s'", why.msg,
		    d->path);
	pq.clear(r);
	return is_there;
}

static int
send_commit(struct db *d, struct err *err)
{
	enum transaction now = d->now;
	int rc = pg_batch_send(d, err);

	if (rc < 0)
		return -1;
	d->now = COMMITTING;
	pg_order(d, "commit", "COMMIT", 0, NULL)->kind = SENT_COMMIT;
	rc = pg_sync(d, err);
	d->now = now;
	return rc;
}

int
postgres_commit(struct db *d, struct err *err)
{
	int64_t until = pg_until();
	int rc = -1;

	if (d->failed.code != 0)
		return err_set(err, d->failed.code, "%s", d->failed.msg);
	for (int i = 0; rc < 0 && pg_tries(i, until); i++) {
		bool asked = false;

		if (i > 0 && (err_clear(err), pg_repeat(d, err) < 0)) {
			if (!pg_may_repeat(d))
				return -1;
			continue;
		}
		if ((rc = send_commit(d, err)) == 0)
			break;
		if (d->lost && *d->token != '\0') {
			err_clear(err);
			if ((rc = find_out(d, err)) < 0)
				return -1;
			asked = true;
			rc = rc == 1 ? 0 : err_set(err, ERR_BUSY, "commit: the connection was lost "
			    "and nothing was stored, try again: '%s'", d->path);
		}
		if (rc < 0 && (d->log_full || (!asked && !pg_may_repeat(d))))
			return -1;
	}
	if (rc == 0) {
		if (d->now == WRITING_SHORT)
			pg_keep_own(d);
		else
			pg_forget(d);
		pg_log_clear(d);
		d->now = NO_TRANSACTION;
		*d->token = '\0';
	}
	return rc;
}

void
postgres_rollback(struct db *d)
{
	db_reset_all(d);
	pg_forget(d);
	pg_batch_drop(d);
	d->now = NO_TRANSACTION;
	pg_end(d);
	pg_log_clear(d);
	d->failed.code = 0;
	*d->token = '\0';
}

/*
 * A short transaction: a program that only reads does not wait for the disk. It has no name and is
 * not repeated: what it would write is not worth it.
 */
static int
begin_short(struct db *d, const char *user, struct err *err)
{
	struct rows shares = { .n = 0 };
	struct pg_result *r;
	bool got;

	if (d->now != NO_TRANSACTION)
		return err_set(err, ERR_BUG, "a short transaction inside another");
	if (d->read_only)
		return err_set(err, ERR_PERM, "store cannot be written: '%s'", d->path);
	if (pg_connect_again(d, err) < 0)
		return -1;
	d->failed.code = 0;
	*d->own_xact = '\0';
	pg_order_begin(d, d->mode != STORE_READ);
	if (user == NULL) {
		r = pg_ask(d, "begin", "SELECT pg_advisory_xact_lock(" SHORT_LOCK ")", 0, NULL,
		    err);
		got = r != NULL;
	} else {
		pg_order(d, "begin", "SELECT 1 WHERE pg_try_advisory_xact_lock_shared(" STORE_LOCK
		    ")", 0, NULL)->rows = &shares;
		r = pg_ask(d, "begin", "SELECT pg_current_xact_id()::text FROM usr WHERE name = $1 "
		    "FOR UPDATE SKIP LOCKED", 1, &user, err);
		got = r != NULL && shares.n == 1 && pq.ntuples(r) == 1;
		if (got)
			snprintf(d->own_xact, sizeof(d->own_xact), "%s", pq.getvalue(r, 0, 0));
	}
	if (r != NULL && !got)
		err_set(err, ERR_BUSY, "store is busy, try again: '%s'", d->path);
	pq.clear(shares.result);
	pq.clear(r);
	if (got)
		d->now = WRITING_SHORT;
	else
		postgres_rollback(d);
	return got ? 0 : -1;
}

int
postgres_begin(struct db *d, const char *user, bool is_short, struct err *err)
{
	if (is_short)
		return begin_short(d, user, err);
	d->failed.code = 0;
	free(d->user);
	d->user = user == NULL ? NULL : xstrdup(user);
	pg_log_clear(d);
	pg_forget(d);
	if (pg_begin_again(d, err) < 0) {
		postgres_rollback(d);
		return -1;
	}
	d->now = WRITING;
	return 0;
}

/* ---- reading ---- */

int
pg_snapshot_again(struct db *d, struct err *err)
{
	if (pg_connect_again(d, err) < 0)
		return -1;
	pg_order(d, "read", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", 0, NULL);
	pg_order_settings(d);
	pq.clear(d->seen.result);
	d->seen.result = NULL;
	pg_order(d, "read", SEEN, 0, NULL)->rows = &d->seen;
	d->compared = false;
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
	struct err ignored = ERR_INIT;

	/* a statement with rows of its own may be that of somebody who began before the snapshot */
	pg_reset_kept(d);
	pg_keep(d);
	if (d->now == READING && !d->lost) {
		pg_order(d, "read", "COMMIT", 0, NULL);
		/*
		 * its answer comes with that of the next round; but a pooler lends the connection
		 * to others only when the round has ended
		 */
		if (d->pooled)
			pg_sync(d, &ignored);
		else
			pq.flush(d->conn);
	}
	d->now = NO_TRANSACTION;
}

bool
postgres_has_snapshot(const struct db *d)
{
	return d->now != NO_TRANSACTION;
}
