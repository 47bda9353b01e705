/*
 * embed_lock.c: each user and set locks one byte of the empty file FILE.embed by fcntl, so that one
 * file gives any number of locks. Two keys that fall on the same byte wait for each other
 * needlessly, which does no harm.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "embed/embed_lock.h"

struct embed_lock {
	int fd;
	struct flock held;
};

int
embed_lock_open(const char *store_path, struct embed_lock **out, struct err *err)
{
	size_t size = strlen(store_path) + sizeof(".embed");
	char *path = xmalloc(size);
	int fd;

	snprintf(path, size, "%s.embed", store_path);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		err_set_errno(err, errno == EACCES || errno == EROFS ? ERR_PERM : ERR_IO,
		    "cannot open '%s'", path);
	free(path);
	if (fd < 0)
		return -1;
	*out = xcalloc(1, sizeof(**out));
	(*out)->fd = fd;
	return 0;
}

void
embed_lock_close(struct embed_lock *l)
{
	if (l == NULL)
		return;
	close(l->fd);
	free(l);
}

int
embed_lock_take(struct embed_lock *l, uint64_t key, bool *taken, struct err *err)
{
	l->held = (struct flock){ .l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = (off_t)(key & 0x7fffffff),
		.l_len = 1 };
	*taken = fcntl(l->fd, F_SETLK, &l->held) == 0;
	if (*taken || errno == EACCES || errno == EAGAIN || errno == EINTR)
		return 0;
	return err_set_errno(err, ERR_IO, "cannot take the lock of those who embed");
}

void
embed_lock_drop(struct embed_lock *l)
{
	l->held.l_type = F_UNLCK;
	fcntl(l->fd, F_SETLK, &l->held);
}
