/*
 * rebuild.c: a store with damaged pages, made anew from what was said.
 *
 * DELETE and DROP walk the tree that they empty, so a damaged one cannot be cleared where it
 * stands. The tables that are whole are copied into a new file beside the store, what is derived is
 * rebuilt and checked there, and SQLite's backup then writes that file's pages over the store's, as
 * one transaction in its log. The file stays the same file: who has it open sees one more commit,
 * and a writer in the queue writes to no orphan, as it would after a rename. A kill before the
 * commit leaves the store as it was, and FILE.repair, which the next writer removes. Where an index
 * of base tables is damaged and they are not, the tables are copied from FILE.repair.pages, see
 * reindex.c.
 */
#include "store/sqlite/sqlite.h"

#include <unistd.h>

#include "store/sqlite/pagesum.h"
#include "store/sql/handle.h"

#define WHY_BYTES 4096
#define REPAIR    ".repair"
#define PAGES     ".pages"

/* ---- which tables are damaged ---- */

enum kind { KIND_BASE, KIND_KEPT, KIND_MADE };

/*
 * How a table is made again. KEPT is copied when it is whole, all tables of that beginning
 * together, and is left empty when one is not; MADE is made from the messages. What is not named
 * here is base. Files whose place in "input" is lost are read again whole, and what they hold is
 * known.
 */
