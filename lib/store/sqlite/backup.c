/*
 * backup.c: a copy of the store, of one moment of it, whole or not there at all.
 *
 * SQLite's backup copies the pages of the open snapshot, so that after a check in the same snapshot
 * the copy is what was checked, whoever has written meanwhile. VACUUM INTO could not do that: it
 * takes a snapshot of its own. The copy is written under a name of its own beside the target,
 *
 *     NAME.HOST.PID.mem.tmp
 *
 * and files that go with it have longer names. It gets the target's name when it is whole. A backup
 * that is killed leaves it behind: the next one into the same directory removes what such names say
 * is of a process of this machine that is no more.
 */
#include "store/sqlite/db.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

#define TEMPORARY ".mem.tmp"
#define HOST_MAX  32                           /* characters of the machine's name in a file's */

/* ---- names ---- */

/* The machine's name as far as a file's can have it; two machines may write to one directory. */
static void
host_name(char out[HOST_MAX + 1])
{
	char name[256] = "";

	if (gethostname(name, sizeof(name) - 1) < 0)
		name[0] = '\0';
	snprintf(out, HOST_MAX + 1, "%.*s", HOST_MAX, name[0] != '\0' ? name : "localhost");
	for (char *p = out; (p = strchr(p, '/')) != NULL; )
		*p = '_';
}

/* The directory that path is in; free it. */
static char *
directory_of(const char *path)
{
	char *dir = xstrdup(path), *slash = strrchr(dir, '/');

	if (slash == NULL) {
		free(dir);
		return xstrdup(".");
	}
	slash[slash == dir] = '\0';
	return dir;
}

/* Is it of a backup by a process of this machine, and is there none of that number? */
static bool
is_left_behind(const char *name, const char *host)
{
	const char *end = strstr(name, TEMPORARY), *digits = end;
	size_t len = strlen(host);
	long pid;

	if (end == NULL)
		return false;
	while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
		digits--;
	if (digits == end || end - digits > 10 || (size_t)(digits - name) < len + 2 || digits[-1] != '.' ||
	    memcmp(digits - 1 - len, host, len) != 0 || digits[-2 - (ptrdiff_t)len] != '.')
		return false;
	pid = strtol(digits, NULL, 10);
	return pid > 0 && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

void
backup_sweep(const char *path)
{
	char *dir = directory_of(path), host[HOST_MAX + 1];
	DIR *d = opendir(dir);
	struct dirent *e;

	host_name(host);
	while (d != NULL && (e = readdir(d)) != NULL)
		if (is_left_behind(e->d_name, host))
			unlinkat(dirfd(d), e->d_name, 0);      /* one that cannot go stays: the next backup tries again */
	if (d != NULL)
		closedir(d);
	free(dir);
}

/* ---- the copy ---- */

static int
sync_path(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = -1;

	/* of a directory some file systems have none to do */
	if (fd < 0 || (fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP))
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
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600), rc;
	sqlite3_backup *b;

	*out = NULL;
	if (fd < 0)
		return err_set_errno(err, ERR_IO, "cannot create '%s'", path);
	close(fd);
	db_reset_all(s);
	/* nobody else has it and it goes when this fails: no journal, and none of the log's files, beside it */
	if (sqlite3_open_v2(path, out, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
	    sqlite3_exec(*out, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY", NULL, NULL, NULL) != SQLITE_OK ||
	    (b = sqlite3_backup_init(*out, "main", s->db, "main")) == NULL)
		return fail(*out, path, err);
	rc = sqlite3_backup_step(b, -1);
	if (sqlite3_backup_finish(b) == SQLITE_OK && rc == SQLITE_DONE)
		return 0;
	return fail(*out, path, err);
}

/* A copy of the pages at temp, without a log: whoever reads it needs and leaves nothing beside it. */
static int
copy_pages(struct store *s, const char *temp, struct err *err)
{
	sqlite3 *db;
	int rc = pages_copy(s, temp, &db, err);

	if (rc == 0 && sqlite3_exec(db, "PRAGMA journal_mode = MEMORY", NULL, NULL, NULL) != SQLITE_OK)
		rc = fail(db, temp, err);
	sqlite3_close(db);
	return rc;
}

/* 1: all pages and indexes are in order; 0: they are not. */
static int
is_whole(const char *path, struct err *err)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *q = NULL;
	int rc = -1, step;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
		fail(db, path, err);
	} else {
		step = sqlite3_prepare_v2(db, "PRAGMA integrity_check(1)", -1, &q, NULL);
		if (step == SQLITE_OK && (step = sqlite3_step(q)) == SQLITE_ROW)
			rc = strcmp((const char *)sqlite3_column_text(q, 0), "ok") == 0;
		else if ((step & 0xff) == SQLITE_CORRUPT || (step & 0xff) == SQLITE_NOTADB)
			rc = 0;
		else
			fail(db, path, err);
	}
	sqlite3_finalize(q);
	sqlite3_close(db);
	return rc;
}

