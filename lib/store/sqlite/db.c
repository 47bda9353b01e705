/*
 * db.c: one connection's statements and errors: what SQLite says becomes an error of ours, with its exit status.
 */
#include "store/sqlite/column.h"

#include <sys/statvfs.h>

#include "base/alloc.h"

/* ---- errors ---- */

static bool
disk_is_full(const struct store *s)
{
	struct statvfs v;
	char *dir = xstrdup(s->path), *slash = strrchr(dir, '/');
	bool full;

	if (slash != NULL)
		*slash = '\0';
	full = statvfs(slash == NULL ? "." : *dir == '\0' ? "/" : dir, &v) == 0 && v.f_bavail == 0;
	free(dir);
	return full;
}

int
db_fail(struct store *s, struct err *err, const char *what)
{
	int rc = sqlite3_errcode(s->db) & 0xff;

	switch (rc) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err, ERR_BUSY, "store is busy, try again: '%s'", s->path);
	case SQLITE_FULL:
		return err_set(err, ERR_IO, "%s: disk full: '%s'", what, s->path);
	case SQLITE_CORRUPT:
		return err_set(err, ERR_IO, "%s: store is damaged (see mem-check): '%s'", what, s->path);
	case SQLITE_ERROR:             /* all statements are prepared by a test, and keys are given by us: it is the file that is not as it was made */
	case SQLITE_CONSTRAINT:
		return err_set(err, ERR_IO, "%s: store is damaged (see mem-check): %s: '%s'", what, sqlite3_errmsg(s->db), s->path);
	case SQLITE_NOTADB:
		return err_set(err, ERR_CONFIG, "not a mem store: '%s'", s->path);
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return err_set(err, ERR_PERM, "store cannot be written: '%s'", s->path);
	case SQLITE_NOMEM:
		return err_set(err, ERR_BUG, "out of memory");
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		if (disk_is_full(s))
			return err_set(err, ERR_IO, "%s: disk full: '%s'", what, s->path);
		return err_set(err, ERR_IO, "%s: %s: '%s'", what, sqlite3_errmsg(s->db), s->path);
	default:
		return err_set(err, ERR_BUG, "%s: %s (%d)", what, sqlite3_errmsg(s->db), sqlite3_extended_errcode(s->db));
	}
}

/* ---- statements ---- */

sqlite3_stmt *
db_stmt(struct store *s, enum stmt which, struct err *err)
{
	sqlite3_stmt **q = &s->stmts[which];

	if (*q == NULL && sqlite3_prepare_v3(s->db, stmt_sql[which], -1, SQLITE_PREPARE_PERSISTENT, q, NULL) != SQLITE_OK) {
		db_fail(s, err, "prepare");
		return NULL;
	}
	sqlite3_reset(*q);
	sqlite3_clear_bindings(*q);
	return *q;
}

sqlite3_stmt *
db_bound(struct store *s, enum stmt which, int64_t a, int64_t b, int64_t c, int64_t d, struct err *err)
{
	sqlite3_stmt *q = db_stmt(s, which, err);
	const int64_t v[] = { a, b, c, d };

	for (int i = 0; q != NULL && i < MIN(sqlite3_bind_parameter_count(q), 4); i++)
		sqlite3_bind_int64(q, i + 1, v[i]);
	return q;
}

int
db_row(struct store *s, sqlite3_stmt *q, struct err *err, const char *what)
{
	switch (sqlite3_step(q)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		sqlite3_reset(q);
		return 0;
	default:
		db_fail(s, err, what);
		sqlite3_reset(q);
		return -1;
	}
}

int
db_done(struct store *s, sqlite3_stmt *q, struct err *err, const char *what)
{
	int got = db_row(s, q, err, what);

	if (got > 0)
		sqlite3_reset(q);
	return got < 0 ? -1 : 0;
}

void
db_reset_all(struct store *s)
{
	for (size_t i = 0; i < N_STMTS; i++)
		sqlite3_reset(s->stmts[i]);
}

int
db_next_row(struct store *s, enum stmt which, int64_t user, int64_t *row, struct err *err)
{
	sqlite3_stmt *q = db_bound(s, which, user, 0, 0, 0, err);
	int64_t number;

	if (q == NULL || db_row(s, q, err, "new row") < 0)
		return -1;
	number = sqlite3_column_int64(q, 0);
	sqlite3_reset(q);
	*row = user_lo(user) + (number & user_hi(0));
	return number >= 1 && number <= user_hi(0) ? 0 : err_set(err, ERR_DATA, "user has too many records: '%s'", s->path);
}

int
db_goes_on(struct store *s, int64_t before, int64_t last, struct err *err)
{
	return last > before ? 0 : err_set(err, ERR_IO, "rows are out of order: store is damaged (see mem-check): '%s'", s->path);
}

int
db_exec(struct store *s, const char *sql, struct err *err, const char *what)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : db_fail(s, err, what);
}

int
store_meta_get(struct store *s, const char *name, char *out, size_t size, struct err *err)
{
	sqlite3_stmt *q = db_stmt(s, STMT_META_GET, err);
	int got;

	if (q == NULL)
		return -1;
	sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
	if ((got = db_row(s, q, err, "read")) < 0)
		return -1;
	snprintf(out, size, "%s", got ? column_peek(q, 0) : "");
	sqlite3_reset(q);
	return 0;
}

int
store_meta_put(struct store *s, const char *name, const char *value, struct err *err)
{
	sqlite3_stmt *q = db_stmt(s, STMT_META_PUT, err);

	if (q == NULL)
		return -1;
	sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
	sqlite3_bind_text(q, 2, value, -1, SQLITE_STATIC);
	return db_done(s, q, err, "write");
}
