/*
 * foreign.c: opens read-only, with SQLite's own layer for files, as the pages of another program
 * have no checksums of ours, and leaves nothing beside the file. Of a database with a log (WAL)
 * SQLite keeps an index of the log in FILE-shm. While its program runs that is there, and is used.
 * Else SQLite would make it, so nobody else being there the file is read without locks: with its
 * log, of which the index is kept in memory, or as it lies where there is no log. Then the files
 * must be in the end as they were.
 *
 * The file may be anybody's. What could run for ever or fill the memory is off: views, triggers,
 * tables that are programs, values beyond a length, and steps beyond what a file of its size needs.
 */
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/conf.h"
#include "base/gz.h"
#include "base/system.h"
#include "base/write.h"
#include "store/foreign.h"
#include "store/sqlite/sqlite.h"

#define FOREIGN_WAIT_MS 2000
#define LAYER           "unix"
#define LAYER_NO_LOCKS  "unix-none"
/* longest value, in lines of input: what makes up a message is put together from several */
#define LINES_A_VALUE   4
/* longest pattern of LIKE: a long one takes ages, within one step */
#define PATTERN_BYTES   200

/* How the files lie, and so how they are opened. */
enum lie {
	LIE_PLAIN,                 /* locks, and the index of a log that is there */
	LIE_ALONE,                 /* a log without its index: nobody has it open */
	LIE_STILL                  /* a database that has a log at times, without one */
};

/* What tells that a file was written meanwhile. */
struct trace { bool is_there; off_t size; int64_t written_us; };

struct foreign {
	sqlite3 *sqlite;
	char *path;
	enum lie lie;
	struct trace file, log, index;
	int64_t n_looks, max_looks;
	bool endless;              /* steps came to an end before the rows did */
	bool refused;              /* a statement was not taken for what it would run */
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

	if (f->endless)
		return err_set(err, ERR_DATA, "to read it takes more than a database of its size "
		    "can need: '%s'", f->path);
	if (rc == SQLITE_BUSY || rc == SQLITE_LOCKED)
		return err_set(err, ERR_BUSY, "its program is writing to it: '%s'", f->path);
	return err_set(err, ERR_DATA, "cannot read the database '%s': %s", f->path,
	    f->sqlite != NULL ? sqlite3_errmsg(f->sqlite) : "out of memory");
}

#define STEPS_A_LOOK 100000 /* steps of SQLite's machine between two looks at the time: some ms */
/* steps that any file may take, and those for each of its bytes */
#define STEPS_LEAST  20000000
#define STEPS_A_BYTE 200

/* A tree of a foreign file may never end; neither a signal nor the number of steps lets it. */
static int
is_stopped(void *arg)
{
	struct foreign *f = arg;

	f->endless = ++f->n_looks > f->max_looks;
	return f->endless || (gz_stop != NULL && *gz_stop != 0);
}

/* unzstd(BLOB): the text that zstd packed, or an error that ends the statement. */
static void
unzstd(sqlite3_context *context, int n, sqlite3_value **values)
{
	size_t len = (size_t)sqlite3_value_bytes(values[0]);
	const void *packed = sqlite3_value_blob(values[0]);
	struct err err = ERR_INIT;
	char path[32];
	int fd = temp_file();

	(void)n;
	LOCAL(buf) out = buf_of(conf_caps.line_bytes);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	if (fd < 0 || pwrite(fd, packed, len, 0) != (ssize_t)len)
		err_set_errno(&err, ERR_IO, "no temporary file");
	else if (gz_add_file(path, &out, &err) == 0 && out.full)
		err_set(&err, ERR_DATA, "too long (setting line_bytes)");
	else if (err.code == 0)
		sqlite3_result_text(context, out.data, (int)out.len, SQLITE_TRANSIENT);
	if (err.code != 0)
		sqlite3_result_error(context, err.msg, -1);
	if (fd >= 0)
		close(fd);
}

/* ---- how the files lie ---- */

static struct trace
trace_of(const char *path, const char *end)
{
	struct stat st;
	struct trace t = { .is_there = false };
	LOCAL(buf) b = buf_of(1u << 16);

	buf_addf(&b, "%s%s", path, end);
	if (stat(b.data, &st) == 0)
		t = (struct trace){ true, st.st_size, system_written_us(&st) };
	return t;
}

static bool
is_same(const struct trace *a, const struct trace *b)
{
	return a->is_there == b->is_there && a->size == b->size &&
	    a->written_us == b->written_us;
}

/* Whether the file's header says that it has a log. */
static bool
has_log_mode(const char *path)
{
	unsigned char head[20] = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool has = fd >= 0 && read(fd, head, sizeof(head)) == (ssize_t)sizeof(head) &&
	    head[18] == 2;

	if (fd >= 0)
		close(fd);
	return has;
}

static void
look(struct foreign *f)
{
	f->file = trace_of(f->path, "");
	f->log = trace_of(f->path, "-wal");
	f->index = trace_of(f->path, "-shm");
	f->lie = !has_log_mode(f->path) || (f->log.is_there && f->index.is_there) ? LIE_PLAIN :
	    f->log.is_there && f->log.size > 0 ? LIE_ALONE : LIE_STILL;
	f->max_looks = STEPS_LEAST / STEPS_A_LOOK +
	    (int64_t)(f->file.size + f->log.size) / (STEPS_A_LOOK / STEPS_A_BYTE);
}

