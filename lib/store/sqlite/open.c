/*
 * open.c: the first half of the store protocol: whose file it is, how a connection is set up, and
 * how an older store is brought up to date. transaction.c has the second.
 *
 * The database file itself is never opened by us while SQLite has it open: closing any descriptor
 * of it would drop SQLite's own locks.
 */
#include "store/sqlite/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/embedded.h"
#include "store/records/rows.h"
#include "store/sqlite/pagesum.h"
#include "store/sync.h"
#include "store/index/segments.h"
#include "store/write/writer.h"

#define LENGTH_MAX        (64 << 20)
#define OPEN_ALWAYS       (SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE)

/*
 * Handles of this process: while there is one, no store is looked at by a descriptor of ours, whose
 * close would drop SQLite's locks. Threads may open stores of their own at the same time: a look
 * and the opening after it are one step.
 */
static unsigned n_open;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/*
 * Before its first use: memory is not counted, which nobody asks for and which costs a mutex each
 * time, and the small pieces that reading the schema and preparing statements take come out of one
 * block that is large enough for them (SQLite's has 100 slots). Together .2 to .3 ms of a search.
 */
static void
set_up_sqlite(void)
{
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 1200, 400);
	pagesum_set_up();
}

/* ---- the file ---- */

int
make_directories(const char *path, struct err *err)
{
	FREED char *dir = xstrdup(path);

	for (char *p = dir + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		if (mkdir(dir, 0700) < 0 && errno != EEXIST && errno != EROFS && errno != EACCES)
			return err_set_errno(err, ERR_IO, "cannot create '%s'", dir);
		*p = '/';
	}
	return 0;
}

/*
 * Makes the empty file 0600 before SQLite sees it, so that its log and index files get the same
 * mode.
 */
static int
make_file(const char *path, struct err *err)
{
	if (make_directories(path, err) < 0)
		return -1;
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 && errno != EEXIST)
		return err_set_errno(err,
		    errno == EACCES || errno == EROFS || errno == EPERM ? ERR_PERM
			: errno == ENOENT || errno == ENOTDIR		? ERR_NOINPUT
									: ERR_IO,
		    "cannot create '%s'", path);
	if (fd >= 0)
		close(fd);
	return 0;
}

/*
 * Whether no file can be made beside the store: it is mounted read-only, or the directory is
 * another user's.
 */
static bool
beside_is_read_only(const char *path)
{
	struct statvfs v;
	FREED char *dir = path_directory(path);
	bool shut = access(dir, W_OK) != 0;

	return shut || (statvfs(path, &v) == 0 && (v.f_flag & ST_RDONLY));
}

int64_t
bytes_beside(const struct db *d, const char *end)
{
	char *path = db_text("%s%s", d->path, end);
	struct stat st;
	int64_t n = stat(path, &st) == 0 ? (int64_t)st.st_size : -1;

	sqlite3_free(path);
	return n;
}

static int
opened(struct store *s, int rc, struct err *err)
{
	if (rc == SQLITE_OK)
		return 0;
	return s->db->sqlite == NULL ? err_set(err, ERR_BUG, "out of memory")
				     : db_fail(s->db, err, "open");
}

/*
 * For reading, with nothing made beside the file. SQLite reads a log by the index FILE-shm, which
 * it makes where there is none: it cannot in a directory that is not ours or on a full disk, and of
 * another user's store it would leave one that its owner cannot write to. Without a log the file is
 * read as it stands. With one its index is made in memory, which SQLite does for who has the file
 * alone; as nobody can be at work there without FILE-shm, it is enough to say so.
 */
