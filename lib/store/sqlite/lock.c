/*
 * lock.c: FILE.lock, a file of its own because closing any descriptor of the database file would drop SQLite's locks.
 *
 * Waiting is done in flock itself, whose queue is fair; a timer interrupts it now and then so that the wait has an end.
 */
#include "store/sqlite/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/conf.h"

#define TICK_US 100000

static void
on_tick(int sig)
{
	(void)sig;
}

static int
lock_open(struct store *s, struct err *err)
{
	char *path = sqlite3_mprintf("%s.lock", s->path);

	s->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (s->lock_fd < 0)
		err_set_errno(err, errno == EACCES || errno == EROFS ? ERR_PERM : ERR_IO, "cannot open '%s'", path);
	sqlite3_free(path);
	return s->lock_fd < 0 ? -1 : 0;
}

/* flock with an end: the handler does nothing but make flock return EINTR; the timer repeats, so none is missed. */
static int
lock_wait(struct store *s, int64_t wait_us)
{
	struct sigaction act = { .sa_handler = on_tick }, old;
	struct itimerval tick = { { 0, TICK_US }, { 0, TICK_US } }, none = { { 0, 0 }, { 0, 0 } };
	int64_t end = clock_mono_us() + wait_us;
	int rc;

	sigemptyset(&act.sa_mask);
	sigaction(SIGALRM, &act, &old);
	setitimer(ITIMER_REAL, &tick, NULL);
	do {
		rc = flock(s->lock_fd, LOCK_EX);
	} while (rc < 0 && errno == EINTR && clock_mono_us() < end);
	setitimer(ITIMER_REAL, &none, NULL);
	sigaction(SIGALRM, &old, NULL);
	return rc;
}

int
lock_take(struct store *s, bool wait, struct err *err)
{
	int rc;

	if (s->lock_depth > 0) {
		s->lock_depth++;
		return 0;
	}
	if (s->lock_fd < 0 && lock_open(s, err) < 0)
		return -1;
	rc = flock(s->lock_fd, LOCK_EX | LOCK_NB);
	if (rc < 0 && wait && (errno == EWOULDBLOCK || errno == EINTR))
		rc = lock_wait(s, (int64_t)(conf_real("wait") * 1e6));
	if (rc < 0)
		return err_set(err, ERR_BUSY, "store is busy, try again: '%s'", s->path);
	s->lock_depth = 1;
	return 0;
}

void
lock_drop(struct store *s)
{
	if (s->lock_depth > 0 && --s->lock_depth == 0)
		flock(s->lock_fd, LOCK_UN);
}
