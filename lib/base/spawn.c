/*
 * spawn.c: what is started has a process group of its own, so that it can be killed with all that
 * it started, and the signals of a program that was started by a shell.
 */
#include "base/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

static int
set_flags(int fd, bool nonblocking)
{
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return -1;
	return nonblocking ? fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) : 0;
}

int
spawn_pipe(int fd[2], int ours)
{
	fd[0] = fd[1] = -1;
	if (pipe(fd) < 0)
		return -1;
	/* ends at 0-2 are moved up: dup2 to the same number would leave them to be closed */
	for (int i = 0; i < 2; i++) {
		int up = fd[i] > 2 ? fd[i] : fcntl(fd[i], F_DUPFD, 3);
		if (up != fd[i])
			close(fd[i]);
		fd[i] = up;
	}
	if (fd[0] < 0 || fd[1] < 0)
		return -1;
	return set_flags(fd[0], ours == 0) < 0 || set_flags(fd[1], ours == 1) < 0 ? -1 : 0;
}

int
spawn_group(char *const argv[], int in, int out, int err, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t signals;
	int rc;

	sigemptyset(&signals);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &signals);
	sigaddset(&signals, SIGPIPE);
	posix_spawnattr_setsigdefault(&attr, &signals);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr,
	    POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	if (err >= 0)
		posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
	rc = posix_spawnp(pid, argv[0], &files, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return rc;
}