static int
open_alone(struct store *s, const char *real, struct err *err)
{
	int flags = SQLITE_OPEN_READONLY | OPEN_ALWAYS;

	s->db->read_only = s->db->alone = true;
	if (bytes_beside(s->db, "-wal") > 0) {
		if (opened(s, sqlite3_open_v2(real, &s->db->sqlite, flags, PAGESUM_ALONE), err) < 0)
			return -1;
		return db_exec(s->db, "PRAGMA locking_mode = EXCLUSIVE", err, "open");
	}
	LOCAL(buf) uri = buf_of(SIZE_MAX / 4);
	add_uri(&uri, real);
	buf_adds(&uri, "?immutable=1");
	int rc = sqlite3_open_v2(uri.data, &s->db->sqlite, flags | SQLITE_OPEN_URI, PAGESUM);
	return opened(s, rc, err);
}

/*
 * Whether somebody has the store open, or had it when he was killed, or half a transaction is to be
 * taken back. Then no file need be made, but locks are needed.
 */
static bool
is_shared(const struct store *s)
{
	return (bytes_beside(s->db, "-shm") >= 0 && bytes_beside(s->db, "-wal") >= 0) ||
	    bytes_beside(s->db, "-journal") > 0;
}

static int
open_database(struct store *s, const char *real, struct err *err)
{
	int flags = OPEN_ALWAYS;

	if (sqlite3_libversion_number() < SQLITE_LEAST)
		return err_set(err, ERR_CONFIG,
		    "SQLite " SQLITE_LEAST_NAME " or later is needed: the "
		    "library here is %s",
		    sqlite3_libversion());
	s->db->read_only = access(s->db->path, W_OK) != 0 ||
	    (s->db->mode == STORE_READ && beside_is_read_only(s->db->path));
	if (s->db->read_only && s->db->mode != STORE_READ)
		return err_set(err, ERR_PERM, "store cannot be written: '%s'", s->db->path);
	if (s->db->read_only && !is_shared(s))
		return open_alone(s, real, err);
	flags |= s->db->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
	return opened(s, sqlite3_open_v2(real, &s->db->sqlite, flags, PAGESUM), err);
}

struct look { struct store *s; char **real; struct err *err; int rc; };

static void
look_then_open(void *arg)
{
	struct look *v = arg;
	struct db *d = v->s->db;

	v->rc = store_look(d->path, n_open > 0, &d->of_another, v->real, v->err);
	if (v->rc == 0)
		v->rc = open_database(v->s, *v->real, v->err);
}

static int
look_and_open(struct store *s, char **real, struct err *err)
{
	struct look v = { s, real, err, -1 };

	pthread_mutex_lock(&opening);
	bool done = alloc_try(look_then_open, &v);
	n_open += s->db->sqlite != NULL;
	pthread_mutex_unlock(&opening);
	if (!done)
		out_of_memory();
	return v.rc;
}

static void
close_database(struct store *s)
{
	for (sqlite3_stmt *q; (q = sqlite3_next_stmt(s->db->sqlite, NULL)) != NULL; )
		sqlite3_finalize(q);
	for (size_t i = 0; i < s->db->n_stmts; i++)
		free(s->db->stmts[i]);
	s->db->n_stmts = 0;
	s->db->version = NULL;
	pthread_mutex_lock(&opening);
	sqlite3_close(s->db->sqlite);
	s->db->sqlite = NULL;
	n_open--;
	pthread_mutex_unlock(&opening);
}

