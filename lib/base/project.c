/*
 * project.c: a repository is known by the ".git" in its root, a directory. In a work tree beside
 * another it is a file, "gitdir: REPOSITORY/.git/worktrees/NAME", so its sessions belong to that
 * repository; in a submodule it names ".git/modules", and the submodule is a repository of its own.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/project.h"

#define LINK_BYTES 4096                    /* of a ".git" that is a file */

static void
cut(struct buf *b, size_t len)
{
	b->len = len;
	b->data[len] = '\0';
}

/* Cuts "/.." and "/." out of an absolute path. */
static void
resolve(struct buf *path)
{
	char *to = path->data, *p = path->data;

	while (*p == '/') {
		size_t len = 1 + strcspn(p + 1, "/");

		if (len == 3 && p[1] == '.' && p[2] == '.') {
			while (to > path->data && *--to != '/')
				;
		} else if (len > 1 && !(len == 2 && p[1] == '.')) {
			memmove(to, p, len);
			to += len;
		}
		p += len;
	}
	cut(path, (size_t)(to - path->data));
}

/* Reads where the file ".git" of a work tree points to. */
static bool
read_link(const char *path, char text[LINK_BYTES])
{
	static const char head[] = "gitdir: ";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd >= 0 ? read(fd, text, LINK_BYTES - 1) : -1;

	if (fd >= 0)
		close(fd);
	if (n <= (ssize_t)sizeof(head))
		return false;
	text[n] = '\0';
	text[strcspn(text, "\r\n")] = '\0';
	if (strncmp(text, head, sizeof(head) - 1) != 0)
		return false;
	memmove(text, text + sizeof(head) - 1, strlen(text) - sizeof(head) + 2);
	return true;
}

/*
 * Puts the repository that a work tree belongs to in its place. The directory of a repository
 * without a work tree of its own stands for it, or, where its name is hidden, the one around it.
 */
static void
follow_link(struct buf *root, const char *link)
{
	static const char trees[] = "/worktrees/";
	char *at = NULL, *base;
	LOCAL(buf) path = buf_of(SIZE_MAX / 4);

	if (*link != '/')
		buf_addf(&path, "%s/", root->data);
	buf_adds(&path, link);
	resolve(&path);
	for (char *p = path.data; (p = strstr(p, trees)) != NULL; p++)
		at = p;
	if (at == NULL || strchr(at + sizeof(trees) - 1, '/') != NULL)
		return;
	cut(&path, (size_t)(at - path.data));
	base = strrchr(path.data, '/');
	if (base != NULL && base > path.data && base[1] == '.')
		cut(&path, (size_t)(base - path.data));
	if (path.len > 0) {
		buf_reset(root);
		buf_add(root, path.data, path.len);
	}
}

/* Whether path is the root of a repository; that of a work tree is then its repository's. */
static bool
is_root(struct buf *path)
{
	size_t len = path->len;
	char link[LINK_BYTES];
	struct stat st;

	buf_adds(path, "/.git");
	bool is = !path->full && stat(path->data, &st) == 0;
	bool is_link = is && S_ISREG(st.st_mode) && read_link(path->data, link);
	cut(path, len);
	if (is_link)
		follow_link(path, link);
	return is;
}

/* A path of Windows, "C:\Users\ana", with the slashes that others have: it is none here. */
static void
add_windows(struct buf *out, const char *cwd)
{
	size_t len = strlen(cwd);

	while (len > 3 && (cwd[len - 1] == '\\' || cwd[len - 1] == '/'))
		len--;
	for (size_t i = 0; i < len; i++)
		buf_addc(out, i == 0 ? ascii_upper(cwd[i]) : cwd[i] == '\\' ? '/' : cwd[i]);
}

void
project_of(const char *cwd, struct buf *out)
{
	/* as a URI, and as Windows writes long paths */
	cwd += strncmp(cwd, "file:///", 8) == 0 ? 7 : strncmp(cwd, "\\\\?\\", 4) == 0 ? 4 : 0;
	cwd += cwd[0] == '/' && ascii_is_letter(cwd[1]) && cwd[2] == ':' && cwd[3] == '/';
	size_t len = strlen(cwd);
	buf_reset(out);
	if (ascii_is_letter(cwd[0]) && cwd[1] == ':' && (cwd[2] == '\\' || cwd[2] == '/'))
		add_windows(out, cwd);
	if (*cwd != '/')
		return;
	while (len > 1 && cwd[len - 1] == '/')
		len--;
	buf_add(out, cwd, len);
	for (size_t end = len; end > 1;) {
		cut(out, end);
		if (is_root(out))
			return;
		while (end > 0 && cwd[--end] != '/')
			;
	}
	buf_reset(out);
	buf_add(out, cwd, len);
}
