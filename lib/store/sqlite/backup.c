/*
 * backup.c: a copy of the store, of one moment of it, whole or not there at all.
 *
 * SQLite's backup copies the pages of the open snapshot, so that after a check in the same snapshot
 * the copy is what was checked, whoever has written meanwhile. VACUUM INTO could not do that: it
 * takes a snapshot of its own. Beside the target stand meanwhile
 *
 *     NAME.PID.mem.tmp        empty, and locked by the process that makes the copy
 *     NAME.PID.mem.tmp.db     the copy, which gets the target's name when it is whole
 *     NAME.PID.mem.tmp.*      what goes with it
 *
 * The kernel gives the lock of a process that was killed back. So the next backup into the
 * directory knows which of them nobody needs, and removes them. (A number of a process says less:
 * it is used again, and the process may be on another machine, or dead and not yet waited for. The
 * lock is not on the copy itself, because some network file systems make one lock of flock's and
 * SQLite's.)
 */
#include "store/sqlite/sqlite.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.h"
#include "store/sqlite/pagesum.h"

#define GUARD      ".mem.tmp"
#define NO_JOURNAL "PRAGMA journal_mode = MEMORY"

/* ---- what is left behind ---- */

static bool
ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), k = strlen(end);

	return n > k && strcmp(name + n - k, end) == 0;
}

/*
 * Removes the files in d whose names begin with name, the one of exactly that name last, as it is
 * how the others are found. What cannot be removed is left to the next backup.
 */
static void
remove_all_of(int d, const char *dir, const char *name)
{
	DIR *all = opendir(dir);
	size_t len = strlen(name);
	struct dirent *e;

	while (all != NULL && (e = readdir(all)) != NULL)
		if (strncmp(e->d_name, name, len) == 0 && e->d_name[len] != '\0')
			unlinkat(d, e->d_name, 0);
	if (all != NULL)
		closedir(all);
	unlinkat(d, name, 0);
}

/* Whether this is a guard that nobody holds; it is locked then. */
static bool
is_left(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0 &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0;
}

void
backup_sweep(const char *path)
{
	const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	FREED char *dir = path_directory(path);
	DIR *d = opendir(dir);
	struct dirent *e;
	int fd;

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (!ends_with(e->d_name, GUARD) || (fd = openat(dirfd(d), e->d_name, flags)) < 0)
			continue;
		if (is_left(fd))
			remove_all_of(dirfd(d), dir, e->d_name);
		close(fd);
	}
	if (d != NULL)
		closedir(d);
}

/*
 * Makes the guard and locks it; -1. If a sweep of another process locks it first and removes it, it
 * is made again.
 */
static int
guard_open(const char *path, struct err *err)
{
	struct stat st;

	for (;;) {
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd < 0)
			return err_set_errno(err, ERR_IO, "cannot create '%s'", path);
		/* without such locks on this file system, nobody removes it either */
		flock(fd, LOCK_EX);
		if (fstat(fd, &st) < 0 || st.st_nlink > 0)
			return fd;
		close(fd);
	}
}

/* ---- the copy ---- */

static int
sync_path(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = -1;

	/* some file systems cannot fsync a directory, and need not */
	if (fd < 0 || (system_sync(fd) < 0 && errno != EINVAL && errno != ENOTSUP))
		err_set_errno(err, ERR_IO, "cannot sync '%s'", path);
	else
		rc = 0;
	if (fd >= 0)
		close(fd);
	return rc;
}

static int
fail(sqlite3 *db, const char *path, struct err *err)
{
	const char *why = db == NULL ? "out of memory" : sqlite3_errmsg(db);

	return err_set(err, ERR_IO, "cannot write '%s': %s", path, why);
}

