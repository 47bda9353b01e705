/*
 * run.c: the program has a process group of its own, so that what it started ends with it when the
 * time is over.
 */
#include "base/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"

#define MOST  (16u << 20)
#define PIECE 65536
#define MOST_ARGS 63

extern char **environ;

enum { IN, OUT, SAID, N_PIPES };

void
ran_release(struct ran *r)
{
	buf_release(&r->out);
	buf_release(&r->said);
}

const char *
ran_line(const struct ran *r)
{
	r->said.data[strcspn(r->said.data, "\r\n")] = '\0';
	return r->said.data;
}

/* Starts it in a group of its own on the pipes; fd NULL: as we are. An errno, 0: it runs. */
static int
start(const char *const *args, int (*fd)[2], pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t pipe_signal, none;
	char *argv[MOST_ARGS + 1];
	size_t n = 0;
	int rc;

	for (; args[n] != NULL && n < MOST_ARGS; n++)
		argv[n] = xstrdup(args[n]);
	argv[n] = NULL;
	sigemptyset(&none);
	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &pipe_signal);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr, (fd != NULL ? POSIX_SPAWN_SETPGROUP : 0) |
		POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&files);
	if (fd != NULL) {
		posix_spawn_file_actions_adddup2(&files, fd[IN][0], STDIN_FILENO);
		posix_spawn_file_actions_adddup2(&files, fd[OUT][1], STDOUT_FILENO);
		posix_spawn_file_actions_adddup2(&files, fd[SAID][1], STDERR_FILENO);
	}
	rc = posix_spawnp(pid, argv[0], &files, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	while (n > 0)
		free(argv[--n]);
	return rc;
}

static void
shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Reads what there is; false: the other side has closed. */
static bool
take(int fd, struct buf *to)
{
	char piece[4096];
	ssize_t n = read(fd, piece, sizeof(piece));

	if (n > 0)
		buf_add(to, piece, (size_t)n);
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Feeds it and reads it until it closes both outputs. -1: the time is over. */
static int
talk(int fd[N_PIPES][2], const char *in, size_t len, int64_t deadline_us, struct ran *r)
{
	while (fd[OUT][0] >= 0 || fd[SAID][0] >= 0) {
		struct pollfd p[] = { { fd[IN][1], POLLOUT, 0 }, { fd[OUT][0], POLLIN, 0 },
			{ fd[SAID][0], POLLIN, 0 } };
		int64_t left_ms = (deadline_us - clock_mono_us()) / 1000;
		ssize_t n;

		if (left_ms <= 0)
			return -1;
		if (len == 0 || fd[IN][1] < 0) {
			shut(&fd[IN][1]);
			p[0].fd = -1;
		}
		if (poll(p, NELEM(p), (int)MIN(left_ms, 1000)) <= 0)
			continue;
		if (p[0].revents != 0) {
			n = write(fd[IN][1], in, MIN(len, PIECE));
			if (n > 0) {
				in += n;
				len -= (size_t)n;
			} else if (n < 0 && errno != EAGAIN && errno != EINTR) {
				len = 0;
			}
		}
		if (p[1].revents != 0 && !take(fd[OUT][0], &r->out))
			shut(&fd[OUT][0]);
		if (p[2].revents != 0 && !take(fd[SAID][0], &r->said))
			shut(&fd[SAID][0]);
	}
	return 0;
}

static int
end_of(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int
run_along(const char *const *args)
{
	pid_t pid;

	return start(args, NULL, &pid) == 0 ? end_of(pid) : 127;
}

int
run(const char *const *args, const char *in, size_t len, int64_t ms, struct ran *r, struct err *err)
{
	int64_t deadline_us = clock_mono_us() + ms * 1000;
	int fd[N_PIPES][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 } }, rc = -1;
	pid_t pid = 0;

	buf_init(&r->out, MOST);
	buf_init(&r->said, MOST);
	r->status = 0;
	for (int i = 0; i < N_PIPES; i++) {
		if (pipe(fd[i]) != 0) {
			err_set_errno(err, ERR_UNAVAILABLE, "no pipe to '%s'", args[0]);
			goto out;
		}
		for (int k = 0; k < 2; k++)
			fcntl(fd[i][k], F_SETFD, FD_CLOEXEC);
	}
	fcntl(fd[IN][1], F_SETFL, O_NONBLOCK);
	if ((errno = start(args, fd, &pid)) != 0) {
		r->status = 127;
		err_set_errno(err, ERR_UNAVAILABLE, "'%s' does not start", args[0]);
		goto out;
	}
	shut(&fd[IN][0]);
	shut(&fd[OUT][1]);
	shut(&fd[SAID][1]);
	rc = talk(fd, in, len, deadline_us, r);
	if (rc != 0) {
		kill(-pid, SIGKILL);
		err_set(err, ERR_UNAVAILABLE, "'%s' takes too long", args[0]);
	}
	r->status = end_of(pid);
out:
	for (int i = 0; i < N_PIPES; i++) {
		shut(&fd[i][0]);
		shut(&fd[i][1]);
	}
	return rc;
}
