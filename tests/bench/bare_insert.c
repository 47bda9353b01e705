/*
 * bare_insert.c: how fast a program could store at all: copies the rows of an existing store into a
 * fresh file, and does nothing else.
 *
 *	bare_insert [-f] STORE NEW N [BATCH]
 *
 * The same tables and indices, the same settings (WAL, synchronous FULL, secure_delete, no
 * automatic checkpoint but RESTART when the WAL passes 1,000 pages), one transaction for each BATCH
 * (1,000) of the N messages; each gets an equal part of the rows of each table, in the order of
 * their keys. The rows of the full text are copied as they ended up: nothing is tokenised, sorted
 * or merged. With -f there is a full text that has to be made: instead of ours (tables fts_*), an
 * FTS5 table (porter, without its own copy of the text) gets the content of each message. Only
 * inserting, committing, checkpointing and closing is timed, not reading. Prints one line of JSON.
 */
#include <sqlite3.h>

#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"

struct table {
	char *name;
	int64_t n_rows, n_done;
	/* column of the text of messages; -1 in other tables */
	int n_columns, content;
	sqlite3_stmt *from, *to;
};

static struct table *tables;
static size_t n_tables, cap_tables;
static sqlite3 *old, *new;
static int64_t busy_us;
static sqlite3_stmt *to_fts5;          /* with -f */

static void
die(sqlite3 *db, const char *what)
{
	fprintf(stderr, "bare_insert: %s: %s\n", what, db ? sqlite3_errmsg(db) : "wrong usage");
	exit(1);
}

static void
exec(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		die(db, sql);
}

static int64_t
value_of(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st;
	int64_t v;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		die(db, sql);
	v = sqlite3_step(st) == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
	sqlite3_finalize(st);
	return v;
}

/* Makes table and prepares both of its statements. */
static void
table_open(const char *name)
{
	struct table *t;
	char *sql;
	int i;

	xgrow(&tables, &cap_tables, n_tables + 1, sizeof *tables);
	t = &tables[n_tables++];
	memset(t, 0, sizeof *t);
	t->name = xstrdup(name);
	sql = sqlite3_mprintf("SELECT count(*) FROM \"%w\"", name);
	t->n_rows = value_of(old, sql);
	sqlite3_free(sql);
	sql = sqlite3_mprintf("SELECT * FROM \"%w\"", name);
	if (sqlite3_prepare_v2(old, sql, -1, &t->from, NULL) != SQLITE_OK)
		die(old, sql);
	sqlite3_free(sql);
	t->n_columns = sqlite3_column_count(t->from);
	for (t->content = t->n_columns - 1; t->content >= 0; t->content--)
		if (strcmp(name, "message") == 0 &&
		    strcmp(sqlite3_column_name(t->from, t->content), "content") == 0)
			break;
	sql = sqlite3_mprintf("INSERT INTO \"%w\" VALUES (?", name);
	for (i = 1; i < t->n_columns; i++)
		sql = sqlite3_mprintf("%z, ?", sql);
	sql = sqlite3_mprintf("%z)", sql);
	if (sqlite3_prepare_v2(new, sql, -1, &t->to, NULL) != SQLITE_OK)
		die(new, sql);
	sqlite3_free(sql);
}

/*
 * Tables, then indices, as the old file has them. Virtual tables and triggers do work of their own,
 * so they are left out.
 */
static void
schema_copy(void)
{
	sqlite3_stmt *st;

	if (sqlite3_prepare_v2(old,
		"SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN "
		"('table', 'index')"
		" AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY type "
		"DESC",
		-1, &st, NULL) != SQLITE_OK)
		die(old, "schema");
	while (sqlite3_step(st) == SQLITE_ROW) {
		if (to_fts5 && strncmp((const char *)sqlite3_column_text(st, 1), "fts_", 4) == 0)
			continue;
		exec(new, (const char *)sqlite3_column_text(st, 2));
		if (sqlite3_column_text(st, 0)[0] == 't')
			table_open((const char *)sqlite3_column_text(st, 1));
	}
	sqlite3_finalize(st);
}

