/*
 * reindex.c: tables of what was said that are whole, and an index of theirs that is not.
 *
 * SQLite's REINDEX empties the old index first and stops at the damage. So the store's pages are
 * copied beside it, as they are, and in the copy each index that cannot be walked to its end gets a
 * new, empty root in the schema; the old one's pages belong to nothing then. Made from its table it
 * is all there. Whether the table was whole its sums say (pagesum.h), and SQLite's own check
 * afterwards, which compares rows with every index: one that could be walked is left alone, because
 * when it and the table differ, nobody knows which of the two is right.
 */
#include "store/sqlite/sqlite.h"

#include "base/alloc.h"

static int
fail(sqlite3 *db, const char *path, struct err *err)
{
	return err_set(err, ERR_IO, "repair: %s: '%s'",
	    db == NULL ? "out of memory" : sqlite3_errmsg(db), path);
}

/* Runs a statement of db_text(), and frees it. */
static int
run(sqlite3 *db, char *sql)
{
	int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);

	sqlite3_free(sql);
	return rc;
}

/*
 * Whether every entry of an index can be reached. A partial index is walked where it has entries.
 * The condition, which always holds, makes SQLite walk this index row by row; it would answer a
 * count(*) without one from the smallest index, whatever the statement says.
 */
static bool
is_walked(sqlite3 *db, const char *table, const char *name, const char *sql)
{
	const char *where = sql != NULL ? strstr(sql, " WHERE ") : NULL;

	return (run(db, db_text("SELECT count(*) FROM \"%w\" INDEXED BY \"%w\"%s%s random() "
	    "IS NOT NULL", table, name, where != NULL ? where : "",
	    where != NULL ? " AND" : " WHERE")) & 0xff) != SQLITE_CORRUPT;
}

/* Whether every byte of every row can be read. */
static bool
is_read(sqlite3 *db, const char *table)
{
	char *sql = db_text("SELECT * FROM \"%w\" NOT INDEXED", table);
	sqlite3_stmt *q = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &q, NULL);

	while (rc == SQLITE_OK || rc == SQLITE_ROW)
		rc = sqlite3_step(q);
	sqlite3_finalize(q);
	sqlite3_free(sql);
	return rc == SQLITE_DONE;
}

struct broken { char **names; size_t n, cap; };

static int
find_broken(sqlite3 *db, const char *table, struct broken *to)
{
	static const char sql[] =
	    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1";
	sqlite3_stmt *q = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &q, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(q, 1, table, -1, SQLITE_STATIC);
	while (rc == SQLITE_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(q, 0);
		if (!is_walked(db, table, name, (const char *)sqlite3_column_text(q, 1))) {
			*xpush(to->names, to->n, to->cap) = xstrdup(name);
		}
		rc = SQLITE_OK;
	}
	sqlite3_finalize(q);
	return rc == SQLITE_DONE ? 0 : -1;
}

/*
 * What the schema says of the root of an index; the root itself is that of a new index on a new
 * table, both without a row.
 */
static int
give_new_root(sqlite3 *db, size_t i, const char *name)
{
	return run(db, db_text("CREATE TABLE fresh_%d (x); CREATE INDEX fresh_%d_root ON "
	    "fresh_%d (x); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = "
	    "(SELECT rootpage FROM sqlite_schema WHERE name = 'fresh_%d_root') WHERE name = %Q; "
	    "DELETE FROM sqlite_schema WHERE name IN ('fresh_%d', 'fresh_%d_root'); "
	    "PRAGMA writable_schema = RESET",
	    (int)i, (int)i, (int)i, (int)i, name, (int)i, (int)i));
}

int
reindex_into(struct store *s, const char *path, const char *const *tables, size_t n,
	struct err *err)
{
	struct broken broken = { NULL, 0, 0 };
	sqlite3 *db = NULL;
	int rc = -1;

	for (size_t i = 0; i < n; i++)
		if (!is_read(s->db->sqlite, tables[i]) ||
		    find_broken(s->db->sqlite, tables[i], &broken) < 0) {
			fail(s->db->sqlite, sqlite3_db_filename(s->db->sqlite, "main"), err);
			goto out;
		}
	if (pages_copy(s, path, &db, err) < 0)
		goto out;
	int did = SQLITE_OK;
	for (size_t i = 0; i < broken.n && did == SQLITE_OK; i++)
		did = give_new_root(db, i, broken.names[i]);
	for (size_t i = 0; i < broken.n && did == SQLITE_OK; i++)
		did = run(db, db_text("REINDEX \"%w\"", broken.names[i]));
	rc = did == SQLITE_OK ? 0 : fail(db, path, err);
out:
	for (size_t i = 0; i < broken.n; i++)
		free(broken.names[i]);
	free(broken.names);
	if (sqlite3_close(db) != SQLITE_OK && rc == 0)
		rc = err_set(err, ERR_BUG, "repair: a statement is open: '%s'", path);
	return rc;
}
