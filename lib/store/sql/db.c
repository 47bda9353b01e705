/*
 * db.c: calls a connection's driver. Two loads and a jump a call: what is done with a row costs far
 * more.
 */
#include "base/alloc.h"
#include "store/driver.h"
#include "store/sql/handle.h"

static struct db_head *
head_of(const struct db *d)
{
	return (struct db_head *)d;
}

/* NULL: a server. */
static const struct db_file *
file_of(const struct db *d)
{
	return db_driver_of(d)->file;
}

/* A function that is its driver's; one without a result; one that only files have, 0 elsewhere. */
#define OF_DRIVER(type, name, params, of, call) \
	type \
	name params \
	{ \
		return db_driver_of(of)->call; \
	}
#define TO_DRIVER(name, params, of, call) \
	void \
	name params \
	{ \
		db_driver_of(of)->call; \
	}
#define OF_FILE(name, params, of, call) \
	int \
	name params \
	{ \
		return file_of(of) == NULL ? 0 : file_of(of)->call; \
	}

OF_DRIVER(int64_t, db_changes, (const struct db *d), d, changes(d))
OF_DRIVER(struct db_value, db_column, (struct db_stmt *q, int at, enum db_type as),
	q, column(q, at, as))
OF_DRIVER(int, db_begin, (struct db *d, const char *user, struct err *err),
	d, begin(d, user, false, err))
OF_DRIVER(int, db_short_begin, (struct db *d, const char *user, struct err *err),
	d, begin(d, user, true, err))
OF_DRIVER(int, db_commit, (struct db *d, struct err *err), d, commit(d, err))
OF_DRIVER(int, db_snapshot, (struct db *d, struct err *err), d, snapshot(d, err))
OF_DRIVER(bool, db_has_snapshot, (const struct db *d), d, has_snapshot(d))
OF_DRIVER(int, db_version, (struct db *d, int64_t *version, struct err *err),
	d, version(d, version, err))
OF_DRIVER(int, db_lock, (struct db *d, bool wait, struct err *err), d, lock(d, wait, err))
OF_DRIVER(int, db_fetch, (struct db *d, struct err *err), d, ahead->fetch(d, err))
OF_DRIVER(int, db_tables, (struct db *d, db_table_fn *fn, void *arg, struct err *err),
	d, tables(d, fn, arg, err))
OF_DRIVER(int, db_orphans, (struct db *d, db_orphan_fn *fn, void *arg, struct err *err),
	d, orphans(d, fn, arg, err))
OF_DRIVER(int, store_hold, (struct store *s, uint64_t key, bool *taken, struct err *err),
	s->db, hold(s, key, taken, err))
OF_DRIVER(int, store_backup, (struct store *s, const char *to, struct err *err),
	s->db, backup(s, to, err))
OF_DRIVER(int, store_texts_each, (struct store *s, store_text_fn *fn, void *arg, struct err *err),
	s->db, texts_each(s, fn, arg, err))
TO_DRIVER(db_bind, (struct db_stmt *q, const struct db_value *v, size_t n), q, bind(q, v, n))
TO_DRIVER(db_rollback, (struct db *d), d, rollback(d))
TO_DRIVER(db_snapshot_end, (struct db *d), d, snapshot_end(d))
TO_DRIVER(db_unlock, (struct db *d), d, unlock(d))
TO_DRIVER(store_let_go, (struct store *s, uint64_t key), s->db, let_go(s, key))
OF_FILE(store_checkpoint, (struct store *s, struct err *err), s->db, checkpoint(s->db, false, err))
OF_FILE(store_settle, (struct store *s, struct err *err), s->db, checkpoint(s->db, true, err))
OF_FILE(damage_find, (struct store *s, bool quick, damage_fn *fn, void *arg, struct err *err),
	s->db, damage_find(s, quick, fn, arg, err))
OF_FILE(rebuild, (struct store *s, repair_fn *progress, void *arg, struct err *err),
	s->db, rebuild(s, progress, arg, err))

const char *
store_path(const struct store *s)
{
	return head_of(s->db)->path;
}

bool
db_read_only(const struct db *d)
{
	return head_of(d)->read_only;
}

struct db_stmt *
db_prepare(struct db *d, int which, const char *sql, const char *what, struct err *err)
{
	struct db_head *h = head_of(d);
	struct db_stmt *q = h->driver->prepare(d, which, sql, what, err);

	if (q != NULL)
		*xpush(h->stmts, h->n_stmts, h->cap_stmts) = q;
	return q;
}

int
db_row(struct db_stmt *q, struct err *err)
{
	return q == NULL ? -1 : db_driver_of(q)->row(q, err);
}

int
db_done(struct db_stmt *q, struct err *err)
{
	return q == NULL ? -1 : db_driver_of(q)->done(q, err);
}

void
db_reset(struct db_stmt *q)
{
	if (q != NULL)
		db_driver_of(q)->reset(q);
}

void
db_reset_all(struct db *d)
{
	for (size_t i = 0; i < head_of(d)->n_stmts; i++)
		db_reset(head_of(d)->stmts[i]);
}

bool
db_was_taken(const struct db *d)
{
	return head_of(d)->was_taken;
}

int
db_short_end(struct db *d, int rc, struct err *err)
{
	if (rc == 0)
		rc = db_commit(d, err);
	if (rc != 0)
		db_rollback(d);
	return rc == 0 ? 0 : -1;
}

bool
db_is_busy(const struct db *d)
{
	return file_of(d) != NULL && file_of(d)->is_busy(d);
}

void
db_compare_pages(struct db *d, bool on)
{
	if (file_of(d) != NULL)
		file_of(d)->compare_pages(d, on);
}

int64_t
db_missing_sums(struct db *d)
{
	return file_of(d) == NULL ? 0 : file_of(d)->missing_sums(d);
}

bool
db_is_far(const struct db *d)
{
	return db_driver_of(d)->ahead != NULL;
}

bool
db_gathers(const struct db *d)
{
	return db_is_far(d) && db_driver_of(d)->ahead->gathers(d);
}

bool
db_gathers_next(const struct db *d)
{
	return db_is_far(d) && (db_gathers(d) || db_has_snapshot(d));
}

void
db_drop(struct db *d)
{
	if (db_is_far(d))
		db_driver_of(d)->ahead->drop(d);
}

int
db_want(struct db_stmt *q)
{
	if (q == NULL)
		return -1;
	if (db_driver_of(q)->ahead != NULL)
		db_driver_of(q)->ahead->want(q);
	return 0;
}

int
db_bytes(struct db *d, int64_t *n, struct err *err)
{
	/* only a bound on what damaged rows may claim; a server would have to measure it */
	*n = INT64_MAX;
	return file_of(d) == NULL ? 0 : file_of(d)->bytes(d, n, NULL, err);
}

int
db_sees_all(struct store *s, struct err *err)
{
	const struct db_driver *driver = db_driver_of(s->db);

	return driver->sees_all == NULL ? 0 : driver->sees_all(s, err);
}

void
db_scanning(struct db *d, bool on)
{
	if (file_of(d) != NULL)
		file_of(d)->scanning(d, on);
}

/* ---- of the store as a whole ---- */

int
store_file_bytes(struct store *s, int64_t *n, int64_t *n_log, struct err *err)
{
	*n = *n_log = 0;
	return file_of(s->db) == NULL ? 0 : file_of(s->db)->bytes(s->db, n, n_log, err);
}
