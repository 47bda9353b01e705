/*
 * zst.c: runs "zstd -dcq" with the file as its stdin. What it says of a damaged file is not shown:
 * its exit status is enough for a message that names the file.
 */
#include <errno.h>
#include <unistd.h>

#include "base/spawn.h"
#include "base/zst.h"

bool
zst_is(const unsigned char *p, size_t len)
{
	static const unsigned char magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

	return len >= sizeof(magic) && memcmp(p, magic, sizeof(magic)) == 0;
}

int
zst_begin(int fd, const char *name, pid_t *child, int *out_fd, struct err *err)
{
	const char *const args[] = { "zstd", "-dcq", NULL };
	int pipe_fd[2];

	if (lseek(fd, 0, SEEK_SET) != 0 || spawn_pipe(pipe_fd, -1) != 0)
		return err_set_errno(err, ERR_IO, "cannot unpack %s", name);
	errno = spawn(&(struct spawn){ args, { fd, pipe_fd[1], SPAWN_NONE }, false, NULL }, child);
	spawn_shut(&pipe_fd[1]);
	if (errno == 0) {
		*out_fd = pipe_fd[0];
		return 0;
	}
	spawn_shut(&pipe_fd[0]);
	if (errno == ENOENT)
		return err_set(err, ERR_CONFIG,
		    "packed by zstd, and the program zstd is not installed: %s", name);
	return err_set_errno(err, ERR_IO, "cannot start zstd for %s", name);
}

int
zst_end(pid_t child, const char *name, struct err *err)
{
	int status = spawn_wait(child);

	if (status < 0)
		return err_set_errno(err, ERR_IO, "cannot wait for zstd");
	if (status == 127)
		return err_set(err, ERR_CONFIG,
		    "packed by zstd, and the program zstd is not installed: %s", name);
	if (status != 0)
		return err_set(err, ERR_DATA, "damaged zstd data: %s", name);
	return 0;
}
