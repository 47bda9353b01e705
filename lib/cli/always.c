/*
 * always.c: exits are caught by atexit, the end of the time by an alarm, crashes by their signals,
 * and want of memory where it is noticed; all of them end in one function that only writes what was
 * prepared.
 */
#include "cli/always.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/alloc.h"

/* standard output, which a program that gives up may have closed */
static int answers = -1;
static const char *prepared;
static size_t prepared_len;
static void (*last_words)(enum always_end how);
static volatile sig_atomic_t answered;

static void
write_whole(const char *p, size_t n)
{
	while (n > 0) {
		ssize_t did = write(answers, p, n);
		if (did < 0 && errno == EINTR)
			continue;
		if (did <= 0)
			return;
		p += did;
		n -= (size_t)did;
	}
}

static void
end(enum always_end how)
{
	if (!answered) {
		answered = 1;
		write_whole(prepared, prepared_len);
		if (last_words != NULL)
			last_words(how);
	}
	_exit(0);
}

static void
on_end(void)
{
	end(ALWAYS_GAVE_UP);
}

static void
on_signal(int sig)
{
	end(sig == SIGALRM ? ALWAYS_LATE : ALWAYS_CRASHED);
}

static void
set_time(int64_t ms)
{
	struct itimerval t = { { 0, 0 }, { ms / 1000, (suseconds_t)(ms % 1000) * 1000 } };

	setitimer(ITIMER_REAL, &t, NULL);
}

static void
lead_nowhere(int fd, int flags)
{
	int null = open("/dev/null", flags | O_CLOEXEC);

	if (null >= 0) {
		dup2(null, fd);
		if (null != fd)
			close(null);
	}
}

void
always(const char *answer, int64_t ms)
{
	static const int caught[] = { SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	struct sigaction act = { .sa_handler = on_signal };
	bool first = prepared == NULL;

	prepared = answer;
	prepared_len = strlen(answer);
	if (first) {
		answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
		lead_nowhere(STDERR_FILENO, O_WRONLY);
		for (size_t i = 0; i < NELEM(caught); i++)
			sigaction(caught[i], &act, NULL);
		signal(SIGPIPE, SIG_IGN);
		atexit(on_end);
		alloc_at_end(on_end);
	}
	set_time(ms);
}

void
always_last(void (*last)(enum always_end how))
{
	last_words = last;
}

void
always_answer(const char *text, size_t len)
{
	set_time(0);
	answered = 1;
	write_whole(text, len);
	_exit(0);
}

/* ---- in a process of its own ---- */

static void
leave(void)
{
	prepared = "";
	prepared_len = 0;
	answered = 0;
	set_time(0);
	setsid();
	close(answers);
	answers = -1;
	lead_nowhere(STDIN_FILENO, O_RDONLY);
	lead_nowhere(STDOUT_FILENO, O_WRONLY);
	lead_nowhere(STDERR_FILENO, O_WRONLY);
}

int
always_behind(void (*fn)(void *arg), void *arg, int64_t ms)
{
	int done[2];
	struct pollfd wait = { .events = POLLIN };
	pid_t pid;
	int n;

	/* the other end closes when the child is done, however it ends */
	if (pipe(done) != 0)
		return -1;
	if ((pid = fork()) == 0) {
		close(done[0]);
		fcntl(done[1], F_SETFD, FD_CLOEXEC);
		leave();
		fn(arg);
		_exit(0);
	}
	close(done[1]);
	wait.fd = done[0];
	do
		n = pid < 0 ? -1 : poll(&wait, 1, (int)ms);
	while (n < 0 && errno == EINTR && pid > 0);
	close(done[0]);
	return n < 0 ? -1 : n > 0;
}
