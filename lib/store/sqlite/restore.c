/*
 * restore.c: a copy becomes the store again.
 *
 * A file that is copied over a store by hand is undone by FILE-wal: SQLite plays that log of the
 * store before into the file that stands there now. And whoever has the store open goes on with
 * pages that he read before. So the copy is taken beside the store, checked and brought up to date
 * there, and its pages are then written over the store's as one transaction in the store's own log,
 * as a repair does (rebuild.c).
 */
#include "store/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/gz.h"
#include "store/sqlite/pagesum.h"
#include "store/sqlite/sqlite.h"

#define PIECE_BYTES (64u << 10)
#define KEPT        ".replaced"
#define KEPT_MOST   1000

/* ---- the copy ---- */

/* Whether gzip or zstd has packed it. Nothing is open yet whose locks a descriptor could drop. */
static bool
is_packed(const char *path)
{
	static const unsigned char gzip[] = { 0x1f, 0x8b }, zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	unsigned char head[4] = { 0 };
	bool is = fd >= 0 && pread(fd, head, sizeof(head), 0) > 0 &&
	    (memcmp(head, gzip, sizeof(gzip)) == 0 || memcmp(head, zstd, sizeof(zstd)) == 0);

	if (fd >= 0)
		close(fd);
	return is;
}

static int
unpack(const char *path, const char *to, struct err *err)
{
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	FREED char *piece = xmalloc(PIECE_BYTES);
	struct gz *gz = NULL;
	ptrdiff_t got = -1;

	if (fd < 0)
		err_set_errno(err, ERR_IO, "cannot create '%s'", to);
	else if (gz_open(path, &gz, err) == 0)
		while ((got = gz_read(gz, piece, PIECE_BYTES, err)) > 0)
			if (write(fd, piece, (size_t)got) != got) {
				err_set_errno(err, ERR_IO, "cannot write '%s'", to);
				got = -1;
				break;
			}
	gz_close(gz);
	if (fd >= 0)
		close(fd);
	return got < 0 ? -1 : 0;
}

/* Takes the copy, with what its own log has, to a file beside the store. */
static int
take(const char *copy, const char *to, struct err *err)
{
	struct store *c = NULL;

	if (is_packed(copy))
		return unpack(copy, to, err);
	int rc = store_open(copy, STORE_PAGES, &c, err);
	if (rc == 0)
		rc = copy_pages(c, to, err);
	store_close(c);
	return rc;
}

struct found { check_fn *fn; void *arg; bool damaged, other_index; };

static int
note_finding(void *arg, const struct check_finding *f)
{
	struct found *v = arg;

	/* an index by other rules is made anew, as it is by --repair */
	if (f->level >= 2 && strcmp(f->what, "store") == 0)
		v->other_index = true;
	else if (f->level >= 2)
		v->damaged = true;
	return f->level > 0 && v->fn != NULL ? v->fn(v->arg, f) : 0;
}

/*
 * Opens what was taken, of this version and in order. Nobody else looks at it, so what is found may
 * be told at once.
 */
static int
open_checked(const char *path, const char *copy, enum check_level level, check_fn *fn, void *arg,
	struct store **out, struct err *err)
{
	struct found found = { fn, arg, false, false };
	struct store *t = NULL;
	struct err why = ERR_INIT;

	if (store_open(path, STORE_REPAIR, &t, &why) < 0) {
		err_set(err, why.code, "copy '%s' cannot be used: %s", copy, why.msg);
		goto fail;
	}
	if (store_check(t, MAX(level, CHECK_FULL), note_finding, &found, err) < 0)
		goto fail;
	if (found.damaged) {
		err_set(err, ERR_IO, "copy is damaged, nothing was changed: '%s'", copy);
		goto fail;
	}
	if (found.other_index && store_repair(t, NULL, NULL, err) < 0)
		goto fail;
	if (store_checkpoint(t, err) < 0)
		goto fail;
	*out = t;
	return 0;
fail:
	store_close(t);
	return -1;
}

/* ---- what the store was ---- */

/*
 * Copies a file that SQLite cannot read, through the descriptor that SQLite has: closing one of our
 * own would drop its locks. No piece is a page, whose sum would be taken away (pagesum.c).
 */
