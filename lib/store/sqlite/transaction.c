/*
 * transaction.c: transactions and checkpoints: the second half of the store protocol.
 *
 * SQLite 3.7.0 to 3.51.2 can corrupt a WAL database when a checkpoint races with a writer that
 * resets the log (sqlite.org/wal.html, "WAL-reset bug"). So no connection of ours ever checkpoints
 * by itself (wal_autocheckpoint 0), and every write transaction and every checkpoint runs under
 * flock(LOCK_EX) on FILE.lock. The kernel's queue is fair, where SQLite's busy handler starves
 * writers for seconds.
 */
#include "store/sqlite/sqlite.h"

#include "base/clock.h"
#include "base/conf.h"
#include "store/sqlite/pagesum.h"

#define WAL_PAGES_MAX      1000            /* pages; a longer log is copied into the file */
/*
 * the same if only searches have written it: the next process to open the store reads it all, 2 us
 * a page
 */
#define WAL_PAGES_SEARCHED 250
#define READERS_BUSY_MS    50              /* how long a checkpoint waits for readers */

/*
 * Under the lock: copies the log into the file. Waits for readers in the way no longer than
 * busy_ms: the next checkpoint tries again. 1: they are in the way; 0; -1.
 */
static int
checkpoint(struct db *d, int how, int busy_ms, struct err *err)
{
	sqlite3_busy_timeout(d->sqlite, busy_ms);
	int rc = sqlite3_wal_checkpoint_v2(d->sqlite, NULL, how, NULL, NULL);
	sqlite3_busy_timeout(d->sqlite, DB_BUSY_MS);
	if (rc == SQLITE_OK)
		d->n_wal_pages = 0;
	if (rc == SQLITE_OK || (rc & 0xff) == SQLITE_BUSY)
		return rc != SQLITE_OK;
	return db_fail(d, err, "checkpoint");
}

/*
 * Under the lock. A failure takes nothing back and is not told. A writer goes on with the log from
 * its start, and removes it when it closes last. A reader leaves it as it is when it closes, and
 * that it could be overwritten is written nowhere but in the shared memory, which goes with the
 * last process: so a reader cuts it, and waits for nobody.
 */
static void
checkpoint_if_long(struct db *d)
{
	struct err ignored = ERR_INIT;

	if (d->mode == STORE_READ && d->n_wal_pages > WAL_PAGES_SEARCHED)
		checkpoint(d, SQLITE_CHECKPOINT_TRUNCATE, 0, &ignored);
	else if (d->n_wal_pages > WAL_PAGES_MAX)
		checkpoint(d, SQLITE_CHECKPOINT_RESTART, READERS_BUSY_MS, &ignored);
}

/*
 * A process that runs for days (mem-mcp) is still there when mem is upgraded and the store with it:
 * each transaction looks whether the tables are those that this program knows. A page that cannot
 * be read is told by who reads it, or counts it.
 */
static int
begin(struct db *d, const char *sql, struct err *err)
{
	int version = 0;

	if (db_exec(d, sql, err, "begin") < 0)
		return -1;
	if (d->version == NULL)
		sqlite3_prepare_v2(d->sqlite, "PRAGMA user_version", -1, &d->version, NULL);
	if (d->version != NULL && sqlite3_step(d->version) == SQLITE_ROW)
		version = sqlite3_column_int(d->version, 0);
	sqlite3_reset(d->version);
	if (store_still_known(version, d->path, err) == 0)
		return 0;
	sqlite3_exec(d->sqlite, "ROLLBACK", NULL, NULL, NULL);
	return -1;
}

/* Ends a transaction that writes; after a short one the handle is as it was before. */
static void
end_writing(struct db *d)
{
	if (d->is_short && d->mode == STORE_READ)
		sqlite3_exec(d->sqlite, "PRAGMA query_only = ON", NULL, NULL, NULL);
	if (d->is_short)
		sqlite3_busy_timeout(d->sqlite, DB_BUSY_MS);
	d->is_short = false;
	db_unlock(d);
}

/* A file has one lock: whose rows are written makes no difference. */
int
sqlite_begin(struct db *d, const char *user, bool is_short, struct err *err)
{
	bool wait = !is_short || user == NULL;

	if (is_short && db_has_snapshot(d))
		return err_set(err, ERR_BUG, "a short transaction inside another");
	if (is_short && d->read_only)
		return err_set(err, ERR_PERM, "store cannot be written: '%s'", d->path);
	if (db_lock(d, wait, err) < 0)
		return -1;
	db_reset_all(d);
	d->is_short = is_short;
	if (!wait)
		sqlite3_busy_timeout(d->sqlite, 0);
	if ((!is_short || d->mode != STORE_READ ||
	    db_exec(d, "PRAGMA query_only = OFF", err, "begin") == 0) &&
	    begin(d, "BEGIN IMMEDIATE", err) == 0)
		return 0;
	end_writing(d);
	return -1;
}

int
sqlite_commit(struct db *d, struct err *err)
{
	if (db_exec(d, "COMMIT", err, "commit") < 0)
		return -1;
	/*
	 * A statement that stands on a row would hold its snapshot: the log could not be emptied,
	 * and the next BEGIN IMMEDIATE would be refused as soon as another process had written
	 * (SQLITE_BUSY_SNAPSHOT, which no time-out waits for).
	 */
	db_reset_all(d);
	checkpoint_if_long(d);
	end_writing(d);
	return 0;
}

void
sqlite_rollback(struct db *d)
{
	sqlite3_exec(d->sqlite, "ROLLBACK", NULL, NULL, NULL);
	end_writing(d);
}

bool
sqlite_has_snapshot(const struct db *d)
{
	return !sqlite3_get_autocommit(d->sqlite);
}

int
sqlite_snapshot(struct db *d, struct err *err)
{
	return begin(d, "BEGIN", err);
}

void
sqlite_snapshot_end(struct db *d)
{
	db_reset_all(d);
	sqlite3_exec(d->sqlite, "COMMIT", NULL, NULL, NULL);
}

void
sqlite_compare_pages(struct db *d, bool on)
{
	pagesum_compare(d->sqlite, on);
}

int64_t
sqlite_missing_sums(struct db *d)
{
	return pagesum_has(d->sqlite) ? pagesum_missing(d->sqlite) : -1;
}

int
sqlite_checkpoint(struct db *d, bool settles, struct err *err)
{
	int64_t until = clock_mono_us() + (int64_t)(conf_real("wait") * US_PER_S);
	int rc;

	if (db_lock(d, true, err) < 0)
		return -1;
	db_reset_all(d);
	do
		rc = checkpoint(d, SQLITE_CHECKPOINT_TRUNCATE, READERS_BUSY_MS, err);
	while (settles && rc > 0 && clock_mono_us() < until);
	db_unlock(d);
	if (settles && rc > 0)
		return err_set(err, ERR_BUSY, "somebody still reads what was there: '%s'", d->path);
	return MIN(rc, 0);
}
