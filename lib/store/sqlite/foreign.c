/*
 * foreign.c: opens read-only, with SQLite's own layer for files, as the pages of another program
 * have no checksums of ours. A database with a log (WAL) can be read without writing only while its
 * program has it open, or when the log is empty: then the file is read as it lies.
 */
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/conf.h"
#include "base/gz.h"
#include "base/temp_file.h"
#include "store/foreign.h"

#define FOREIGN_WAIT_MS 2000
#define LAYER           "unix"

struct foreign {
	sqlite3 *sqlite;
	char *path;
};

bool
foreign_is(const char *bytes, size_t len)
{
	static const char magic[] = "SQLite format 3";

	return len >= sizeof(magic) && memcmp(bytes, magic, sizeof(magic)) == 0;
}

static int
fail(const struct foreign *f, struct err *err)
{
	int rc = f->sqlite != NULL ? sqlite3_errcode(f->sqlite) : SQLITE_NOMEM;

	if (rc == SQLITE_BUSY || rc == SQLITE_LOCKED)
		return err_set(err, ERR_BUSY, "its program is writing to it: '%s'", f->path);
	return err_set(err, ERR_DATA, "cannot read the database '%s': %s", f->path,
	    f->sqlite != NULL ? sqlite3_errmsg(f->sqlite) : "out of memory");
}

/* A path as a URI: all but plain letters as %XX. */
static void
add_uri(struct buf *b, const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "/._-";

	buf_adds(b, "file:");
	for (; *path != '\0'; path++) {
		if (strchr(plain, *path) != NULL)
			buf_addc(b, *path);
		else
			buf_addf(b, "%%%02X", (unsigned char)*path);
	}
}

#define UNPACK_BYTES (64u << 10)   /* bytes that are unpacked at a time */
#define STEPS_A_LOOK 100000 /* steps of SQLite's machine between two looks at the time: some ms */

/* A view or a column of a foreign schema may never end; a signal ends it. */
static int
is_stopped(void *arg)
{
	(void)arg;
	return gz_stop != NULL && *gz_stop != 0;
}

/* Reads what fd holds, packed, into out. */
static int
unpack(int fd, struct buf *out, struct err *err)
{
	char path[32];
	ptrdiff_t got;
	struct gz *gz;

	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	if (gz_open(path, &gz, err) != 0)
		return -1;
	do {
		char *to = buf_reserve(out, UNPACK_BYTES);

		got = to != NULL ? gz_read(gz, to, UNPACK_BYTES, err)
				 : err_set(err, ERR_DATA, "too long (setting line_bytes)");
		out->len += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	gz_close(gz);
	return got < 0 ? -1 : 0;
}

/* unzstd(BLOB): the text that zstd packed, or an error that ends the statement. */
static void
unzstd(sqlite3_context *context, int n, sqlite3_value **values)
{
	size_t len = (size_t)sqlite3_value_bytes(values[0]);
	const void *packed = sqlite3_value_blob(values[0]);
	struct err err = ERR_INIT;
	struct buf out;
	int fd = temp_file();

	(void)n;
	buf_init(&out, conf_caps.line_bytes + UNPACK_BYTES);
	if (fd < 0 || pwrite(fd, packed, len, 0) != (ssize_t)len)
		err_set_errno(&err, ERR_IO, "no temporary file");
	else if (unpack(fd, &out, &err) == 0)
		sqlite3_result_text(context, out.data, (int)out.len, SQLITE_TRANSIENT);
	if (err.code != 0)
		sqlite3_result_error(context, err.msg, -1);
	if (fd >= 0)
		close(fd);
	buf_release(&out);
}

/* Opens the file and reads its first page. immutable: without locks and log. */
static bool
try_open(struct foreign *f, bool immutable)
{
	struct buf uri;
	int rc;

	buf_init(&uri, 1u << 16);
	add_uri(&uri, f->path);
	buf_adds(&uri, immutable ? "?immutable=1" : "?mode=ro");
	rc = sqlite3_open_v2(uri.data, &f->sqlite,
	    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, LAYER);
	buf_release(&uri);
	if (rc == SQLITE_OK) {
		sqlite3_busy_timeout(f->sqlite, FOREIGN_WAIT_MS);
		sqlite3_progress_handler(f->sqlite, STEPS_A_LOOK, is_stopped, NULL);
		/* functions of a schema that is not ours are not run */
		sqlite3_db_config(f->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
		sqlite3_create_function(f->sqlite, "unzstd", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
		    NULL, unzstd, NULL, NULL);
		rc = sqlite3_exec(f->sqlite, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL);
	}
	return rc == SQLITE_OK;
}

static bool
has_log(const char *path)
{
	struct stat st;
	struct buf b;
	bool has;

	buf_init(&b, 1u << 16);
	buf_addf(&b, "%s-wal", path);
	has = stat(b.data, &st) == 0 && st.st_size > 0;
	buf_release(&b);
	return has;
}

int
foreign_open(const char *path, struct foreign **out, struct err *err)
{
	struct foreign *f = xcalloc(1, sizeof(*f));
	int rc = 0;

	f->path = xstrdup(path);
	if (!try_open(f, false)) {
		rc = sqlite3_errcode(f->sqlite);
		/* there is no log, and no place to make its index */
		if ((rc & 0xff) == SQLITE_CANTOPEN && !has_log(path)) {
			sqlite3_close(f->sqlite);
			rc = try_open(f, true) ? 0 : fail(f, err);
		} else {
			rc = fail(f, err);
		}
	}
	if (rc == 0)
		*out = f;
	else
		foreign_close(f);
	return rc;
}

void
foreign_close(struct foreign *f)
{
	if (f == NULL)
		return;
	sqlite3_close(f->sqlite);
	free(f->path);
	free(f);
}

bool
foreign_takes(struct foreign *f, const char *text, size_t len)
{
	sqlite3_stmt *q = NULL;
	int rc = sqlite3_prepare_v2(f->sqlite, text, (int)len, &q, NULL);

	sqlite3_finalize(q);
	return rc == SQLITE_OK && q != NULL;
}

int
foreign_each(struct foreign *f, const char *text, size_t len, foreign_fn *fn, void *arg,
	struct err *err)
{
	sqlite3_stmt *q = NULL;
	int rc = 0, got = sqlite3_prepare_v2(f->sqlite, text, (int)len, &q, NULL);

	while (got == SQLITE_OK || got == SQLITE_ROW) {
		if ((got = sqlite3_step(q)) != SQLITE_ROW)
			break;
		const char *row = (const char *)sqlite3_column_text(q, 0);

		if (row != NULL && (rc = fn(arg, row, (size_t)sqlite3_column_bytes(q, 0))) != 0)
			break;
	}
	if (rc == 0 && got != SQLITE_DONE)
		rc = fail(f, err);
	sqlite3_finalize(q);
	return rc;
}