/* The copy has the damage of the store: what is whole of it becomes another, at the same place, and what is derived is made anew. */
static int
rebuild_copy(const char *temp, struct err *err)
{
	char *damaged = sqlite3_mprintf("%s.damaged", temp);
	struct store *from = NULL, *t = NULL;
	int rc = -1;

	if (rename(temp, damaged) < 0)
		err_set_errno(err, ERR_IO, "cannot rename '%s'", temp);
	else if (store_open(damaged, STORE_REPAIR, &from, err) == 0)
		rc = rebuild_into(from, temp, NULL, NULL, &t, err);
	store_close(t);
	store_close(from);
	rebuild_remove(damaged);
	sqlite3_free(damaged);
	return rc;
}

static int
copy_into(struct store *s, const char *temp, struct err *err)
{
	int whole;

	if (copy_pages(s, temp, err) < 0 || (whole = is_whole(temp, err)) < 0)
		return -1;
	if (!whole && rebuild_copy(temp, err) < 0)
		return -1;
	if (!whole && (whole = is_whole(temp, err)) <= 0)
		return whole < 0 ? -1 : err_set(err, ERR_IO, "backup is damaged: '%s'", temp);
	return 0;
}

/* ---- its name ---- */

static int
put_failed(const char *to, struct err *err)
{
	return errno == EEXIST ? err_set(err, ERR_USAGE, "is there already: '%s'", to) : err_set_errno(err, ERR_IO, "cannot create '%s'", to);
}

/*
 * Gives temp its name. A link, not a rename: it never replaces what came there meanwhile. With two names the copy would be no store,
 * as SQLite cannot lock a file by two names: either one goes or all of it. Killed between the two it has both, until
 * somebody opens it (look.c).
 *
 * Where a file system has no links (FAT, some of networks and FUSE) the name is taken by an
 * empty file, which fails when there is one, and the rename replaces that. Killed between the two it leaves the empty file: no store, and in the way of the next.
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
	if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOTSUP && errno != ENOSYS && errno != EMLINK)
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
	char *dir = directory_of(path);
	int rc = sync_path(dir, err);

	free(dir);
	return rc;
}

int
store_backup(struct store *s, const char *to, struct err *err)
{
	char *plain = store_plain_name(to), host[HOST_MAX + 1], *temp;
	struct stat st;
	int rc = -1;

	host_name(host);
	temp = sqlite3_mprintf("%s.%s.%d" TEMPORARY, plain, host, (int)getpid());
	backup_sweep(plain);
	if (lstat(to, &st) == 0) {
		err_set(err, ERR_USAGE, "is there already: '%s'", to);
		goto out;
	}
	if (copy_into(s, temp, err) == 0 && sync_path(temp, err) == 0 && put_copy(temp, to, err) == 0)
		rc = sync_directory_of(to, err);
	rebuild_remove(temp);                  /* with its name, or what a failure has left */
out:
	sqlite3_free(temp);
	free(plain);
	return rc;
}