int
pages_copy(struct store *s, const char *path, sqlite3 **out, struct err *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600), step, rc;
	sqlite3_backup *b;

	*out = NULL;
	if (fd < 0)
		return err_set_errno(err, ERR_IO, "cannot create '%s'", path);
	close(fd);
	db_reset_all(s->db);
	/* nobody else opens it, and it is removed on failure: it needs no journal and no log */
	if (sqlite3_open_v2(path, out, SQLITE_OPEN_READWRITE, PAGESUM) != SQLITE_OK ||
	    sqlite3_exec(*out, "PRAGMA locking_mode = EXCLUSIVE; " NO_JOURNAL, NULL, NULL, NULL) !=
	    SQLITE_OK ||
	    (b = sqlite3_backup_init(*out, "main", s->db->sqlite, "main")) == NULL)
		return fail(*out, path, err);
	pagesum_copy_begin(s->db->sqlite, *out);
	step = sqlite3_backup_step(b, -1);
	rc = sqlite3_backup_finish(b);
	pagesum_copy_end(s->db->sqlite, *out);
	return rc == SQLITE_OK && step == SQLITE_DONE ? 0 : fail(*out, path, err);
}

int
copy_pages(struct store *s, const char *temp, struct err *err)
{
	sqlite3 *db;
	int rc = pages_copy(s, temp, &db, err);

	if (rc == 0 && sqlite3_exec(db, NO_JOURNAL, NULL, NULL, NULL) != SQLITE_OK)
		rc = fail(db, temp, err);
	sqlite3_close(db);
	return rc;
}

/*
 * 1: all pages are as they were written, and they and all indexes are in order; 0: they are not;
 * -1.
 */
static int
is_whole(const char *path, struct err *err)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *q = NULL;
	const char *text = NULL;
	int rc = -1, step;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, PAGESUM) != SQLITE_OK) {
		fail(db, path, err);
	} else {
		pagesum_compare(db, true);
		step = sqlite3_prepare_v2(db, "PRAGMA integrity_check(1)", -1, &q, NULL);
		if (step == SQLITE_OK && (step = sqlite3_step(q)) == SQLITE_ROW)
			text = (const char *)sqlite3_column_text(q, 0);
		if (text != NULL && !db_lacks_memory(db, text))
			rc = strcmp(text, "ok") == 0;
		else if ((step & 0xff) == SQLITE_CORRUPT || (step & 0xff) == SQLITE_NOTADB)
			rc = 0;
		else
			fail(db, path, err);
	}
	sqlite3_finalize(q);
	sqlite3_close(db);
	return rc;
}

/*
 * The copy has the store's damage: replaces it by a new one of all that is whole, with derived data
 * made anew.
 */
static int
rebuild_copy(const char *temp, struct err *err)
{
	char *damaged = db_text("%s.damaged", temp);
	struct store *from = NULL, *t = NULL;
	int rc = -1;

	if (rename(temp, damaged) < 0)
		err_set_errno(err, ERR_IO, "cannot rename '%s'", temp);
	else if (store_open(damaged, STORE_REPAIR, &from, err) == 0) {
		pagesum_compare(from->db->sqlite, true);
		rc = rebuild_into(from, temp, NULL, NULL, &t, err);
	}
	store_close(t);
	store_close(from);
	rebuild_remove(damaged);
	sqlite3_free(damaged);
	return rc;
}

/*
 * For a store of an older version: opening the copy would bring it up to date, after making a copy
 * of it. Nobody else writes meanwhile, so what is whole is taken from the store itself.
 */
static int
rebuild_older(struct store *s, const char *temp, struct err *err)
{
	struct store *t = NULL;

	rebuild_remove(temp);
	int rc = rebuild_into(s, temp, NULL, NULL, &t, err);
	store_close(t);
	return rc;
}

/* For a store without sums: writes the copy anew page by page, so that it has them. */
static int
add_sums(const char *temp, struct err *err)
{
	char *without = db_text("%s.without", temp), *sql = NULL;
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
	sqlite3 *db = NULL;
	int fd = -1, rc = -1;

	/* VACUUM INTO takes an empty file and keeps its mode */
	if (rename(temp, without) < 0 || (fd = open(temp, flags, 0600)) < 0) {
		err_set_errno(err, ERR_IO, "cannot create '%s'", temp);
		goto out;
	}
	close(fd);
	sql = db_text("VACUUM INTO %Q", temp);
	if (sqlite3_open_v2(without, &db, SQLITE_OPEN_READWRITE, PAGESUM) == SQLITE_OK) {
		pagesum_want(db);
		rc = sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -1;
	}
	if (rc < 0)
		fail(db, temp, err);
out:
	sqlite3_close(db);
	sqlite3_free(sql);
	rebuild_remove(without);
	sqlite3_free(without);
	return rc;
}

