/*
 * copy_file.c: a copy that becomes a file. It is made in FILE.copy, where no program looks for a
 * store, and gets its name when it is whole, as a backup does.
 */
#include "store/sqlite/sqlite.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/embedded.h"

int
sqlite_copy_open(const char *path, struct store **out, struct err *err)
{
	FREED char *half = xformat("%s.copy", path);
	struct stat st;
	int rc;

	if (lstat(path, &st) == 0)
		rc = err_set(err, ERR_USAGE, "is there already: '%s'", path);
	else if ((rc = store_open(half, STORE_CREATE, out, err)) == 0)
		/* rows that name others may come before them when half a copy is completed */
		rc = db_exec((*out)->db, "PRAGMA foreign_keys = OFF", err, "copy");
	return rc;
}

/* The copy is a store of its own to mem-sync: all in it is new to others. */
static int
note_changes(struct store *s, struct err *err)
{
	const struct embedded *f = embedded_find("schema/store-15.sql");
	const char *sql = f == NULL ? NULL : strstr(f->text, "INSERT INTO change ");

	if (sql == NULL)
		return err_set(err, ERR_BUG, "no 'schema/store-15.sql' in this program");
	if (db_begin(s->db, NULL, err) < 0)
		return -1;
	if (db_exec(s->db, "DELETE FROM change", err, "copy") == 0 &&
	    db_exec(s->db, sql, err, "copy") == 0 && db_commit(s->db, err) == 0)
		return 0;
	db_rollback(s->db);
	return -1;
}

int
sqlite_copy_end(struct store *s, const char *path, struct err *err)
{
	FREED char *half = xformat("%s.copy", path), *held = xformat("%s.embed", half);
	int rc = note_changes(s, err);

	if (rc == 0)
		rc = store_checkpoint(s, err);
	store_close(s);
	if (rc == 0 && (rc = copy_put(half, path, err)) == 0) {
		rebuild_remove(half);          /* what is beside it */
		unlink(held);
	}
	return rc;
}
