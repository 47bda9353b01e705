/* file.c: reading, and replacing by rename(2). */
#include "setup/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/system.h"
#include "base/write.h"

#define PATH_BYTES  4096
#define PIECE_BYTES 65536

int
file_read(const char *path, struct file *f, struct err *err)
{
	struct stat st;
	ssize_t n = 1;
	char *to;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc = -1;

	buf_init(&f->text, FILE_MOST);
	f->exists = fd >= 0;
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR
		    ? 0
		    : err_set_errno(err, errno == EACCES ? ERR_PERM : ERR_IO, "cannot be read");
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		err_set(err, ERR_DATA, "is no plain file");
		goto out;
	}
	while (n > 0 && (to = buf_reserve(&f->text, PIECE_BYTES)) != NULL) {
		if ((n = read(fd, to, PIECE_BYTES)) > 0)
			f->text.len += (size_t)n;
		else if (n < 0 && errno == EINTR)
			n = 1;
	}
	if (n == 0) {
		f->text.data[f->text.len] = '\0';
		rc = 0;
	} else if (n < 0) {
		err_set_errno(err, ERR_IO, "cannot be read");
	} else {
		err_set(err, ERR_DATA, "is too large for a configuration");
	}
out:
	close(fd);
	return rc;
}

void
file_release(struct file *f)
{
	buf_release(&f->text);
}

const char *
file_whole(const char *path, struct arena *a)
{
	char here[PATH_BYTES];

	return *path == '/' || getcwd(here, sizeof(here)) == NULL
	    ? path : arena_printf(a, "%s/%s", here, path);
}

int
file_resolve(const char *path, struct arena *a, const char **out, struct err *err)
{
	struct stat st;
	char *real = realpath(path, NULL);

	if (real == NULL && lstat(path, &st) == 0)
		return err_set(err, ERR_DATA, "is a link that leads nowhere");
	*out = arena_strdup(a, real != NULL ? real : path);
	free(real);
	return 0;
}

static char *
beside(const char *path)
{
	static const char mark[] = ".mem-setup.";
	const char *slash = strrchr(path, '/');
	size_t dir = slash != NULL ? (size_t)(slash + 1 - path) : 0, name = strlen(path + dir);
	char *out = xmalloc(dir + sizeof(mark) + name);

	memcpy(out, path, dir);
	memcpy(out + dir, mark, sizeof(mark) - 1);
	memcpy(out + dir + sizeof(mark) - 1, path + dir, name + 1);
	return out;
}

static bool
still_holds(const char *path, const struct file *expected)
{
	LOCAL(file) now = { 0 };

	return file_read(path, &now, NULL) == 0 && now.exists == expected->exists &&
	    now.text.len == expected->text.len &&
	    memcmp(now.text.data, expected->text.data, now.text.len) == 0;
}

/* A rename lasts when its directory is on the disk. */
static void
flush_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	FREED char *dir = slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		system_sync(fd);
		close(fd);
	}
}

int
file_replace(const char *path, const char *text, size_t len, const struct file *expected,
	struct err *err)
{
	FREED char *temporary = beside(path);
	struct stat st;
	bool exists = stat(path, &st) == 0;
	int fd, rc = -1;

	if (!exists && errno != ENOENT)
		return err_set_errno(err, ERR_IO, "cannot be read");
	if (exists && access(path, W_OK) != 0)
		return err_set(err, ERR_PERM, "is read-only");
	unlink(temporary);
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return err_set_errno(err, errno == EACCES || errno == EROFS ? ERR_PERM : ERR_IO,
		    "cannot be written");
	/* of another owner or group only root can make it */
	if (exists && (fchmod(fd, st.st_mode & 07777) != 0 ||
			  (fchown(fd, st.st_uid, st.st_gid) != 0 && errno != EPERM)))
		err_set_errno(err, ERR_IO, "cannot keep its mode");
	else if (write_whole(fd, text, len) != 0 || system_sync(fd) != 0)
		err_set_errno(err, ERR_IO, "cannot be written");
	else if (expected != NULL && !still_holds(path, expected))
		err_set(err, ERR_BUSY, "changed just now");
	else if (rename(temporary, path) != 0)
		err_set_errno(err, ERR_IO, "cannot be replaced");
	else
		rc = 0;
	close(fd);
	if (rc != 0)
		unlink(temporary);
	else
		flush_directory(path);
	return rc;
}

void
file_clean(const char *path)
{
	FREED char *temporary = beside(path);

	unlink(temporary);
}

int
file_remove(const char *path, struct err *err)
{
	if (unlink(path) != 0 && errno != ENOENT)
		return err_set_errno(err, ERR_IO, "cannot be removed");
	flush_directory(path);
	return 0;
}

char **
dirs_missing(const char *path, struct arena *a, size_t *n)
{
	char **dirs, *dir = arena_strdup(a, path), *slash;
	struct stat st;
	size_t most = 1;

	*n = 0;
	for (const char *p = path; *p != '\0'; p++)
		most += *p == '/';
	dirs = arena_alloc(a, most * sizeof(*dirs));
	while ((slash = strrchr(dir, '/')) != NULL && slash != dir) {
		*slash = '\0';
		if (stat(dir, &st) == 0)
			break;
		memmove(dirs + 1, dirs, *n * sizeof(*dirs));
		dirs[0] = arena_strdup(a, dir);
		++*n;
	}
	return dirs;
}

int
dirs_make(char *const *dirs, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (mkdir(dirs[i], 0700) != 0 && errno != EEXIST)
			return err_set_errno(err, errno == EACCES ? ERR_PERM : ERR_IO,
			    "cannot make the directory '%s'", dirs[i]);
	return 0;
}

void
file_hash(const char *text, size_t len, bool exists, char out[SHA256_TEXT])
{
	uint8_t digest[SHA256_BYTES];

	out[0] = '\0';
	if (!exists)
		return;
	sha256(text, len, digest);
	hex_format(digest, sizeof(digest), out);
}
