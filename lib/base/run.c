/*
 * run.c: the program has a process group of its own, so that what it started ends with it when the
 * time is over. Our ends of its pipes do not block: poll waits.
 */
#include "base/run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/spawn.h"
#include "base/write.h"

#define MOST       (16u << 20)
#define PIECE      65536
#define SAID_BYTES 4096                        /* at least as many of its last are kept */
#define SLICE_MS   100                         /* how often gone is asked */

/* a program that runs */
struct running {
	pid_t pid;
	int in, out, said;                     /* our ends; -1: closed */
	const char *text;
	size_t len;
	bool ended;                            /* with status, though its output is open */
	int status;
};

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

/* Reads what there is; closes the end where that is all. false: there is nothing now. */
static bool
take(int *fd, struct buf *to)
{
	char piece[PIECE];
	ssize_t n = read(*fd, piece, sizeof(piece));

	if (n > 0)
		buf_add(to, piece, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		spawn_shut(fd);
	return n > 0;
}

static bool
take_said(struct running *p, struct buf *said)
{
	bool more = p->said >= 0 && take(&p->said, said);

	if (said->len > 2 * SAID_BYTES) {
		memmove(said->data, said->data + said->len - SAID_BYTES, SAID_BYTES + 1);
		said->len = SAID_BYTES;
	}
	return more;
}

/* A program that reads no further, as one that does not start, is told by its status. */
static void
give(struct running *p)
{
	ssize_t n = p->len > 0 ? write_quietly(p->in, p->text, p->len) : 0;

	if (n > 0) {
		p->text += n;
		p->len -= (size_t)n;
	}
	if (p->len == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		spawn_shut(&p->in);
}

/* Notes whether it has ended; what it has left running may hold its output open. */
static bool
has_ended(struct running *p)
{
	p->ended |= waitpid(p->pid, &p->status, WNOHANG) == p->pid;
	return p->ended;
}

static enum ran_how
over(const struct run_limits *l)
{
	return clock_mono_us() >= l->until_us	? RAN_LATE
	    : l->gone != NULL && l->gone() ? RAN_ALONE
					   : RAN_WHOLE;
}

/* Until it closes its output. */
static enum ran_how
talk(struct running *p, const struct run_limits *l, struct ran *r)
{
	enum ran_how how;

	while (p->out >= 0) {
		struct pollfd f[] = { { p->in, POLLOUT, 0 }, { p->out, POLLIN, 0 },
			{ p->said, POLLIN, 0 } };
		int64_t left_ms = (l->until_us - clock_mono_us() + 999) / 1000;

		if ((how = over(l)) != RAN_WHOLE)
			return how;
		if (poll(f, NELEM(f), (int)MIN(left_ms, SLICE_MS)) <= 0) {
			if (!has_ended(p))
				continue;
			while (!r->out.full && p->out >= 0 && take(&p->out, &r->out))
				;
			break;
		}
		if (f[0].revents != 0)
			give(p);
		if (f[2].revents != 0)
			take_said(p, &r->said);
		if (f[1].revents != 0)
			take(&p->out, &r->out);
		if (r->out.full)
			break;
	}
	return r->out.full ? RAN_OVER : RAN_WHOLE;
}

/* Waits until it has ended, which it may do later than its output. */
static int
end_of(struct running *p, const struct run_limits *l, struct ran *r)
{
	spawn_shut(&p->in);
	while (r->how == RAN_WHOLE && !has_ended(p) && (r->how = over(l)) == RAN_WHOLE)
		if (!take_said(p, &r->said))
			poll(NULL, 0, 10);
	while (r->how == RAN_WHOLE && take_said(p, &r->said))
		;
	if (r->how != RAN_WHOLE || l->with_others)
		kill(-p->pid, SIGKILL);
	while (!p->ended && waitpid(p->pid, &p->status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(p->status) ? WEXITSTATUS(p->status) : 128 + WTERMSIG(p->status);
}

int
run_along(const char *const *args, bool reads)
{
	const struct spawn s = { args,
		{ reads ? SPAWN_OURS : SPAWN_NONE, SPAWN_OURS, SPAWN_OURS }, false, NULL };
	pid_t pid;

	return spawn(&s, &pid) == 0 ? spawn_wait(pid) : 127;
}

/* Starts it on pipes; an errno, 0: it runs. */
static int
start(const char *const *args, struct running *p)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, said[2] = { -1, -1 }, code;

	if (spawn_pipe(in, 1) != 0 || spawn_pipe(out, 0) != 0 || spawn_pipe(said, 0) != 0)
		code = errno;
	else
		code = spawn(&(struct spawn){ args, { in[0], out[1], said[1] }, true, NULL },
		    &p->pid);
	spawn_shut(&in[0]);
	spawn_shut(&out[1]);
	spawn_shut(&said[1]);
	p->in = in[1];
	p->out = out[0];
	p->said = said[0];
	return code;
}

int
run_within(const char *const *args, const char *in, size_t len, const struct run_limits *limits,
	struct ran *r, struct err *err)
{
	struct running p = { .text = in, .len = len };
	int rc = 0;

	buf_init(&r->out, limits->out_bytes);
	buf_init(&r->said, 2 * SAID_BYTES + PIECE);
	r->status = 127;
	r->how = RAN_NOT;
	if ((errno = start(args, &p)) != 0) {
		rc = err_set_errno(err, ERR_UNAVAILABLE, "'%s' does not start", args[0]);
	} else {
		r->how = talk(&p, limits, r);
		r->status = end_of(&p, limits, r);
		if (r->how == RAN_OVER)
			rc = err_set(err, ERR_UNAVAILABLE, "'%s' says more than %zu bytes",
			    args[0], limits->out_bytes);
		else if (r->how != RAN_WHOLE)
			rc = err_set(err, ERR_UNAVAILABLE, "'%s' takes too long", args[0]);
	}
	spawn_shut(&p.in);
	spawn_shut(&p.out);
	spawn_shut(&p.said);
	return rc;
}

int
run(const char *const *args, const char *in, size_t len, int64_t ms, struct ran *r, struct err *err)
{
	return run_within(args, in, len,
	    &(struct run_limits){ clock_mono_us() + ms * 1000, MOST, NULL, false }, r, err);
}
