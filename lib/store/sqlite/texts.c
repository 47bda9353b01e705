/* texts.c: reads every text of the store, for a proof that a word is in none. */
#include "store/prune.h"
#include "store/sqlite/sqlite.h"

/* The column that identifies a row: "id", else "record", else the first. */
static int
id_column(sqlite3_stmt *q, int n)
{
	static const char *const names[] = { "id", "record" };

	for (size_t k = 0; k < NELEM(names); k++)
		for (int i = 0; i < n; i++)
			if (strcmp(sqlite3_column_name(q, i), names[k]) == 0)
				return i;
	return 0;
}

static int
texts_of(struct store *s, const char *table, store_text_fn *fn, void *arg, struct err *err)
{
	char *sql = db_text("SELECT * FROM \"%w\"", table);
	sqlite3_stmt *q = NULL;
	int rc = sqlite3_prepare_v2(s->db->sqlite, sql, -1, &q, NULL);

	sqlite3_free(sql);
	if (rc != SQLITE_OK)
		return db_fail(s->db, err, "read store");
	int n = sqlite3_column_count(q);
	int at = id_column(q, n);
	while (sqlite3_step(q) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(q, at);

		for (int i = 0; i < n; i++) {
			int type = sqlite3_column_type(q, i);

			if (type == SQLITE_TEXT || type == SQLITE_BLOB)
				fn(arg, table, id, sqlite3_column_name(q, i),
				    sqlite3_column_blob(q, i),
				    (size_t)sqlite3_column_bytes(q, i));
		}
	}
	return sqlite3_finalize(q) == SQLITE_OK ? 0 : db_fail(s->db, err, "read store");
}

int
sqlite_texts_each(struct store *s, store_text_fn *fn, void *arg, struct err *err)
{
	/* what each such file begins with */
	static const char head[] = "SQLite format 3";
	sqlite3_stmt *q = NULL;
	int did = 0;

	fn(arg, "sqlite_schema", 0, "sql", head, strlen(head));
	if (sqlite3_prepare_v2(s->db->sqlite,
		"SELECT 'sqlite_schema' UNION ALL SELECT name FROM sqlite_schema "
		"WHERE type = 'table'",
		-1, &q, NULL) != SQLITE_OK)
		return db_fail(s->db, err, "read store");
	while (did == 0 && sqlite3_step(q) == SQLITE_ROW)
		did = texts_of(s, (const char *)sqlite3_column_text(q, 0), fn, arg, err);
	if (sqlite3_finalize(q) != SQLITE_OK && did == 0)
		did = db_fail(s->db, err, "read store");
	return did;
}
