/*
 * side.c: pipe, posix_spawn, wait. A program that reads nothing of ours reads /dev/null, so that
 * ssh leaves the standard input of who called us alone.
 */
#include "transfer/side.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/spawn.h"
#include "base/write.h"

#define SIDES_MAX 4

extern char **environ;

/* Those that run, for a handler of signals; 0: none. */
static volatile pid_t running[SIDES_MAX];

static void
exchange(pid_t from, pid_t to)
{
	for (size_t i = 0; i < SIDES_MAX; i++)
		if (running[i] == from) {
			running[i] = to;
			return;
		}
}

/* The environment with one more, in an array to be freed. */
static char **
with(const char *env)
{
	size_t n = 0, len = env == NULL ? 0 : strcspn(env, "=") + 1, kept = 0;
	char **out;

	while (environ[n] != NULL)
		n++;
	out = xreallocarray(NULL, n + 2, sizeof(*out));
	for (size_t i = 0; i < n; i++)
		if (env == NULL || strncmp(environ[i], env, len) != 0)
			out[kept++] = environ[i];
	if (env != NULL)
		out[kept++] = (char *)(uintptr_t)env;
	out[kept] = NULL;
	return out;
}

static int
start(struct side *v, char *const argv[], int in, int out, const char *env)
{
	const struct spawn w = { (const char *const *)argv, { in >= 0 ? in : SPAWN_NONE, out,
		SPAWN_OURS }, false, with(env) };
	sigset_t all, before;
	int rc;

	/* no signal comes between its start and the note of it */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	if ((rc = spawn(&w, &v->pid)) == 0)
		exchange(0, v->pid);
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(w.env);
	return rc;
}

int
side_start(struct side *v, char *const argv[], bool reads, const char *env, struct err *err)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, rc = 0;

	*v = (struct side)SIDE_NONE;
	if ((reads && spawn_pipe(in, -1) < 0) || spawn_pipe(out, -1) < 0)
		rc = err_set_errno(err, ERR_IO, "no pipe");
	else if ((errno = start(v, argv, in[0], out[1], env)) != 0)
		rc = err_set_errno(err, ERR_UNAVAILABLE, "cannot run '%s'", argv[0]);
	if (rc != 0)
		v->pid = 0;
	if (rc == 0) {
		v->to = in[1];
		v->from = out[0];
		in[1] = out[0] = -1;
	}
	for (int i = 0; i < 2; i++) {
		spawn_shut(&in[i]);
		spawn_shut(&out[i]);
	}
	return rc;
}

ptrdiff_t
side_read(struct side *v, void *p, size_t n, struct err *err)
{
	ssize_t got;

	do {
		got = read(v->from, p, n);
	} while (got < 0 && errno == EINTR);
	return got >= 0 ? got : err_set_errno(err, ERR_IO, "cannot read from a pipe");
}

int
side_write(struct side *v, const void *p, size_t n, struct err *err)
{
	if (write_whole(v->to, p, n) == 0)
		return 0;
	return errno == EPIPE ? 1 : err_set_errno(err, ERR_IO, "cannot write to a pipe");
}

void
side_close(struct side *v)
{
	spawn_shut(&v->to);
}

void
side_stop(struct side *v)
{
	if (v->pid > 0)
		kill(v->pid, SIGTERM);
}

void
side_stop_all(void)
{
	for (size_t i = 0; i < SIDES_MAX; i++)
		if (running[i] > 0)
			kill(running[i], SIGTERM);
}

int
side_wait(struct side *v)
{
	spawn_shut(&v->to);
	spawn_shut(&v->from);
	if (v->pid <= 0)
		return 0;
	int status = spawn_wait(v->pid);
	exchange(v->pid, 0);
	v->pid = 0;
	return status;
}

int
side_code(int status)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGSYS, SIGTRAP };

	if (status <= 128)
		return status == ERR_DATA || status == ERR_NOINPUT || status == ERR_BUG ||
			status == ERR_IO || status == ERR_BUSY || status == ERR_PERM ||
			status == ERR_CONFIG
		    ? status
		    : ERR_UNAVAILABLE;
	for (size_t i = 0; i < NELEM(crashes); i++)
		if (status == 128 + crashes[i])
			return ERR_BUG;
	return ERR_UNAVAILABLE;
}