static void
row_copy(struct table *t)
{
	int64_t start;
	int i, rc;

	if (sqlite3_step(t->from) != SQLITE_ROW)
		die(old, t->name);
	start = clock_mono_us();
	for (i = 0; i < t->n_columns; i++)
		sqlite3_bind_value(t->to, i + 1, sqlite3_column_value(t->from, i));
	rc = sqlite3_step(t->to);
	sqlite3_reset(t->to);
	if (to_fts5 && t->content >= 0 && rc == SQLITE_DONE) {
		sqlite3_bind_int64(to_fts5, 1, sqlite3_last_insert_rowid(new));
		sqlite3_bind_value(to_fts5, 2, sqlite3_column_value(t->from, t->content));
		rc = sqlite3_step(to_fts5);
		sqlite3_reset(to_fts5);
	}
	busy_us += clock_mono_us() - start;
	if (rc != SQLITE_DONE)
		die(new, t->name);
	t->n_done++;
}

static void
timed(const char *sql)
{
	int64_t start = clock_mono_us();

	exec(new, sql);
	busy_us += clock_mono_us() - start;
}

/* The pages of the WAL since the last checkpoint; the file itself never shrinks. */
static int
on_wal(void *arg, sqlite3 *db, const char *name, int n_pages)
{
	(void)db;
	(void)name;
	*(int *)arg = n_pages;
	return SQLITE_OK;
}

int
main(int argc, char **argv)
{
	int64_t n, n_batches, batch, start, n_rows = 0;
	int n_wal_pages = 0;
	bool has_fts5 = argc > 1 && strcmp(argv[1], "-f") == 0;
	struct table *t;

	argc -= has_fts5;
	argv += has_fts5;
	n = argc < 4 ? 0 : strtoll(argv[3], NULL, 10);
	if (n < 1)
		die(NULL, "bare_insert [-f] STORE NEW N [BATCH]");
	n_batches = MAX(n / (argc > 4 ? MAX(strtoll(argv[4], NULL, 10), 1) : 1000), 1);
	if (sqlite3_open_v2(argv[1], &old, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		die(old, argv[1]);
	unlink(argv[2]);
	if (sqlite3_open(argv[2], &new) != SQLITE_OK)
		die(new, argv[2]);
	exec(new,
	    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; "
	    "PRAGMA secure_delete = ON; PRAGMA cache_size = -8000");
	sqlite3_wal_hook(new, on_wal, &n_wal_pages);
	if (has_fts5) {
		exec(new,
		    "CREATE VIRTUAL TABLE text USING fts5(content, content = '', tokenize = "
		    "'porter unicode61')");
		if (sqlite3_prepare_v2(new, "INSERT INTO text (rowid, content) VALUES (?, ?)", -1,
			&to_fts5, NULL) != SQLITE_OK)
			die(new, "fts5");
	}
	schema_copy();
	for (batch = 1; batch <= n_batches; batch++) {
		timed("BEGIN IMMEDIATE");
		for (t = tables; t < tables + n_tables; t++)
			while (t->n_done < t->n_rows * batch / n_batches) {
				row_copy(t);
				n_rows++;
			}
		timed("COMMIT");
		if (n_wal_pages > 1000)
			timed("PRAGMA wal_checkpoint(RESTART)");
	}
	for (t = tables; t < tables + n_tables; t++) {
		sqlite3_finalize(t->from);
		sqlite3_finalize(t->to);
		free(t->name);
	}
	free(tables);
	sqlite3_finalize(to_fts5);
	sqlite3_close(old);
	start = clock_mono_us();
	sqlite3_close(new);
	busy_us += clock_mono_us() - start;
	printf("{\"messages\":%lld,\"rows\":%lld,\"batches\":%lld,\"seconds\":%.3f,\"per_second\":"
	       "%.0f}\n",
	    (long long)n, (long long)n_rows, (long long)n_batches, (double)busy_us / 1e6,
	    (double)n / ((double)busy_us / 1e6));
	return 0;
}
