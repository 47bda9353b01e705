/*
 * driver.c: the functions of store/db.h for SQLite: statements, rows and errors. SQLite's errors
 * become errors of ours, with an exit status. A struct db_stmt holds SQLite's own statement, and
 * most functions only call SQLite's.
 */
#include "store/sqlite/sqlite.h"

#include <stdarg.h>
#include <sys/statvfs.h>

#include "base/alloc.h"
#include "base/ascii.h"

/* ---- errors ---- */

static bool
disk_is_full(const struct db *d)
{
	struct statvfs v;
	FREED char *dir = path_directory(d->path);

	return statvfs(dir, &v) == 0 && v.f_bavail == 0;
}

int
db_fail(struct db *d, struct err *err, const char *what)
{
	int rc = sqlite3_errcode(d->sqlite) & 0xff;

	switch (rc) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err, ERR_BUSY, "store is busy, try again: '%s'", d->path);
	case SQLITE_FULL:
		return err_set(err, ERR_IO, "%s: disk full: '%s'", what, d->path);
	case SQLITE_CORRUPT:
		return err_set(err, ERR_IO, "%s: store is " ERR_DAMAGED ": '%s'", what,
		    d->path);
	/*
	 * a test prepares all statements, and keys are made by us, so the file is not as it was
	 * made
	 */
	case SQLITE_ERROR:
	case SQLITE_CONSTRAINT:
		return err_set(err, ERR_IO, "%s: store is " ERR_DAMAGED ": %s: '%s'", what,
		    sqlite3_errmsg(d->sqlite), d->path);
	case SQLITE_NOTADB:
		return err_set(err, ERR_CONFIG, "not a mem store: '%s'", d->path);
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return err_set(err, ERR_PERM, "store cannot be written: '%s'", d->path);
	case SQLITE_NOMEM:
		return err_set(err, ERR_BUG, ERR_NO_MEMORY);
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		if (disk_is_full(d))
			return err_set(err, ERR_IO, "%s: disk full: '%s'", what, d->path);
		return err_set(err, ERR_IO, "%s: %s: '%s'", what, sqlite3_errmsg(d->sqlite),
		    d->path);
	default:
		return err_set(err, ERR_BUG, "%s: %s (%d)", what, sqlite3_errmsg(d->sqlite),
		    sqlite3_extended_errcode(d->sqlite));
	}
}

void
db_engine(struct buf *out)
{
	buf_addf(out, "SQLite %s", sqlite3_libversion());
}

/* ---- statements ---- */

static sqlite3_stmt *
of(struct db_stmt *q)
{
	return q->q;
}

static struct db_stmt *
sqlite_prepare(struct db *d, int which, const char *sql, const char *what, struct err *err)
{
	struct db_stmt *q = xcalloc(1, sizeof(*q));

	(void)which;
	q->driver = &file_driver;
	q->db = d;
	snprintf(q->what, sizeof(q->what), "%s", what);
	if (sqlite3_prepare_v3(d->sqlite, sql, -1, SQLITE_PREPARE_PERSISTENT, &q->q, NULL) ==
	    SQLITE_OK)
		return q;
	db_fail(d, err, "prepare");
	free(q);
	return NULL;
}

static void
bind_one(struct db_stmt *q, int at, const struct db_value *v)
{
	switch (v->type) {
	case DB_NULL:
		sqlite3_bind_null(of(q), at);
		break;
	case DB_NUMBER:
		sqlite3_bind_int64(of(q), at, v->number);
		break;
	case DB_REAL:
		sqlite3_bind_double(of(q), at, v->real);
		break;
	case DB_TEXT:
		sqlite3_bind_text(of(q), at, v->bytes, v->n, SQLITE_STATIC);
		break;
	case DB_BLOB:
		sqlite3_bind_blob(of(q), at, v->bytes, v->n, SQLITE_STATIC);
	}
}

