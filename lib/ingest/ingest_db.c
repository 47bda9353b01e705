/*
 * ingest_db.c: a thread reads the rows and writes them to a pipe as lines, so that all that follows
 * reads an input like any other, in constant memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/embedded.h"
#include "base/write.h"
#include "ingest/change_log.h"
#include "ingest/ingest_db.h"
#include "ingest/opencode_storage.h"
#include "store/foreign.h"

#define STOPPED         1                  /* nobody reads the pipe any more */
#define STATEMENTS_MOST 4                  /* that are run for one database */

struct db_rows {
	struct foreign *f;         /* NULL: the rows are those of path */
	char *path;                /* a directory of OpenCode's, or a log of changes */
	bool is_log;
	/* the statements that are run, one behind the other */
	struct statement { const char *text; size_t len; } statements[STATEMENTS_MOST];
	size_t n_statements;
	int fd;                            /* the pipe's writing end */
	pthread_t thread;
	int rc;
	struct err err;
};

const char *
db_rows_format(const char *file_name)
{
	static const char *const names[][2] = { { "opencode.db", "opencode" },
		{ "sessions.db", "goose" }, { "logs.db", "llm" }, { "state.db", "hermes" },
		{ "state.vscdb", "cursor" }, { "threads.db", "zed" },
		{ "crush.db", "crush" }, { "data.sqlite3", "kiro" }, { "store.db", "cursor" } };

	for (size_t i = 0; i < NELEM(names); i++)
		if (strcmp(file_name, names[i][0]) == 0)
			return names[i][1];
	return NULL;
}

/*
 * Finds the file's first statement whose tables are there; each ends with ";" and a newline. Where
 * a program keeps conversations in several places, a statement that begins with "-- besides" begins
 * to tell of another, of which the first that fits is run, too.
 */
static bool
find_statements(struct db_rows *d, const struct embedded *e)
{
	static const char besides[] = "-- besides";
	const char *p = e->text, *end = e->text + e->len;
	bool found = false;

	d->n_statements = 0;
	while (p < end) {
		const char *stop = strstr(p, ";\n");

		p += strspn(p, "\n");
		size_t len = stop != NULL ? (size_t)(stop - p) : (size_t)(end - p);
		if (strncmp(p, besides, sizeof(besides) - 1) == 0)
			found = false;
		if (!found && d->n_statements < STATEMENTS_MOST && foreign_takes(d->f, p, len)) {
			d->statements[d->n_statements++] = (struct statement){ p, len };
			found = true;
		}
		p += len + 2;
	}
	return d->n_statements > 0;
}

/* The name of a file of statements, schema/from/NAME.sql; 0: the file is none. */
static size_t
format_name(const struct embedded *e, const char **name)
{
	static const char head[] = "schema/from/", tail[] = ".sql";
	size_t len = strlen(e->name);

	if (strncmp(e->name, head, sizeof(head) - 1) != 0 || len < sizeof(head) + sizeof(tail) ||
	    strcmp(e->name + len - (sizeof(tail) - 1), tail) != 0)
		return 0;
	*name = e->name + sizeof(head) - 1;
	return len - (sizeof(head) - 1) - (sizeof(tail) - 1);
}

static bool
find_format(struct db_rows *d, const char *format, char found[64])
{
	const char *name;
	size_t len;

	for (const struct embedded *e = embedded_files; e->name != NULL; e++) {
		if ((len = format_name(e, &name)) == 0 || len >= 64 || (format != NULL &&
		    (strlen(format) != len || memcmp(format, name, len) != 0)))
			continue;
		if (find_statements(d, e)) {
			memcpy(found, name, len);
			found[len] = '\0';
			return true;
		}
	}
	return false;
}

static int
pass_on(struct db_rows *d, const char *text, size_t len)
{
	if (write_whole(d->fd, text, len) == 0)
		return 0;
	return errno == EPIPE ? STOPPED : err_set_errno(&d->err, ERR_IO, "cannot pass rows on");
}

static int
write_row(void *arg, const char *row, size_t len)
{
	int rc = 0;

	/* JSON text has no newline but between its tokens */
	for (const char *end; rc == 0 && (end = memchr(row, '\n', len)) != NULL;) {
		rc = pass_on(arg, row, (size_t)(end - row));
		len -= (size_t)(end + 1 - row);
		row = end + 1;
	}
	rc = rc == 0 ? pass_on(arg, row, len) : rc;
	return rc == 0 ? pass_on(arg, "\n", 1) : rc;
}

static void *
run(void *arg)
{
	struct db_rows *d = arg;
	sigset_t all;

	sigfillset(&all);                  /* SIGPIPE as well: a write fails then */
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	if (d->f == NULL)
		d->rc = d->is_log ? change_log_each(d->path, write_row, d, &d->err)
				  : opencode_storage_each(d->path, write_row, d, &d->err);
	for (size_t i = 0; i < d->n_statements && d->rc == 0; i++)
		d->rc = foreign_each(d->f, d->statements[i].text, d->statements[i].len, write_row,
		    d, &d->err);
	close(d->fd);
	return NULL;
}

int
db_rows_begin(const char *path, const char *format, bool is_log, struct db_rows **out, int *fd,
	char found[64], struct err *err)
{
	struct db_rows *d = xcalloc(1, sizeof(*d));
	int pipe_fd[2];

	if (is_log || opencode_storage_is(path)) {
		d->path = xstrdup(path);
		d->is_log = is_log;
		snprintf(found, 64, "%s", is_log ? "copilot" : "opencode");
	} else if (foreign_open(path, &d->f, err) != 0) {
		goto fail;
	} else if (!find_format(d, format, found)) {
		if (foreign_refused(d->f))
			err_set(err, ERR_DATA, "'%s': a database whose tables no format knows, or "
			    "which has views or generated columns in their place: these are not "
			    "run", path);
		else
			err_set(err, ERR_DATA, "'%s': a database whose tables %s (its rows can be "
			    "piped as JSON, see --map)", path,
			    format != NULL ? "are not those of the format" : "no format knows");
		goto fail;
	}
	if (pipe(pipe_fd) != 0) {
		err_set_errno(err, ERR_IO, "no pipe for '%s'", path);
		goto fail;
	}
	fcntl(pipe_fd[0], F_SETFD, FD_CLOEXEC);
	fcntl(pipe_fd[1], F_SETFD, FD_CLOEXEC);
	d->fd = pipe_fd[1];
	if ((errno = pthread_create(&d->thread, NULL, run, d)) != 0) {
		err_set_errno(err, ERR_IO, "no thread for '%s'", path);
		close(pipe_fd[0]);
		close(pipe_fd[1]);
		goto fail;
	}
	*out = d;
	*fd = pipe_fd[0];
	return 0;
fail:
	foreign_close(d->f);
	free(d->path);
	free(d);
	return -1;
}

int
db_rows_end(struct db_rows *d, struct err *err)
{
	if (d == NULL)
		return 0;
	pthread_join(d->thread, NULL);
	int rc = d->rc < 0 ? -1 : 0;
	if (rc != 0 && err != NULL)
		*err = d->err;
	foreign_close(d->f);
	free(d->path);
	free(d);
	return rc;
}