static enum kind
kind_of(const char *table)
{
	static const struct { const char *prefix; enum kind kind; } kinds[] = {
		{ "card", KIND_MADE }, { "chunk", KIND_MADE }, { "fts_", KIND_MADE }, { "work", KIND_MADE },
		{ "metric", KIND_KEPT }, { "meta", KIND_KEPT }, { "input", KIND_KEPT }, { "vector_", KIND_KEPT }, { "category", KIND_KEPT }, { "job", KIND_KEPT }, { "guard", KIND_KEPT }, { "sqlite_", KIND_KEPT },
	};

	for (size_t i = 0; i < NELEM(kinds); i++)
		if (strncmp(table, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
			return kinds[i].kind;
	return KIND_BASE;
}

/* Takes the first finding of "*** in database main ***\nPage 7: ...\nPage 8: ...". */
static void
add_first_line(struct buf *to, const char *text)
{
	const char *end = strchr(text, '\n');

	if (strncmp(text, "***", 3) == 0 && end != NULL) {
		text = end + 1;
		end = strchr(text, '\n');
	}
	buf_add(to, text, end != NULL ? (size_t)(end - text) : strlen(text));
}

/* Runs one integrity check. 1: all is in order; 0: it is not, and why says so; -1: no memory. */
static int
in_order(struct store *s, const char *sql, struct buf *why, struct err *err)
{
	sqlite3_stmt *q = NULL;
	const char *text = NULL;
	int64_t page;
	int ok = 0;

	buf_reset(why);
	pagesum_differing(s->db->sqlite);      /* forgets what earlier checks have found */
	if (sqlite3_prepare_v2(s->db->sqlite, sql, -1, &q, NULL) == SQLITE_OK &&
	    sqlite3_step(q) == SQLITE_ROW)
		text = (const char *)sqlite3_column_text(q, 0);
	if (text != NULL && strcmp(text, "ok") == 0)
		ok = 1;
	else if (db_lacks_memory(s->db->sqlite, text))
		ok = err_set(err, ERR_BUG, ERR_NO_MEMORY);
	else if ((page = pagesum_differing(s->db->sqlite)) != 0)
		buf_addf(why, "page %lld is not as it was written", (long long)page);
	else
		add_first_line(why, text != NULL ? text : sqlite3_errmsg(s->db->sqlite));
	sqlite3_finalize(q);
	return ok;
}

int
sqlite_damage_find(struct store *s, bool quick, damage_fn *fn, void *arg, struct err *err)
{
	sqlite3_stmt *q = NULL;
	int step, ok, n = 0, rc = -1;
	LOCAL(buf) whole = buf_of(WHY_BYTES);
	LOCAL(buf) why = buf_of(WHY_BYTES);

	ok = in_order(s, quick ? "PRAGMA quick_check(1)" : "PRAGMA integrity_check(1)", &whole,
	    err);
	if (ok != 0) {
		rc = ok < 0 ? -1 : 0;
		goto out;
	}
	step = sqlite3_prepare_v2(s->db->sqlite,
	    "SELECT name FROM sqlite_schema WHERE type = 'table'", -1, &q, NULL);
	while (q != NULL && (step = sqlite3_step(q)) == SQLITE_ROW) {
		const char *table = (const char *)sqlite3_column_text(q, 0);
		char *sql = db_text("PRAGMA integrity_check(\"%w\")", table);
		ok = in_order(s, sql, &why, err);
		sqlite3_free(sql);
		if (ok < 0)
			goto out;
		if (!ok && fn(arg, table, kind_of(table) == KIND_BASE, why.data) < 0)
			goto out;
		n += !ok;
	}
	if (step == SQLITE_NOMEM)
		err_set(err, ERR_BUG, ERR_NO_MEMORY);
	else if (step != SQLITE_DONE)
		rc = fn(arg, "sqlite_schema", true,
		    q == NULL ? whole.data : sqlite3_errmsg(s->db->sqlite));
	else
		/* the finding is about pages that belong to no table */
		rc = n > 0 ? 0 : fn(arg, NULL, false, whole.data);
out:
	if (rc < 0 && err->code == 0)
		err_set(err, ERR_IO, "check was stopped");
	sqlite3_finalize(q);
	return rc;
}

static bool
is_wanted(struct store *s)
{
	struct err err = ERR_INIT;
	LOCAL(buf) why = buf_of(WHY_BYTES);
	int ok = in_order(s, "PRAGMA integrity_check(1)", &why, &err);

	/* without memory nothing is known, and what follows has none either */
	return ok == 0 || !pagesum_has(s->db->sqlite);
}

/* ---- the copy ---- */

#define TABLES_MAX 64

struct damaged { char names[TABLES_MAX][64]; size_t n; bool any, base; };

static int
note_damage(void *arg, const char *table, bool base, const char *why)
{
	struct damaged *d = arg;

	(void)why;
	d->any = true;
	d->base |= base || d->n == TABLES_MAX;
	if (table != NULL && d->n < TABLES_MAX)
		snprintf(d->names[d->n++], sizeof(d->names[0]), "%s", table);
	return 0;
}

/*
 * Whether a table is copied. It is not if one whose name begins alike is damaged: tables that
 * depend on each other have names like "vector_code" and "vector_user".
 */
static bool
is_copied(const struct damaged *d, const char *table)
{
	size_t len = strcspn(table, "_");

	if (kind_of(table) == KIND_MADE || strncmp(table, "sqlite_", 7) == 0)
		return false;
	for (size_t i = 0; i < d->n; i++)
		if (strcspn(d->names[i], "_") == len && strncmp(d->names[i], table, len) == 0)
			return false;
	return true;
}

static int
copy_tables(struct store *s, const struct damaged *d, struct err *err)
{
	sqlite3_stmt *q = NULL;
	int step, rc = -1;

	if (sqlite3_prepare_v2(s->db->sqlite,
		"SELECT name, (SELECT group_concat('\"' || name || '\"') FROM "
		"pragma_table_info(t.name, 'main')) "
		"FROM main.sqlite_schema t WHERE type = 'table' ORDER BY rowid",
		-1, &q, NULL) != SQLITE_OK)
		return db_fail(s->db, err, "repair");
	while ((step = sqlite3_step(q)) == SQLITE_ROW) {
		const char *table = (const char *)sqlite3_column_text(q, 0);
		const char *columns = (const char *)sqlite3_column_text(q, 1);
		if (!is_copied(d, table))
			continue;
		/* all users: the whole store is copied; an older one may lack columns */
		char *sql = db_text(
		    "INSERT OR REPLACE INTO fresh.\"%w\" (%s) SELECT %s FROM main.\"%w\"", table,
		    columns, columns, table);
		rc = db_exec(s->db, sql, err, "repair");
		sqlite3_free(sql);
		if (rc < 0)
			break;
	}
	if (step == SQLITE_DONE)
		rc = 0;
	else if (step != SQLITE_ROW)
		rc = db_fail(s->db, err, "repair");
	sqlite3_finalize(q);
	return rc;
}

/*
 * Fills a new store with all that is whole, in one snapshot. It has no log meanwhile, which would
 * hold everything a second time.
 */
static int
copy_whole(struct store *s, const char *path, const struct damaged *d, struct err *err)
{
	char *attach = db_text("ATTACH %Q AS fresh", path);
	int rc = -1;

	db_reset_all(s->db);
	if (db_exec(s->db, attach, err, "repair") < 0)
		goto out;
	if (db_exec(s->db, "PRAGMA fresh.journal_mode = MEMORY; BEGIN", err, "repair") == 0 &&
	    copy_tables(s, d, err) == 0 &&
	    db_exec(s->db, "COMMIT; PRAGMA fresh.journal_mode = WAL", err, "repair") == 0)
		rc = 0;
	if (!sqlite3_get_autocommit(s->db->sqlite))
		sqlite3_exec(s->db->sqlite, "ROLLBACK", NULL, NULL, NULL);
	if (db_exec(s->db, "DETACH fresh", rc == 0 ? err : NULL, "repair") < 0)
		rc = -1;
out:
	sqlite3_free(attach);
	return rc;
}

struct worst { int level; char text[256]; };

static int
keep_worst(void *arg, const struct check_finding *f)
{
	struct worst *w = arg;

	if (f->level > w->level) {
		w->level = f->level;
		snprintf(w->text, sizeof(w->text), "%s: %s", f->what, f->message);
	}
	return 0;
}

/*
 * Makes a store of the pages of s at path, with indexes of base tables made anew. ERR_IO: a base
 * table is damaged itself. d: the damage that is left.
 */
static int
mend_indexes(struct store *s, const char *path, struct damaged *d, struct store **out,
	struct err *err)
{
	const char *tables[TABLES_MAX];
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		if (kind_of(d->names[i]) == KIND_BASE)
			tables[n++] = d->names[i];
	rebuild_remove(path);
	if (reindex_into(s, path, tables, n, err) == 0 &&
	    store_open(path, STORE_REPAIR, out, err) == 0) {
		*d = (struct damaged){ .n = 0 };
		pagesum_compare((*out)->db->sqlite, true);
		if (damage_find(*out, false, note_damage, d, err) == 0 && !d->base)
			return 0;
	}
	if (err->code != ERR_BUG)
		err_set(err, ERR_IO,
		    "messages or sessions are " ERR_DAMAGED ": nothing was changed: '%s'",
		    s->db->path);
	return -1;
}

int
rebuild_into(struct store *s, const char *path, repair_fn *progress, void *arg, struct store **out,
	struct err *err)
{
	char *pages = db_text("%s" PAGES, path);
	struct worst worst = { 0, "" };
	struct damaged d = { .n = 0 };
	struct store *t = NULL, *mended = NULL;
	int rc = -1;

	*out = NULL;
	if (damage_find(s, false, note_damage, &d, err) < 0 ||
	    (d.base && mend_indexes(s, pages, &d, &mended, err) < 0) ||
	    store_open(path, STORE_CREATE, &t, err) < 0)
		goto out;
	store_close(t);
	t = NULL;
	if (copy_whole(mended != NULL ? mended : s, path, &d, err) < 0 ||
	    store_open(path, STORE_REPAIR, &t, err) < 0 ||
	    rebuild_derived(t, progress, arg, err) < 0 ||
	    store_check(t, CHECK_FULL, keep_worst, &worst, err) < 0 || store_checkpoint(t, err) < 0)
		goto out;
	if (worst.level >= 2) {
		err_set(err, ERR_IO,
		    "what could be read is not whole (%s): nothing was changed: '%s'", worst.text,
		    s->db->path);
		goto out;
	}
	*out = t;
	t = NULL;
	rc = 0;
out:
	store_close(t);
	store_close(mended);
	rebuild_remove(pages);
	sqlite3_free(pages);
	return rc;
}

void
rebuild_remove(const char *path)
{
	/* the file itself is removed last, as it is how the others are found */
	static const char *const ends[] = { "-wal", "-shm", "-journal", ".lock", "" };

	for (size_t i = 0; i < NELEM(ends); i++) {
		char *name = db_text("%s%s", path, ends[i]);
		unlink(name);
		sqlite3_free(name);
	}
}

/* ---- over the store ---- */

static char *
repair_path(struct db *d, const char *end)
{
	return db_text("%s" REPAIR "%s", sqlite3_db_filename(d->sqlite, "main"), end);
}

void
rebuild_sweep(struct db *d)
{
	static const char *const ends[] = { PAGES, "" };

	for (size_t i = 0; i < NELEM(ends); i++) {
		char *path = repair_path(d, ends[i]);
		if (access(path, F_OK) == 0)
			rebuild_remove(path);
		sqlite3_free(path);
	}
}

int
rebuild_write_over(struct store *s, sqlite3 *from, struct err *err)
{
	sqlite3_backup *b;

	db_reset_all(s->db);
	pagesum_compare(s->db->sqlite, false); /* SQLite reads a page before it overwrites it */
	if ((b = sqlite3_backup_init(s->db->sqlite, "main", from, "main")) == NULL)
		return db_fail(s->db, err, "repair");
	int step = sqlite3_backup_step(b, -1);
	if (sqlite3_backup_finish(b) != SQLITE_OK)
		return db_fail(s->db, err, "repair");
	return step == SQLITE_DONE ? 0
	    : err_set(err, ERR_BUSY, "store is busy, try again: '%s'", s->db->path);
}

int
sqlite_rebuild(struct store *s, repair_fn *progress, void *arg, struct err *err)
{
	struct store *t = NULL;
	int rc = -1;

	sqlite_lock_note(s->db, "repaired");
	if (!is_wanted(s))
		return 0;
	char *path = repair_path(s->db, "");
	if (rebuild_into(s, path, progress, arg, &t, err) == 0) {
		db_reset_all(t->db);
		rc = rebuild_write_over(s, t->db->sqlite, err);
	}
	store_close(t);
	rebuild_remove(path);
	sqlite3_free(path);
	return rc < 0 ? -1 : 1;
}