static void
sqlite_bind(struct db_stmt *q, const struct db_value *v, size_t n)
{
	sqlite3_clear_bindings(of(q));
	for (size_t i = 0; i < n; i++)
		bind_one(q, (int)i + 1, &v[i]);
}

static int
sqlite_row(struct db_stmt *q, struct err *err)
{
	switch (sqlite3_step(of(q))) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		sqlite3_reset(of(q));
		return 0;
	default:
		q->db->was_taken =
		    sqlite3_extended_errcode(q->db->sqlite) == SQLITE_CONSTRAINT_UNIQUE;
		db_fail(q->db, err, q->what);
		sqlite3_reset(of(q));
		return -1;
	}
}

static int
sqlite_done(struct db_stmt *q, struct err *err)
{
	int got = sqlite_row(q, err);

	if (got > 0)
		sqlite3_reset(of(q));
	return got < 0 ? -1 : 0;
}

static void
sqlite_reset(struct db_stmt *q)
{
	sqlite3_reset(of(q));
}

static bool
sqlite_is_busy(const struct db *d)
{
	for (sqlite3_stmt *q = NULL; (q = sqlite3_next_stmt(d->sqlite, q)) != NULL; )
		if (sqlite3_stmt_busy(q))
			return true;
	return false;
}

static int64_t
sqlite_changes(const struct db *d)
{
	return sqlite3_changes(d->sqlite);
}

/* ---- columns ---- */

static enum db_type
type_of(struct db_stmt *q, int at)
{
	switch (sqlite3_column_type(of(q), at)) {
	case SQLITE_NULL:
		return DB_NULL;
	case SQLITE_TEXT:
		return DB_TEXT;
	case SQLITE_BLOB:
		return DB_BLOB;
	case SQLITE_FLOAT:
		return DB_REAL;
	default:
		return DB_NUMBER;
	}
}

static struct db_value
sqlite_column(struct db_stmt *q, int at, enum db_type as)
{
	struct db_value v;

	v.type = as;
	v.n = 0;
	if (as == DB_NUMBER) {
		v.number = sqlite3_column_int64(of(q), at);
	} else if (as == DB_REAL) {
		v.real = sqlite3_column_double(of(q), at);
	} else if (as == DB_NULL) {
		v.type = type_of(q, at);
		v.bytes = NULL;
	} else {
		v.bytes = as == DB_TEXT ? (const void *)sqlite3_column_text(of(q), at)
					: sqlite3_column_blob(of(q), at);
		v.n = sqlite3_column_bytes(of(q), at);
	}
	return v;
}

/* ---- the database as a whole ---- */

