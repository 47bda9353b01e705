/*
 * zst.c: runs "zstd -dcq" with the file as its stdin. What it says of a damaged file is not shown:
 * its exit status is enough for a message that names the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/zst.h"

extern char **environ;

bool
zst_is(const unsigned char *p, size_t len)
{
	static const unsigned char magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

	return len >= sizeof(magic) && memcmp(p, magic, sizeof(magic)) == 0;
}

static int
spawn(int in, int out, pid_t *child)
{
	static char program[] = "zstd", options[] = "-dcq";
	char *const args[] = { program, options, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t signals;
	int rc;

	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &signals);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	rc = posix_spawnp(child, program, &files, &attr, args, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return rc;
}

int
zst_begin(int fd, const char *name, pid_t *child, int *out_fd, struct err *err)
{
	int pipe_fd[2];

	if (lseek(fd, 0, SEEK_SET) != 0 || pipe(pipe_fd) != 0)
		return err_set_errno(err, ERR_IO, "cannot unpack %s", name);
	fcntl(pipe_fd[0], F_SETFD, FD_CLOEXEC);
	fcntl(pipe_fd[1], F_SETFD, FD_CLOEXEC);
	errno = spawn(fd, pipe_fd[1], child);
	close(pipe_fd[1]);
	if (errno == 0) {
		*out_fd = pipe_fd[0];
		return 0;
	}
	close(pipe_fd[0]);
	if (errno == ENOENT)
		return err_set(err, ERR_CONFIG,
		    "packed by zstd, and the program zstd is not installed: %s", name);
	return err_set_errno(err, ERR_IO, "cannot start zstd for %s", name);
}

int
zst_end(pid_t child, const char *name, struct err *err)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return err_set_errno(err, ERR_IO, "cannot wait for zstd");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return err_set(err, ERR_CONFIG,
		    "packed by zstd, and the program zstd is not installed: %s", name);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return err_set(err, ERR_DATA, "damaged zstd data: %s", name);
	return 0;
}
