/*
 * transaction.c: transactions and checkpoints: the second half of the store protocol.
 *
 * SQLite 3.7.0 to 3.51.2 can corrupt a WAL database when a checkpoint races with a writer that resets the log (sqlite.org/wal.html, "WAL-reset bug").
 * So no connection of ours ever checkpoints by itself (wal_autocheckpoint 0), and every write transaction and every checkpoint
 * runs under flock(LOCK_EX) on FILE.lock. The kernel's queue is fair, where SQLite's busy handler starves writers for seconds.
 */
#include "store/sqlite/db.h"

#include "base/clock.h"
#include "base/conf.h"
#include "store/sqlite/lock.h"

#define WAL_PAGES_MAX      1000            /* the log is copied into the file when it is longer */
#define WAL_PAGES_SEARCHED 250             /* and when searches alone have written it: who opens the store first reads it all, 2 us a page */
#define READERS_BUSY_MS    50              /* a checkpoint waits no longer for readers */

int
store_begin(struct store *s, struct err *err)
{
	sqlite3_stmt *q;

	if (lock_take(s, true, err) < 0)
		return -1;
	db_reset_all(s);
	if ((q = db_stmt(s, STMT_BEGIN, err)) == NULL || db_done(s, q, err, "begin") < 0) {
		lock_drop(s);
		return -1;
	}
	s->writing = true;
	if (db_check_features(s, err) < 0 || writer_open(s, err) < 0) {
		store_rollback(s);
		return -1;
	}
	return 0;
}

/* Under the lock. Readers in the way are not waited for long, busy_ms: the next one tries again. */
static int
checkpoint(struct store *s, int how, int busy_ms, struct err *err)
{
	int rc;

	sqlite3_busy_timeout(s->db, busy_ms);
	rc = sqlite3_wal_checkpoint_v2(s->db, NULL, how, NULL, NULL);
	sqlite3_busy_timeout(s->db, DB_BUSY_MS);
	if (rc == SQLITE_OK)
		s->n_wal_pages = 0;
	if (rc == SQLITE_OK || (rc & 0xff) == SQLITE_BUSY)
		return 0;
	return db_fail(s, err, "checkpoint");
}

/*
 * Under the lock. A failure takes nothing back and is not told. A writer goes on with the log from its start, and removes it when it closes last. A reader leaves it
 * as it is when it closes, and that it could be overwritten is written nowhere but in the shared memory, which goes with the last process: so a reader cuts it, and
 * waits for nobody.
 */
static void
checkpoint_if_long(struct store *s)
{
	struct err ignored = ERR_INIT;

	if (s->mode == STORE_READ && s->n_wal_pages > WAL_PAGES_SEARCHED)
		checkpoint(s, SQLITE_CHECKPOINT_TRUNCATE, 0, &ignored);
	else if (s->n_wal_pages > WAL_PAGES_MAX)
		checkpoint(s, SQLITE_CHECKPOINT_RESTART, READERS_BUSY_MS, &ignored);
}

int
store_commit(struct store *s, struct err *err)
{
	sqlite3_stmt *q;

	if (writer_flush(s, err) < 0 || (q = db_stmt(s, STMT_COMMIT, err)) == NULL || db_done(s, q, err, "commit") < 0) {
		store_rollback(s);
		return -1;
	}
	db_reset_all(s);
	writer_close(s);
	s->writing = false;
	s->n_commits++;
	checkpoint_if_long(s);
	lock_drop(s);
	return 0;
}

void
store_rollback(struct store *s)
{
	if (!s->writing)
		return;
	writer_close(s);
	sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	s->writing = false;
	lock_drop(s);
}

int
store_snapshot(struct store *s, struct err *err)
{
	db_reset_all(s);
	return db_exec(s, "BEGIN", err, "read");
}

void
store_snapshot_end(struct store *s)
{
	db_reset_all(s);
	if (!sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

/* The handle is as it was before. */
static void
end_short(struct store *s)
{
	if (s->mode == STORE_READ)
		sqlite3_exec(s->db, "PRAGMA query_only = ON", NULL, NULL, NULL);
	sqlite3_busy_timeout(s->db, DB_BUSY_MS);
	lock_drop(s);
}

int
db_short_begin(struct store *s, bool wait, struct err *err)
{
	if (s->writing)
		return err_set(err, ERR_BUG, "a short transaction inside another");
	if (s->read_only)
		return err_set(err, ERR_PERM, "store cannot be written: '%s'", s->path);
	if (lock_take(s, wait, err) < 0)
		return -1;
	db_reset_all(s);
	if (!wait)
		sqlite3_busy_timeout(s->db, 0);
	if ((s->mode != STORE_READ || db_exec(s, "PRAGMA query_only = OFF", err, "begin") == 0) && db_exec(s, "BEGIN IMMEDIATE", err, "begin") == 0)
		return 0;
	end_short(s);
	return -1;
}

int
db_short_end(struct store *s, int rc, struct err *err)
{
	if (rc == 0)
		rc = db_exec(s, "COMMIT", err, "commit");
	if (rc != 0)
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	else
		checkpoint_if_long(s);
	end_short(s);
	return rc == 0 ? 0 : -1;
}

int
store_checkpoint(struct store *s, struct err *err)
{
	int rc;

	if (lock_take(s, true, err) < 0)
		return -1;
	db_reset_all(s);
	rc = checkpoint(s, SQLITE_CHECKPOINT_TRUNCATE, READERS_BUSY_MS, err);
	lock_drop(s);
	return rc;
}

int
store_settle(struct store *s, struct err *err)
{
	int64_t until = clock_mono_us() + (int64_t)(conf_real("wait") * US_PER_S);
	int rc;

	if (lock_take(s, true, err) < 0)
		return -1;
	db_reset_all(s);
	sqlite3_busy_timeout(s->db, READERS_BUSY_MS);
	do
		rc = sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	while ((rc & 0xff) == SQLITE_BUSY && clock_mono_us() < until);
	sqlite3_busy_timeout(s->db, DB_BUSY_MS);
	lock_drop(s);
	if ((rc & 0xff) == SQLITE_BUSY)
		return err_set(err, ERR_BUSY, "somebody still reads what was there: '%s'", s->path);
	return rc == SQLITE_OK ? 0 : db_fail(s, err, "checkpoint");
}