int
db_exec(struct db *d, const char *sql, struct err *err, const char *what)
{
	return sqlite3_exec(d->sqlite, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : db_fail(d, err,
	    what);
}

char *
db_text(const char *form, ...)
{
	va_list ap;

	va_start(ap, form);
	char *text = sqlite3_vmprintf(form, ap);
	va_end(ap);
	if (text == NULL)
		out_of_memory();
	return text;
}

bool
db_lacks_memory(sqlite3 *db, const char *text)
{
	static const char code[] = "error code=7";
	const char *at = text == NULL ? NULL : strstr(text, code);

	if (text == NULL)
		return (sqlite3_errcode(db) & 0xff) == SQLITE_NOMEM;
	return at != NULL && !ascii_is_digit(at[sizeof(code) - 1]);
}

bool
sqlite_number(sqlite3 *db, const char *sql, int64_t *out)
{
	sqlite3_stmt *q = NULL;
	bool has = sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK &&
	    sqlite3_step(q) == SQLITE_ROW;

	*out = has ? sqlite3_column_int64(q, 0) : 0;
	sqlite3_finalize(q);
	return has;
}

int
db_number(struct db *d, const char *sql, int64_t *out, struct err *err, const char *what)
{
	return sqlite_number(d->sqlite, sql, out) ? 0 : db_fail(d, err, what);
}

static int
sqlite_version(struct db *d, int64_t *version, struct err *err)
{
	return db_number(d, "PRAGMA data_version", version, err, "read");
}

static int
sqlite_bytes(struct db *d, int64_t *n, int64_t *n_log, struct err *err)
{
	int64_t n_pages, page_bytes;

	if (n_log != NULL)
		*n_log = MAX(bytes_beside(d, "-wal"), 0);
	if (db_number(d, "PRAGMA page_count", &n_pages, err, "measure") < 0 ||
	    db_number(d, "PRAGMA page_size", &page_bytes, err, "measure") < 0)
		return -1;
	*n = n_pages * page_bytes;
	return 0;
}

static int
sqlite_tables(struct db *d, db_table_fn *fn, void *arg, struct err *err)
{
	static const char sql[] = "SELECT name, sum(pgsize) FROM dbstat WHERE aggregate = TRUE "
				  "GROUP BY name ORDER BY name";
	sqlite3_stmt *q = NULL;
	int step = SQLITE_ERROR;

	if (sqlite3_prepare_v2(d->sqlite, sql, -1, &q, NULL) == SQLITE_OK)
		while ((step = sqlite3_step(q)) == SQLITE_ROW)
			fn(arg, (const char *)sqlite3_column_text(q, 0), sqlite3_column_int64(q,
			    1));
	if (step != SQLITE_DONE)
		db_fail(d, err, "measure");
	sqlite3_finalize(q);
	return step == SQLITE_DONE ? 0 : -1;
}

static int
sqlite_orphans(struct db *d, db_orphan_fn *fn, void *arg, struct err *err)
{
	sqlite3_stmt *q = NULL;
	int step = SQLITE_ERROR, rc = 0;

	if (sqlite3_prepare_v2(d->sqlite, "PRAGMA foreign_key_check", -1, &q, NULL) == SQLITE_OK)
		while (rc == 0 && (step = sqlite3_step(q)) == SQLITE_ROW)
			rc = fn(arg, (const char *)sqlite3_column_text(q, 0));
	if (rc == 0 && step != SQLITE_DONE)
		rc = err_set(err, ERR_IO, "%s", sqlite3_errmsg(d->sqlite));
	sqlite3_finalize(q);
	return rc;
}

static void
sqlite_scanning(struct db *d, bool on)
{
	/* a reader keeps few pages all the time */
	if (d->mode != STORE_READ)
		sqlite3_exec(d->sqlite, on ? FEW_PAGES : MANY_PAGES, NULL, NULL, NULL);
}

/* ---- the tables ---- */

static const struct db_file file = {
	.is_busy = sqlite_is_busy,
	.compare_pages = sqlite_compare_pages,
	.missing_sums = sqlite_missing_sums,
	.bytes = sqlite_bytes,
	.scanning = sqlite_scanning,
	.checkpoint = sqlite_checkpoint,
	.damage_find = sqlite_damage_find,
	.rebuild = sqlite_rebuild,
};

static const struct db_copying copying = {
	.open = sqlite_copy_open,
	.end = sqlite_copy_end,
	.put = "INSERT INTO ",
	.values = ") VALUES (",
};

const struct db_driver file_driver = {
	.open = sqlite_open,
	.close = sqlite_close,
	.prepare = sqlite_prepare,
	.bind = sqlite_bind,
	.row = sqlite_row,
	.done = sqlite_done,
	.reset = sqlite_reset,
	.changes = sqlite_changes,
	.column = sqlite_column,
	.begin = sqlite_begin,
	.commit = sqlite_commit,
	.rollback = sqlite_rollback,
	.snapshot = sqlite_snapshot,
	.snapshot_end = sqlite_snapshot_end,
	.has_snapshot = sqlite_has_snapshot,
	.version = sqlite_version,
	.lock = sqlite_lock,
	.unlock = sqlite_unlock,
	.tables = sqlite_tables,
	.orphans = sqlite_orphans,
	.hold = sqlite_hold,
	.let_go = sqlite_let_go,
	.backup = sqlite_backup,
	.texts_each = sqlite_texts_each,
	.copying = &copying,
	.file = &file,
};
