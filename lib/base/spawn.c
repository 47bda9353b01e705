#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void
spawn_shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int
spawn_pipe(int fd[2], int ours)
{
	fd[0] = fd[1] = -1;
	if (pipe(fd) < 0)
		return -1;
	/* ends at 0-2 are moved up: dup2 to the same number would leave them to be closed */
	for (int i = 0; i < 2; i++) {
		int up = fcntl(fd[i], F_DUPFD_CLOEXEC, 3);

		close(fd[i]);
		fd[i] = up;
	}
	bool failed = fd[0] < 0 || fd[1] < 0 ||
	    (ours >= 0 && fcntl(fd[ours], F_SETFL, fcntl(fd[ours], F_GETFL) | O_NONBLOCK) < 0);
	if (!failed)
		return 0;
	int code = errno;
	spawn_shut(&fd[0]);
	spawn_shut(&fd[1]);
	errno = code;
	return -1;
}

int
spawn(const struct spawn *w, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t signals;

	sigemptyset(&signals);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &signals);
	sigaddset(&signals, SIGPIPE);
	posix_spawnattr_setsigdefault(&attr, &signals);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr, (w->group ? POSIX_SPAWN_SETPGROUP : 0) |
		POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&files);
	for (int i = 0; i < 3; i++) {
		if (w->fd[i] >= 0)
			posix_spawn_file_actions_adddup2(&files, w->fd[i], i);
		else if (w->fd[i] == SPAWN_NONE)
			posix_spawn_file_actions_addopen(&files, i, "/dev/null",
			    i == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
	}
	/* the strings are not changed: its type is older than const */
	int rc = posix_spawnp(pid, w->argv[0], &files, &attr, (char **)(uintptr_t)w->argv,
	    w->env != NULL ? w->env : environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return rc;
}

int
spawn_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool
spawn_has(const char *name)
{
	const char *path = getenv("PATH");
	char file[4096];

	while (path != NULL && *path != '\0') {
		int len = (int)strcspn(path, ":");

		if (len > 0 && snprintf(file, sizeof(file), "%.*s/%s", len, path, name) <
			(int)sizeof(file) && access(file, X_OK) == 0)
			return true;
		path += len + (path[len] == ':');
	}
	return false;
}