static int
copy_into(struct store *s, const char *temp, struct err *err)
{
	int whole;

	if (copy_pages(s, temp, err) < 0 || (whole = is_whole(temp, err)) < 0)
		return -1;
	if (whole && !pagesum_has(s->db->sqlite))
		return add_sums(temp, err);
	if (!whole && (s->db->older ? rebuild_older(s, temp, err) : rebuild_copy(temp, err)) < 0)
		return -1;
	if (!whole && (whole = is_whole(temp, err)) <= 0)
		return whole < 0 ? -1 : err_set(err, ERR_IO, "backup is damaged: '%s'", temp);
	return 0;
}

/* ---- its name ---- */

static int
put_failed(const char *to, struct err *err)
{
	return errno == EEXIST ? err_set(err, ERR_USAGE, "is there already: '%s'", to) :
	    err_set_errno(err, ERR_IO, "cannot create '%s'", to);
}

/*
 * Gives temp its name. A link, not a rename: it never replaces what came there meanwhile. With two
 * names the copy would be no store, as SQLite cannot lock a file by two names: either one goes or
 * all of it. Killed between the two it has both, until somebody opens it (look.c).
 *
 * Where a file system has no links (FAT, some of networks and FUSE) the name is taken by an empty
 * file, which fails when there is one, and the rename replaces that. Killed between the two it
 * leaves the empty file: no store, and in the way of the next.
 */
static int
put_copy(const char *temp, const char *to, struct err *err)
{
	int fd;

	if (link(temp, to) == 0) {
		if (unlink(temp) == 0)
			return 0;
		err_set_errno(err, ERR_IO, "cannot remove '%s'", temp);
		unlink(to);
		return -1;
	}
	if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOTSUP && errno != ENOSYS &&
	    errno != EMLINK)
		return put_failed(to, err);
	if ((fd = open(to, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)) < 0)
		return put_failed(to, err);
	close(fd);
	if (rename(temp, to) == 0)
		return 0;
	put_failed(to, err);
	unlink(to);
	return -1;
}

static int
sync_directory_of(const char *path, struct err *err)
{
	FREED char *dir = path_directory(path);

	return sync_path(dir, err);
}

int
copy_put(const char *temp, const char *to, struct err *err)
{
	return sync_path(temp, err) < 0 || put_copy(temp, to, err) < 0 ? -1
	    : sync_directory_of(to, err);
}

int
half_begin(const char *path, struct half *h, struct err *err)
{
	FREED char *plain = store_plain_name(path);

	backup_sweep(plain);
	h->guard = db_text("%s.%d" GUARD, plain, (int)getpid());
	h->temp = db_text("%s.db", h->guard);
	h->fd = guard_open(h->guard, err);
	return h->fd < 0 ? -1 : 0;
}

void
half_end(struct half *h)
{
	FREED char *dir = path_directory(h->guard);
	char *slash = strrchr(h->guard, '/');
	int d = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (h->fd >= 0 && d >= 0)
		remove_all_of(d, dir, slash != NULL ? slash + 1 : h->guard);
	if (d >= 0)
		close(d);
	if (h->fd >= 0)
		close(h->fd);
	sqlite3_free(h->temp);
	sqlite3_free(h->guard);
}

int
sqlite_backup(struct store *s, const char *to, struct err *err)
{
	struct half h;
	struct stat st;
	int rc = half_begin(to, &h, err);

	if (rc == 0 && lstat(to, &st) == 0)
		rc = err_set(err, ERR_USAGE, "is there already: '%s'", to);
	if (rc == 0)
		rc = copy_into(s, h.temp, err);
	if (rc == 0)
		rc = copy_put(h.temp, to, err);
	half_end(&h);
	return rc;
}
