/*
 * llm_child.c: the command has a process group of its own, so that it is killed with all that it
 * started when the time is over. It ends by itself when its input is closed, as happens when this
 * process is killed, too. It shares our stderr. The pipes do not block on our side: poll waits
 * until the time is over.
 */
#include <errno.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/spawn.h"
#include "base/system.h"
#include "base/write.h"
#include "llm/llm_child.h"

#define PATH_BYTES  4096
#define SLICE_MS    100        /* how often *stop is checked */
#define END_MS      500
#define AT_ONCE_MS  (2 * SLICE_MS)      /* mem-llm looks as often as we */
#define PIECE_BYTES 65536

struct llm_child {
	pid_t pid;
	int to, from;
	struct buf rest;                       /* what came after the last line */
};

/* ---- start ---- */

/* The path of the mem-llm beside this program; "mem-llm" if there is none. */
static const char *
find_mem_llm(char *path, size_t size)
{
	static const char name[] = "mem-llm";

	if (!system_program_dir(path, size - sizeof(name)))
		return name;
	snprintf(path + strlen(path), sizeof(name) + 1, "/%s", name);
	return access(path, X_OK) == 0 ? path : name;
}

int
child_start(const char *command, struct llm_child **out, struct err *err)
{
	char path[PATH_BYTES];
	const char *const alone[] = { *command == '\0' ? find_mem_llm(path, sizeof(path)) : "",
		NULL }, *const shell[] = { "/bin/sh", "-c", command, NULL };
	struct llm_child *c;
	int to[2], from[2] = { -1, -1 }, rc = -1;
	pid_t pid;

	*out = NULL;
	if (spawn_pipe(to, 1) < 0 || spawn_pipe(from, 0) < 0) {
		err_set_errno(err, ERR_UNAVAILABLE, "no pipe to the model's command");
	} else if ((errno = spawn(&(struct spawn){ *command == '\0' ? alone : shell,
			   { to[0], from[1], SPAWN_OURS }, true, NULL }, &pid)) != 0) {
		err_set_errno(err, ERR_UNAVAILABLE, "the model's command does not start: '%.200s'",
		    *command == '\0' ? "mem-llm" : command);
	} else {
		c = xcalloc(1, sizeof(*c));
		c->pid = pid;
		c->to = to[1];
		c->from = from[0];
		buf_init(&c->rest, SIZE_MAX);
		*out = c;
		to[1] = from[0] = -1;
		rc = 0;
	}
	for (int i = 0; i < 2; i++) {
		spawn_shut(&to[i]);
		spawn_shut(&from[i]);
	}
	return rc;
}

/* ---- a line there, a line back ---- */

/* Waits for fd. 1: it is ready or broken; -1: the time is over. */
static int
wait_for(int fd, short events, int64_t deadline_us, const volatile sig_atomic_t *stop,
	struct err *err)
{
	struct pollfd p = { .fd = fd, .events = events };

	for (;;) {
		int64_t left_ms = (deadline_us - clock_mono_us() + 999) / 1000;

		if (stop != NULL && *stop != 0)
			return err_set(err, ERR_UNAVAILABLE, "interrupted");
		if (left_ms <= 0)
			return err_set(err, ERR_UNAVAILABLE, "no answer in time");
		if (poll(&p, 1, (int)MIN(left_ms, SLICE_MS)) > 0)
			return 1;
	}
}

/* The command closed its side: it is about to end, or should. */
static int
ended(struct llm_child *c, struct err *err)
{
	int status = 0;
	pid_t got = 0;

	for (int i = 0; i < SLICE_MS && (got = waitpid(c->pid, &status, WNOHANG)) == 0; i++)
		poll(NULL, 0, 1);
	kill(-c->pid, SIGKILL);
	if (got == 0)
		waitpid(c->pid, NULL, 0);
	c->pid = 0;
	if (got > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return err_set(err, ERR_UNAVAILABLE, "the model's command is not to be found");
	return err_set(err, ERR_UNAVAILABLE, "the model's command ended without an answer");
}

static int
send_line(struct llm_child *c, const char *line, size_t len, int64_t deadline_us,
	const volatile sig_atomic_t *stop, struct err *err)
{
	size_t done = 0;
	int rc = 0;
	LOCAL(buf) b = buf_of(SIZE_MAX);

	buf_add(&b, line, len);
	buf_addc(&b, '\n');
	while (rc == 0 && done < b.len) {
		ssize_t n = write_quietly(c->to, b.data + done, b.len - done);

		if (n > 0)
			done += (size_t)n;
		else if (n < 0 && errno != EAGAIN && errno != EINTR)
			rc = ended(c, err);
		else if (wait_for(c->to, POLLOUT, deadline_us, stop, err) < 0)
			rc = -1;
	}
	return rc;
}

int
child_ask(struct llm_child *c, const char *line, size_t len, int64_t deadline_us,
	const volatile sig_atomic_t *stop, struct buf *reply, struct err *err)
{
	size_t seen = 0;
	char *end;

	if (send_line(c, line, len, deadline_us, stop, err) < 0)
		return -1;
	while ((end = c->rest.len > seen ? memchr(c->rest.data + seen, '\n', c->rest.len - seen)
					 : NULL) == NULL) {

		seen = c->rest.len;
		if (seen > reply->max)
			return err_set(err, ERR_UNAVAILABLE, "the model's answer is over %zu bytes",
			    reply->max);
		if (wait_for(c->from, POLLIN, deadline_us, stop, err) < 0)
			return -1;
		ssize_t n = read(c->from, buf_reserve(&c->rest, PIECE_BYTES), PIECE_BYTES);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return ended(c, err);
		c->rest.len += n > 0 ? (size_t)n : 0;
	}
	buf_reset(reply);
	buf_add(reply, c->rest.data, (size_t)(end - c->rest.data));
	len = (size_t)(end + 1 - c->rest.data);
	memmove(c->rest.data, end + 1, c->rest.len - len);
	c->rest.len -= len;
	return reply->full
	    ? err_set(err, ERR_UNAVAILABLE, "the model's answer is over %zu bytes", reply->max)
	    : 0;
}

void
child_end(struct llm_child *c, bool at_once)
{
	int64_t deadline_us = clock_mono_us() + (at_once ? AT_ONCE_MS : END_MS) * 1000;
	char piece[4096];

	if (c == NULL)
		return;
	close(c->to);
	if (at_once)
		close(c->from);
	/* the command has ended when its output ends */
	while (!at_once && c->pid != 0 && wait_for(c->from, POLLIN, deadline_us, NULL, NULL) > 0 &&
	    read(c->from, piece, sizeof(piece)) > 0)
		continue;
	/*
	 * When nobody reads, mem-llm ends an agent's command, which is in another group than it;
	 * killed, it could not.
	 */
	while (at_once && c->pid != 0 && waitpid(c->pid, NULL, WNOHANG) == 0 &&
	    clock_mono_us() < deadline_us)
		poll(NULL, 0, 10);
	if (c->pid != 0) {
		kill(-c->pid, SIGKILL);
		while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	}
	if (!at_once)
		close(c->from);
	buf_release(&c->rest);
	free(c);
}