/* Sets up a connection, as far as the file need not be read for that. */
static int
harden(struct store *s, struct err *err)
{
	static const int on[] = { SQLITE_DBCONFIG_DEFENSIVE },
			 off[] = { SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_DQS_DML,
				 SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
				 SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW };

	for (size_t i = 0; i < NELEM(on); i++)
		sqlite3_db_config(s->db->sqlite, on[i], 1, NULL);
	for (size_t i = 0; i < NELEM(off); i++)
		sqlite3_db_config(s->db->sqlite, off[i], 0, NULL);
	sqlite3_limit(s->db->sqlite, SQLITE_LIMIT_LENGTH, LENGTH_MAX);
	sqlite3_limit(s->db->sqlite, SQLITE_LIMIT_SQL_LENGTH, 100000);
	/* VACUUM INTO needs a temporary file */
	sqlite3_limit(s->db->sqlite, SQLITE_LIMIT_ATTACHED, 1);
	sqlite3_limit(s->db->sqlite, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50);
	sqlite3_limit(s->db->sqlite, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
	sqlite3_busy_timeout(s->db->sqlite, DB_BUSY_MS);
	pagesum_want(s->db->sqlite);
	return db_exec(s->db,
	    "PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON; "
	    "PRAGMA wal_autocheckpoint = 0; PRAGMA fullfsync = ON",
	    err, "open");
}

static int
on_wal(void *arg, sqlite3 *db, const char *name, int n_pages)
{
	(void)db;
	(void)name;
	((struct db *)arg)->n_wal_pages = n_pages;
	return SQLITE_OK;
}

static int
apply_schema(struct store *s, int64_t from, struct err *err)
{
	char name[32], sql[128];

	for (int64_t v = from + 1; v <= STORE_VERSION; v++) {
		const struct embedded *f;
		snprintf(name, sizeof(name), "schema/store-%d.sql", (int)v);
		if ((f = embedded_find(name)) == NULL)
			return err_set(err, ERR_BUG, "no '%s' in this program", name);
		if (db_exec(s->db, f->text, err, "schema") < 0 ||
		    (v == 10 && cards_pack_all(s, err) < 0) ||
		    (v == 12 && steps_name_all(s, err) < 0) ||
		    (v == 13 && from > 0 && work_fill(s, err) < 0) ||
		    (v == 15 && store_new_id(s, err) < 0))
			return -1;
	}
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d", STORE_VERSION);
	return db_exec(s->db, sql, err, "schema");
}

/*
 * Pages of versions before 11 have no room for a sum. The backup's have, and the sums: its pages
 * are written over the store's. A copy that is not of the store's version was made of what is left
 * of a damaged one. That store stays as it is, without sums, until it is repaired.
 */
static int
take_sums(struct store *s, int64_t version, const char *backup, struct err *err)
{
	const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW;
	sqlite3 *from = NULL;
	int64_t its_version;
	int rc = 0;

	if (sqlite3_open_v2(backup, &from, flags, PAGESUM) != SQLITE_OK ||
	    !sqlite_number(from, "PRAGMA user_version", &its_version))
		rc = err_set(err, ERR_IO, "cannot read '%s'", backup);
	else if (its_version == version)
		rc = rebuild_write_over(s, from, err);
	sqlite3_close(from);
	return rc;
}

/*
 * Copies the store to FILE.v1.backup, with a number added if that exists, as after a migration that
 * was killed.
 */
static int
back_up_version(struct store *s, int64_t version, struct err *err)
{
	char *to = db_text("%s.v%d.backup", s->db->path, (int)version);

	for (int i = 2; access(to, F_OK) == 0 && i < 1000; i++) {
		sqlite3_free(to);
		to = db_text("%s.v%d.backup%d", s->db->path, (int)version, i);
	}
	s->db->older = true;
	int rc = store_backup(s, to, err);
	s->db->older = false;
	if (rc == 0)
		rc = take_sums(s, version, to, err);
	sqlite3_free(to);
	return rc;
}

/*
 * A copy by VACUUM, as a backup is, has no log: readers and writers of it wait for each other. Who
 * writes to it first gives it one, unless somebody has it open: then the next does.
 */
static int
use_log(struct store *s, struct err *err)
{
	int64_t has;

	sqlite_number(s->db->sqlite, "SELECT journal_mode = 'wal' FROM pragma_journal_mode", &has);
	if (has)
		return 0;
	if (db_lock(s->db, true, err) < 0)
		return -1;
	sqlite3_busy_timeout(s->db->sqlite, 0);
	sqlite3_exec(s->db->sqlite, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
	sqlite3_busy_timeout(s->db->sqlite, DB_BUSY_MS);
	db_unlock(s->db);
	return 0;
}

/*
 * Under the lock: makes the tables, or brings the store up to date, unless another process has done
 * so meanwhile.
 */
static int
bring_up_to_date(struct store *s, struct err *err)
{
	int64_t version;
	char text[64];
	int rc = -1;

	if (db_lock(s->db, true, err) < 0)
		return -1;
	if (db_number(s->db, "PRAGMA user_version", &version, err, "open") < 0)
		goto out;
	if (version == STORE_VERSION) {
		rc = 0;
		goto out;
	}
	if (version == 0) {
		/* written into the file itself, before there is a log: see look.c */
		snprintf(text, sizeof(text),
		    "PRAGMA application_id = %d; PRAGMA journal_mode = WAL", STORE_APPLICATION_ID);
		if (db_exec(s->db, text, err, "open") < 0)
			goto out;
	}
	/* without a log, pages that memory does not hold come before the first, and get no sum */
	if (version > 0 && (use_log(s, err) < 0 || back_up_version(s, version, err) < 0))
		goto out;
	if (db_exec(s->db, "BEGIN IMMEDIATE", err, "open") < 0)
		goto out;
	store_features(text, sizeof(text));
	if (apply_schema(s, version, err) < 0 ||
	    (version == 0 && store_meta_put(s, "features", text, err) < 0) ||
	    db_exec(s->db, "COMMIT", err, "open") < 0) {
		sqlite3_exec(s->db->sqlite, "ROLLBACK", NULL, NULL, NULL);
		goto out;
	}
	/* all pages are in the log now, and the next process would have to read all of it */
	rc = version > 0 ? store_checkpoint(s, err) : 0;
out:
	db_unlock(s->db);
	return rc;
}

/* Checks that the file is a store of a version that is known; *version 0: it is empty. */
static int
identify(struct store *s, int64_t *version, struct err *err)
{
	int64_t id, n_tables;

	if (db_number(s->db, "PRAGMA application_id", &id, err, "open") < 0 || db_number(s->db,
	    "PRAGMA user_version", version, err, "open") < 0)
		return -1;
	/* of who writes over it nobody else asks whether its tables can be read */
	if (s->mode == STORE_OVER &&
	    db_number(s->db, "SELECT count(*) FROM sqlite_schema", &n_tables, err, "open") < 0)
		return -1;
	if (id == STORE_APPLICATION_ID)
		return store_known(*version, s->db->path, err);
	if (db_number(s->db, "SELECT count(*) FROM sqlite_schema", &n_tables, err, "open") < 0)
		return -1;
	/* another process may have made it between the two looks */
	if (n_tables != 0 && id == 0 && db_number(s->db, "PRAGMA application_id", &id, err,
	    "open") == 0 && id == STORE_APPLICATION_ID)
		return db_number(s->db, "PRAGMA user_version", version, err, "open");
	if (id != 0 || *version != 0 || n_tables != 0)
		return err_set(err, ERR_CONFIG, "not a mem store: '%s'", s->db->path);
	return 0;
}

/*
 * A second try by who only reads and had no room for the index of a log; the first error stays
 * where that is not so.
 */
static int
again_alone(struct store *s, const char *real, int64_t *version, struct err *err)
{
	int why = sqlite3_errcode(s->db->sqlite) & 0xff, rc;

	if (s->db->mode != STORE_READ || s->db->alone ||
	    (why != SQLITE_IOERR && why != SQLITE_FULL && why != SQLITE_CANTOPEN))
		return -1;
	err_clear(err);
	sqlite3_db_config(s->db->sqlite, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	close_database(s);
	pthread_mutex_lock(&opening);
	rc = open_alone(s, real, err);
	n_open += s->db->sqlite != NULL;
	pthread_mutex_unlock(&opening);
	return rc < 0 || harden(s, err) < 0 || identify(s, version, err) < 0 ? -1 : 0;
}

/*
 * For who writes over the store: one whose header is ours, and of which SQLite reads no more, has
 * no pages to it from here on.
 */
static int
take_broken(struct store *s, int64_t *version, struct err *err)
{
	int why = sqlite3_errcode(s->db->sqlite) & 0xff;

	if (s->mode != STORE_OVER || (why != SQLITE_CORRUPT && why != SQLITE_NOTADB))
		return -1;
	err_clear(err);
	*version = STORE_VERSION;
	s->db->broken = true;
	sqlite3_db_config(s->db->sqlite, SQLITE_DBCONFIG_RESET_DATABASE, 1, NULL);
	return 0;
}

int
sqlite_open(struct store *s, const char *path, struct err *err)
{
	/* what is copied or written over as it is may be of any version that is known */
	bool as_it_is = s->mode == STORE_PAGES || s->mode == STORE_OVER;
	enum store_mode mode = s->mode == STORE_PAGES ? STORE_READ
	    : s->mode == STORE_OVER		      ? STORE_CREATE
						      : s->mode;
	int64_t version;
	FREED char *real = NULL;

	pthread_once(&once, set_up_sqlite);
	s->db = xcalloc(1, sizeof(*s->db));
	s->db->driver = &file_driver;
	s->db->path = store_plain_name(path);
	s->db->mode = mode;
	s->db->lock_fd = -1;
	s->db->hold_fd = -1;
	if (mode == STORE_CREATE && make_file(path, err) < 0)
		return -1;
	if (look_and_open(s, &real, err) < 0 || harden(s, err) < 0 ||
	    (identify(s, &version, err) < 0 && again_alone(s, real, &version, err) < 0 &&
		take_broken(s, &version, err) < 0)) {
		s->db->mode = STORE_READ;          /* another user's log stays as it is */
		return -1;
	}
	if (version == 0 && mode != STORE_CREATE)
		return err_set(err, ERR_NOINPUT, "store is empty: '%s'", path);
	if (version < STORE_VERSION && !(as_it_is && version > 0)) {
		if (mode == STORE_READ)
			return err_set(err, ERR_CONFIG,
			    "store is of version %d, which mem-check --migrate brings up to date: "
			    "'%s'",
			    (int)version, path);
		if (bring_up_to_date(s, err) < 0)
			return -1;
	}
	if (mode != STORE_READ && !s->db->broken && use_log(s, err) < 0)
		return -1;
	if (mode != STORE_READ &&
	    db_exec(s->db,
		strcmp(conf_text("sync"), "normal") == 0 ? "PRAGMA synchronous = NORMAL"
							 : "PRAGMA synchronous = FULL",
		err, "open") < 0)
		return -1;
	if (mode != STORE_READ && db_exec(s->db, WRITE_PAGES, err, "open") < 0)
		return -1;
	if (mode == STORE_READ &&
	    db_exec(s->db, "PRAGMA query_only = ON; PRAGMA synchronous = NORMAL; " FEW_PAGES, err,
		"open") < 0)
		return -1;
	sqlite3_wal_hook(s->db->sqlite, on_wal, s->db);
	return 0;
}

void
sqlite_close(struct store *s)
{
	/*
	 * A reader leaves the log as it is: copying it would cost an fsync, and no lock of ours is
	 * held. But where the store is another's the log and its index, which who opens first
	 * makes, must not stay: its owner may be unable to write to them.
	 */
	if (s->db->sqlite != NULL && s->db->mode == STORE_READ &&
	    (s->db->alone || !s->db->of_another))
		sqlite3_db_config(s->db->sqlite, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	if (s->db->sqlite != NULL)
		close_database(s);
	if (s->db->lock_fd >= 0)
		close(s->db->lock_fd);
	if (s->db->hold_fd >= 0)
		close(s->db->hold_fd);
	free(s->db->stmts);
	free(s->db->path);
	free(s->db);
}