/* Whether what was read without locks was written to meanwhile. */
static bool
was_written(const struct foreign *f)
{
	const struct trace file = trace_of(f->path, ""), log = trace_of(f->path, "-wal"),
			   index = trace_of(f->path, "-shm");

	return f->lie != LIE_PLAIN && !(is_same(&file, &f->file) && is_same(&log, &f->log) &&
	    is_same(&index, &f->index));
}

/* ---- opening ---- */

static void
set_limits(struct foreign *f)
{
	static const char *const tables[] = { "json_each", "json_tree", NULL };
	static const struct { int what, value; } settings[] = {
		/* functions of a schema that is not ours are not run */
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		/* nothing is written, and the log stays as it is */
		{ SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1 },
	};

	for (size_t i = 0; i < NELEM(settings); i++)
		sqlite3_db_config(f->sqlite, settings[i].what, settings[i].value, NULL);
	sqlite3_limit(f->sqlite, SQLITE_LIMIT_LENGTH,
	    (int)MIN(conf_caps.line_bytes, (size_t)INT_MAX / LINES_A_VALUE) * LINES_A_VALUE);
	sqlite3_limit(f->sqlite, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, PATTERN_BYTES);
	sqlite3_limit(f->sqlite, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(f->sqlite, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
	sqlite3_drop_modules(f->sqlite, (const char **)(uintptr_t)tables);
	sqlite3_busy_timeout(f->sqlite, FOREIGN_WAIT_MS);
	sqlite3_progress_handler(f->sqlite, STEPS_A_LOOK, is_stopped, f);
	sqlite3_create_function(f->sqlite, "unzstd", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL,
	    unzstd, NULL, NULL);
}

/* Opens the file and reads its first page. */
static bool
try_open(struct foreign *f)
{
	LOCAL(buf) uri = buf_of(1u << 16);

	add_uri(&uri, f->path);
	buf_adds(&uri, f->lie == LIE_STILL ? "?immutable=1" : "?mode=ro");
	int rc = sqlite3_open_v2(uri.data, &f->sqlite,
	    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
	    f->lie == LIE_ALONE ? LAYER_NO_LOCKS : LAYER);
	if (rc != SQLITE_OK)
		return false;
	set_limits(f);
	/* whoever has a file to himself keeps the index of the log in memory */
	if (f->lie == LIE_ALONE)
		sqlite3_exec(f->sqlite, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL);
	return sqlite3_exec(f->sqlite, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL) ==
	    SQLITE_OK;
}

int
foreign_open(const char *path, struct foreign **out, struct err *err)
{
	struct foreign *f = xcalloc(1, sizeof(*f));

	f->path = xstrdup(path);
	look(f);
	if (!try_open(f)) {
		fail(f, err);
		foreign_close(f);
		return -1;
	}
	*out = f;
	return 0;
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

/* ---- statements ---- */

/* Notes which columns a statement reads: "table\0column\0". */
static int
note_column(void *arg, int what, const char *table, const char *column, const char *db,
	const char *by)
{
	struct buf *columns = arg;

	(void)db;
	(void)by;
	if (what == SQLITE_READ && table != NULL && column != NULL) {
		buf_add(columns, table, strlen(table) + 1);
		buf_add(columns, column, strlen(column) + 1);
	}
	return SQLITE_OK;
}

/* Whether the column is computed when it is read, by whatever the file says. */
static bool
is_computed(struct foreign *f, const char *table, const char *column)
{
	char *sql = db_text("PRAGMA table_xinfo(%Q)", table);
	sqlite3_stmt *q = NULL;
	bool is = false;

	if (sqlite3_prepare_v2(f->sqlite, sql, -1, &q, NULL) == SQLITE_OK)
		while (!is && sqlite3_step(q) == SQLITE_ROW)
			is = sqlite3_column_int(q, 6) == 2 &&
			    sqlite3_stricmp((const char *)sqlite3_column_text(q, 1), column) == 0;
	sqlite3_finalize(q);
	sqlite3_free(sql);
	return is;
}

bool
foreign_takes(struct foreign *f, const char *text, size_t len)
{
	sqlite3_stmt *q = NULL;
	bool takes, computed = false;
	int64_t has_view;
	LOCAL(buf) columns = buf_of(1u << 20);

	sqlite3_set_authorizer(f->sqlite, note_column, &columns);
	takes = sqlite3_prepare_v2(f->sqlite, text, (int)len, &q, NULL) == SQLITE_OK && q != NULL;
	sqlite3_set_authorizer(f->sqlite, NULL, NULL);
	sqlite3_finalize(q);
	for (const char *p = columns.data; takes && p < columns.data + columns.len && !computed;) {
		const char *column = p + strlen(p) + 1;

		computed = is_computed(f, p, column);
		p = column + strlen(column) + 1;
	}
	f->refused |= takes ? computed
	    : sqlite_number(f->sqlite, "SELECT 1 FROM sqlite_schema WHERE type = 'view'",
		&has_view);
	return takes && !computed;
}

bool
foreign_refused(const struct foreign *f)
{
	return f->refused;
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
	if (rc == 0 && was_written(f))
		rc = err_set(err, ERR_BUSY, "its program began to write to it: '%s'", f->path);
	else if (rc == 0 && got != SQLITE_DONE)
		rc = fail(f, err);
	sqlite3_finalize(q);
	return rc;
}
