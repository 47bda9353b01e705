/*
 * settings.c: the file is edited as text, a line at a time, so that comments, order and line ends
 * stay as its owner wrote them. Its directory is locked meanwhile: two that change it at once both
 * get their line.
 */
#include "setup/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/utf8.h"
#include "setup/file.h"

#define BLANKS " \t\r"

struct line { const char *start, *end; };      /* end: behind its line end */

/* Whether the line sets name: what is before its '=' is the name, with blanks around. */
static bool
line_sets(struct line l, const char *name)
{
	size_t n = strlen(name), blanks = strspn(l.start, BLANKS);
	const char *p = l.start + blanks;

	if ((size_t)(l.end - l.start) < blanks + n || memcmp(p, name, n) != 0)
		return false;
	p += n;
	return p[strspn(p, BLANKS)] == '=' && p + strspn(p, BLANKS) < l.end;
}

static struct line
line_at(const char *start, const char *end)
{
	const char *stop = start < end ? memchr(start, '\n', (size_t)(end - start)) : NULL;

	return (struct line){ start, stop != NULL ? stop + 1 : end };
}

/* The line with another value, and the line end that it has; value NULL: no line. */
static void
put_line(struct buf *out, struct line was, const char *name, const char *value)
{
	bool dos = was.end - was.start > 1 && was.end[-1] == '\n' && was.end[-2] == '\r';

	if (value != NULL)
		buf_addf(out, "%s = %s%s", name, value, dos ? "\r\n" : "\n");
}

/* The text with value in the place of the last line of that name; NULL: without all of them. */
static size_t
change(const struct buf *text, const char *name, const char *value, struct buf *out)
{
	const char *end = text->data + text->len,
		   *start = text->data + utf8_bom(text->data, text->len);
	struct line last = { NULL, NULL }, l;
	size_t n = 0;

	buf_add(out, text->data, (size_t)(start - text->data));
	for (l = line_at(start, end); l.start < end; l = line_at(l.end, end))
		if (line_sets(l, name)) {
			last = l;
			n++;
		}
	for (l = line_at(start, end); l.start < end; l = line_at(l.end, end)) {
		if (value == NULL ? line_sets(l, name) : l.start == last.start)
			put_line(out, l, name, value);
		else
			buf_add(out, l.start, (size_t)(l.end - l.start));
	}
	if (value != NULL && n == 0)
		buf_addf(out, "%s%s = %s\n",
		    out->len > 0 && out->data[out->len - 1] != '\n' ? "\n" : "", name, value);
	return n;
}

/* Locks the directory of a path; the lock ends with the descriptor. */
static int
lock_directory(const char *path, struct err *err)
{
	char dir[4096];

	snprintf(dir, sizeof(dir), "%s", path);
	*(strrchr(dir, '/') > dir ? strrchr(dir, '/') : dir + 1) = '\0';
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (fd >= 0 && flock(fd, LOCK_EX) != 0)
		if (errno != EINTR) {
			close(fd);
			fd = -1;
		}
	if (fd < 0)
		err_set_errno(err, errno == EACCES ? ERR_PERM : ERR_IO, "cannot lock '%s'", dir);
	return fd;
}

static int
edit(const char *path, const char *name, const char *value, size_t *n, struct err *err)
{
	struct err why = ERR_INIT;
	LOCAL(file) f = { 0 };
	int lock = lock_directory(path, err), rc = -1;

	if (lock < 0)
		return -1;
	LOCAL(buf) text = buf_of(conf_caps.config_bytes);
	if (file_read(path, &f, &why) == 0) {
		*n = change(&f.text, name, value, &text);
		if (text.full)
			err_set(&why, ERR_DATA, "would be over config_bytes (%zu bytes)", text.max);
		else if (value == NULL && *n == 0)
			rc = 0;
		else
			rc = file_replace(path, text.data, text.len, &f, &why);
	}
	if (rc != 0)
		err_set(err, why.code, "'%s' %s", path, why.msg);
	close(lock);
	return rc;
}

/* The file with links followed, its directory made if that is wanted; NULL: there is none. */
static int
find_file(bool make, struct arena *a, const char **path, struct err *err)
{
	const char *file = conf_path_file();
	struct err why = ERR_INIT;
	size_t n;

	if (*file == '\0')
		return err_set(err, ERR_CONFIG, "neither HOME nor XDG_CONFIG_HOME is set");
	file = file_whole(file, a);
	if (file_resolve(file, a, path, &why) != 0)
		return err_set(err, why.code, "'%s' %s", file, why.msg);
	char **dirs = dirs_missing(*path, a, &n);

	if (!make && n > 0)
		*path = NULL;
	return make ? dirs_make(dirs, n, err) : 0;
}

int
settings_put(const char *name, const char *value, struct err *err)
{
	size_t len = strlen(value), n;
	LOCAL(arena) a = ARENA_INIT;
	const char *path;
	int rc = -1;

	/* its size must be known before it is read */
	if (strcmp(name, "config_bytes") == 0)
		return err_set(err, ERR_USAGE, "'%s' is read from the environment only", name);
	if (strchr(value, '\n') != NULL ||
	    (len > 0 && (strchr(BLANKS, value[0]) != NULL ||
			    strchr(BLANKS, value[len - 1]) != NULL)))
		return err_set(err, ERR_USAGE, "a line of the file cannot hold this value: it has "
		    "a blank at an end, or a newline");
	if (conf_set(name, value, err) != 0) {
		if (err != NULL)
			err->code = ERR_USAGE;
		return -1;
	}
	if (find_file(true, &a, &path, err) == 0)
		rc = edit(path, name, value, &n, err);
	return rc;
}

int
settings_drop(const char *name, size_t *n, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *path;
	int rc = find_file(false, &a, &path, err);

	*n = 0;
	if (rc == 0 && path != NULL)
		rc = edit(path, name, NULL, n, err);
	return rc;
}
