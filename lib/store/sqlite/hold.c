/*
 * hold.c: each key locks one byte of the empty file FILE.embed by fcntl, so that one file gives any
 * number of locks. Two keys that fall on the same byte wait for each other needlessly, which does
 * no harm. The kernel gives a lock back when its holder dies.
 */
#include "store/sqlite/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int
open_file(struct db *d, struct err *err)
{
	char *path = db_text("%s.embed", d->path);

	d->hold_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (d->hold_fd < 0)
		err_set_errno(err, errno == EACCES || errno == EROFS ? ERR_PERM : ERR_IO,
		    "cannot open '%s'", path);
	sqlite3_free(path);
	return d->hold_fd < 0 ? -1 : 0;
}

static struct flock
byte_of(uint64_t key, short type)
{
	return (struct flock){ .l_type = type,
		.l_whence = SEEK_SET,
		.l_start = (off_t)(key & 0x7fffffff),
		.l_len = 1 };
}

int
sqlite_hold(struct store *s, uint64_t key, bool *taken, struct err *err)
{
	struct flock l = byte_of(key, F_WRLCK);

	*taken = false;
	if (s->db->hold_fd < 0 && open_file(s->db, err) < 0)
		return -1;
	*taken = fcntl(s->db->hold_fd, F_SETLK, &l) == 0;
	if (*taken || errno == EACCES || errno == EAGAIN || errno == EINTR)
		return 0;
	return err_set_errno(err, ERR_IO, "cannot take the lock of those who embed");
}

void
sqlite_let_go(struct store *s, uint64_t key)
{
	struct flock l = byte_of(key, F_UNLCK);

	fcntl(s->db->hold_fd, F_SETLK, &l);
}
