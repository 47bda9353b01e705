/*
 * rejects.c: each line is written at once and whole, so that the file is of use even when the
 * program fails later.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/write.h"
#include "ingest/rejects.h"

struct rejects {
	char *path;                /* NULL: rejects are not kept */
	int fd;
	struct buf line;
};

int
rejects_open(const char *path, struct rejects **out, struct err *err)
{
	int fd = path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	struct rejects *r;

	if (path != NULL && fd < 0)
		return err_set_errno(err, ERR_IO, "cannot write '%s'", path);
	r = xcalloc(1, sizeof(*r));
	r->path = path != NULL ? xstrdup(path) : NULL;
	r->fd = fd;
	buf_init(&r->line, SIZE_MAX / 4);
	*out = r;
	return 0;
}

void
rejects_close(struct rejects *r)
{
	if (r == NULL)
		return;
	if (r->fd >= 0)
		close(r->fd);
	buf_release(&r->line);
	free(r->path);
	free(r);
}

int
rejects_add(struct rejects *r, const char *unit, size_t len, bool compact, struct arena *a,
	struct err *err)
{
	const struct json *v;
	struct err ignored;

	if (r->path == NULL)
		return 0;
	buf_reset(&r->line);
	if (compact && json_parse(unit, len, a, &v, &ignored) == 0)
		json_write(&r->line, v);
	else
		buf_add(&r->line, unit, len);
	buf_addc(&r->line, '\n');
	return write_whole(r->fd, r->line.data, r->line.len) == 0
	    ? 0 : err_set_errno(err, ERR_IO, "cannot write '%s'", r->path);
}
