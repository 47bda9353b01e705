/*
 * project.c: a repository is known by the ".git" in its root, a directory or, in a work tree beside
 * another, a file.
 */
#include <sys/stat.h>

#include "base/project.h"

static bool
is_root(struct buf *path)
{
	size_t len = path->len;
	struct stat st;
	bool is;

	buf_adds(path, "/.git");
	is = !path->full && stat(path->data, &st) == 0;
	path->len = len;
	path->data[len] = '\0';
	return is;
}

void
project_of(const char *cwd, struct buf *out)
{
	size_t len = strlen(cwd), end;

	buf_reset(out);
	if (*cwd != '/')
		return;
	while (len > 1 && cwd[len - 1] == '/')
		len--;
	buf_add(out, cwd, len);
	for (end = len; end > 1;) {
		out->len = end;
		out->data[end] = '\0';
		if (is_root(out))
			return;
		while (end > 0 && cwd[--end] != '/')
			;
	}
	buf_reset(out);
	buf_add(out, cwd, len);
}
