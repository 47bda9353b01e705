/*
 * look.c: what is seen of a file before SQLite opens it: a file that is not ours is never opened as
 * a database, so neither it nor a log beside it changes.
 *
 * SQLite's header, 100 bytes at the start of the file: "SQLite format 3\0" at 0, user_version at 60
 * and application_id at 68, big endian. The application_id of a store is written before its log
 * exists, so a header without it is of somebody else.
 */
#include "store/sqlite/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/bytes.h"

char *
path_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? xstrdup(".")
	    : xstrndup(path, (size_t)(slash - path) + (slash == path));
}

static int
look_at_kind(const char *path, struct stat *st, struct err *err)
{
	if (lstat(path, st) < 0)
		return err_set_errno(err,
		    errno == EACCES			      ? ERR_PERM
			: errno == ENOENT || errno == ENOTDIR ? ERR_NOINPUT
							      : ERR_IO,
		    "no store '%s'", path);
	if (S_ISLNK(st->st_mode))
		return err_set(err, ERR_CONFIG,
		    "store is a symbolic link; name the file itself: '%s'", path);
	if (S_ISDIR(st->st_mode))
		return err_set(err, ERR_CONFIG, "store is a directory: '%s'", path);
	if (!S_ISREG(st->st_mode))
		return err_set(err, ERR_CONFIG, "store is not a regular file: '%s'", path);
	/* a backup that was killed has left the name that the copy was made under */
	if (st->st_nlink > 1) {
		backup_sweep(path);
		if (lstat(path, st) < 0)
			return err_set_errno(err, ERR_IO, "no store '%s'", path);
	}
	if (st->st_nlink > 1)
		return err_set(err, ERR_CONFIG,
		    "store has several hard links, which SQLite cannot lock: '%s'", path);
	return 0;
}

bool
header_is_store(const unsigned char h[HEADER_BYTES])
{
	return memcmp(h, "SQLite format 3", 16) == 0 && get_be32(h + 68) == STORE_APPLICATION_ID;
}

static int
look_at_header(const char *path, struct err *err)
{
	static const unsigned char none[HEADER_BYTES];
	unsigned char h[HEADER_BYTES] = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return err_set_errno(err, errno == EACCES || errno == EPERM ? ERR_PERM : ERR_IO,
		    "cannot open '%s'", path);
	ssize_t n = pread(fd, h, sizeof(h), 0);
	close(fd);
	if (n < 0)
		return err_set_errno(err, ERR_IO, "cannot read '%s'", path);
	if (memcmp(h, none, sizeof(h)) == 0)
		/* empty, or cut off while it was made: SQLite rolls that back */
		return 0;
	if (n < HEADER_BYTES || !header_is_store(h))
		return err_set(err, ERR_CONFIG, "not a mem store: '%s'", path);
	return store_known(get_be32(h + 60), path, err);
}

int
store_known(int64_t version, const char *path, struct err *err)
{
	if (version <= STORE_VERSION)
		return 0;
	return err_set(err, ERR_CONFIG,
	    "store is of version %lld, this program knows %d: upgrade mem: '%s'",
	    (long long)version, STORE_VERSION, path);
}

/*
 * The file's absolute path without links in its directories, which SQLite would refuse, and never a
 * name that SQLite takes for something else (":memory:", "file:...").
 */
static char *
real_path(const char *path, struct err *err)
{
	FREED char *dir = path_directory(path), *real = realpath(dir, NULL);
	char *out = NULL;
	const char *slash = strrchr(path, '/');

	if (real == NULL)
		err_set_errno(err, errno == EACCES ? ERR_PERM : ERR_IO,
		    "cannot find the directory of '%s'", path);
	else
		out = xformat("%s/%s", strcmp(real, "/") == 0 ? "" : real,
		    slash == NULL ? path : slash + 1);
	return out;
}

char *
store_plain_name(const char *path)
{
	return xformat("%s%s", strncmp(path, "file:", 5) == 0 ? "./" : "", path);
}

void
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

int
store_look(const char *path, bool is_open, bool *of_another, char **real, struct err *err)
{
	struct stat st;

	if (look_at_kind(path, &st, err) < 0 || (!is_open && look_at_header(path, err) < 0))
		return -1;
	*of_another = geteuid() != 0 && geteuid() != st.st_uid;
	return (*real = real_path(path, err)) == NULL ? -1 : 0;
}

bool
store_may_replace(const char *path, const char *store)
{
	struct err err = ERR_INIT;
	struct stat old, st;

	if (look_at_kind(path, &old, &err) < 0)
		return err.code == ERR_NOINPUT;
	return look_at_header(path, &err) == 0 && (stat(store, &st) != 0 ||
	    st.st_dev != old.st_dev || st.st_ino != old.st_ino);
}
