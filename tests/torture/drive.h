/*
 * drive.h: what the drivers of the safety tests share: seeded chance, a program with pipes to it,
 * and the words for giving up.
 */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__GNUC__)
#define DRIVE_UNUSED __attribute__((unused))
#define DRIVE_PRINTF __attribute__((format(printf, 1, 2), noreturn, unused))
#else
#define DRIVE_UNUSED
#define DRIVE_PRINTF
#endif

DRIVE_PRINTF static void
die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fflush(stdout);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

DRIVE_UNUSED static int64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

DRIVE_UNUSED static void
sleep_us(int64_t us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&t, NULL);
}

/* splitmix64: the same numbers for the same seed everywhere. */
DRIVE_UNUSED static uint64_t
chance(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* From lo to hi, both included. */
DRIVE_UNUSED static int64_t
between(uint64_t *state, int64_t lo, int64_t hi)
{
	return lo + (int64_t)(chance(state) % (uint64_t)(hi - lo + 1));
}

/* The seed is in the environment, so that a failure can be had again. */
DRIVE_UNUSED static uint64_t
seed(void)
{
	const char *s = getenv("SEED");

	return s == NULL || *s == '\0' ? 1 : strtoull(s, NULL, 10);
}

/* The number that is argument i, or another where there is none. */
DRIVE_UNUSED static long
argument(int argc, char **argv, int i, long otherwise)
{
	return i < argc ? strtol(argv[i], NULL, 10) : otherwise;
}

struct child { pid_t pid; int in, out; };      /* in, out: our ends; -1: closed */

/*
 * Starts argv with a pipe to its stdin (unless empty_input) and one from its stdout; stderr is
 * ours.
 */
DRIVE_UNUSED static void
child_start(struct child *c, char *const argv[], int empty_input)
{
	int in[2], out[2];

	if (pipe(in) != 0 || pipe(out) != 0)
		die("pipe: %s", strerror(errno));
	if ((c->pid = fork()) < 0)
		die("fork: %s", strerror(errno));
	if (c->pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[0]);
		close(in[1]);
		close(out[0]);
		close(out[1]);
		execvp(argv[0], argv);
		fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	c->in = in[1];
	c->out = out[0];
	fcntl(c->in, F_SETFD, FD_CLOEXEC);
	fcntl(c->out, F_SETFD, FD_CLOEXEC);
	if (empty_input) {
		close(c->in);
		c->in = -1;
	}
}

/* Closes our ends and waits; the status as waitpid gives it. */
DRIVE_UNUSED static int
child_end(struct child *c)
{
	int status;

	if (c->in >= 0)
		close(c->in);
	if (c->out >= 0)
		close(c->out);
	c->in = c->out = -1;
	while (waitpid(c->pid, &status, 0) < 0)
		if (errno != EINTR)
			die("waitpid: %s", strerror(errno));
	return status;
}