static int
copy_bytes(struct store *s, const char *to, struct err *err)
{
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	FREED char *piece = xmalloc(3 * PIECE_BYTES);
	sqlite3_file *f = NULL;
	sqlite3_int64 size = 0, at;
	int rc = 0, n;

	if (fd < 0)
		rc = err_set_errno(err, ERR_IO, "cannot create '%s'", to);
	else if (sqlite3_file_control(s->db->sqlite, "main", SQLITE_FCNTL_FILE_POINTER, &f) !=
		SQLITE_OK || f->pMethods->xFileSize(f, &size) != SQLITE_OK)
		rc = err_set(err, ERR_IO, "cannot read '%s'", s->db->path);
	for (at = 0; rc == 0 && at < size; at += n) {
		n = (int)MIN(size - at, 3 * (int)PIECE_BYTES);
		/* what does not fill a piece is read with the zeros behind it */
		if ((f->pMethods->xRead(f, piece, 3 * PIECE_BYTES, at) & 0xff) != SQLITE_OK &&
		    at + 3 * (int)PIECE_BYTES <= size)
			rc = err_set(err, ERR_IO, "cannot read '%s'", s->db->path);
		else if (write(fd, piece, (size_t)n) != n)
			rc = err_set_errno(err, ERR_IO, "cannot write '%s'", to);
	}
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Whether no file has the name, nor a log that would be played into what gets it. */
static bool
is_free(const char *to)
{
	char *log = db_text("%s-wal", to);
	bool is = access(to, F_OK) != 0 && access(log, F_OK) != 0;

	sqlite3_free(log);
	return is;
}

/*
 * What a store that cannot be read has in its log is kept beside what was kept of it, last: who is
 * killed before has left the log where it was.
 */
static int
keep_log(struct store *s, const char *temp, const char *to, struct err *err)
{
	char *log = db_text("%s-wal", s->db->path), *half = db_text("%s-wal", temp);
	char *kept = db_text("%s-wal", to);
	int rc = 0;

	if (bytes_beside(s->db, "-wal") > 0 && (rc = unpack(log, half, err)) == 0)
		rc = copy_put(half, kept, err);
	sqlite3_free(log);
	sqlite3_free(half);
	sqlite3_free(kept);
	return rc;
}

/* Keeps the store under a name that is free, as it is, damage and all; *kept: free it. */
static int
keep(struct store *s, const char *temp, char **kept, struct err *err)
{
	char *to = db_text("%s" KEPT, s->db->path);

	for (int i = 2; !is_free(to) && i < KEPT_MOST; i++) {
		sqlite3_free(to);
		to = db_text("%s" KEPT "%d", s->db->path, i);
	}
	int rc = s->db->broken ? copy_bytes(s, temp, err) : copy_pages(s, temp, err);
	if (rc == 0)
		rc = copy_put(temp, to, err);
	if (rc == 0 && s->db->broken)
		rc = keep_log(s, temp, to, err);
	if (rc == 0)
		*kept = xstrdup(to);
	sqlite3_free(to);
	return rc;
}

/* ---- in the place of the store ---- */

/* was: there was a store, which is kept. */
static int
put_over(const char *path, bool was, struct store *from, const struct half *h, char **kept,
	struct err *err)
{
	char *old = db_text("%s.old", h->temp);
	struct err ignored = ERR_INIT;
	struct store *s = NULL;
	int rc = -1;

	if (store_open(path, STORE_OVER, &s, err) < 0 || db_lock(s->db, true, err) < 0)
		goto out;
	sqlite_lock_note(s->db, "restored");
	if (!was || keep(s, old, kept, err) == 0) {
		if (s->db->broken)             /* its header does not say that there are sums */
			pagesum_copy_begin(from->db->sqlite, s->db->sqlite);
		rc = rebuild_write_over(s, from->db->sqlite, err);
	}
	sqlite3_db_config(s->db->sqlite, SQLITE_DBCONFIG_RESET_DATABASE, 0, NULL);
	if (rc == 0)
		store_checkpoint(s, &ignored);         /* else who writes next does it */
	sqlite_lock_note(s->db, "");
	db_unlock(s->db);
out:
	store_close(s);
	sqlite3_free(old);
	return rc;
}

static bool
are_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

int
store_restore(const char *path, const char *copy, enum check_level level, check_fn *fn, void *arg,
	char **kept, struct err *err)
{
	struct stat store, given;
	struct store *t = NULL;
	struct half h;
	char *real = NULL;
	bool was, of_another;
	int rc = -1;

	*kept = NULL;
	if (!store_is_file(path) || !store_is_file(copy))
		return err_set(err, ERR_USAGE,
		    "a file takes the place of a file: of a database see mem-check --copy");
	if (stat(copy, &given) < 0)
		return err_set_errno(err, errno == EACCES ? ERR_PERM : ERR_NOINPUT,
		    "no copy '%s'", copy);
	was = stat(path, &store) == 0;
	if (was && are_same(&store, &given))
		return err_set(err, ERR_USAGE, "is the store itself: '%s'", copy);
	if (was ? store_look(path, false, &of_another, &real, err) < 0
		: make_directories(path, err) < 0)
		return -1;
	free(real);
	if (half_begin(path, &h, err) == 0 && take(copy, h.temp, err) == 0 &&
	    open_checked(h.temp, copy, level, fn, arg, &t, err) == 0) {
		db_reset_all(t->db);
		rc = put_over(path, was, t, &h, kept, err);
	}
	store_close(t);
	half_end(&h);
	if (rc == 0 && *kept == NULL)
		*kept = xstrdup("");
	return rc;
}
