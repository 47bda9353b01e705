/*
 * lock.c: FILE.lock, a file of its own because closing any descriptor of the database file would
 * drop SQLite's locks.
 *
 * Waiting is done in flock itself, whose queue is fair; a timer interrupts it now and then so that
 * the wait has an end.
 *
 * The file is empty, or holds one word about a holder that takes long ("repaired"), which the next
 * holder removes.
 */
#include "store/sqlite/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/conf.h"

#define TICK_US 100000
#define ASK_US  2000

static void
on_tick(int sig)
{
	(void)sig;
}

/*
 * Opens FILE.lock, or makes it. All who may write to the store may queue for it, so it gets the
 * store's mode, or is ours alone where that fails. A reader of another user's store does not make
 * it: what he has to note is not worth a file in the way of its owner.
 */
static int
lock_make(struct db *d, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	struct stat st;

	if (fd >= 0 && stat(d->path, &st) == 0)
		fchmod(fd, st.st_mode & 0666);
	return fd;
}

static int
lock_open(struct db *d, struct err *err)
{
	char *path = db_text("%s.lock", d->path);

	d->lock_fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (d->lock_fd < 0 && errno == ENOENT && !(d->mode == STORE_READ && d->of_another))
		d->lock_fd = lock_make(d, path);
	if (d->lock_fd < 0)
		err_set_errno(err, errno == EACCES || errno == EROFS ? ERR_PERM : ERR_IO,
		    "cannot open '%s'", path);
	sqlite3_free(path);
	return d->lock_fd < 0 ? -1 : 0;
}

/* The same for a library, whose process has signals and a timer of its own: it asks again. */
static int
lock_ask(struct db *d, int64_t wait_us)
{
	static const struct timespec pause = { 0, ASK_US * 1000 };
	int64_t end = clock_mono_us() + wait_us;
	int rc;

	while ((rc = flock(d->lock_fd, LOCK_EX | LOCK_NB)) < 0 &&
	    (errno == EWOULDBLOCK || errno == EINTR) && clock_mono_us() < end)
		nanosleep(&pause, NULL);
	return rc;
}

/*
 * flock with a time limit. The handler does nothing: its signal makes flock return EINTR. The timer
 * repeats, so that a signal just before flock does no harm.
 */
static int
lock_wait(struct db *d, int64_t wait_us)
{
	struct sigaction act = { .sa_handler = on_tick }, old;
	struct itimerval tick = { { 0, TICK_US }, { 0, TICK_US } }, none = { { 0, 0 }, { 0, 0 } };
	int64_t end = clock_mono_us() + wait_us;
	sigset_t alarm, before;
	int rc;

	sigemptyset(&act.sa_mask);
	sigaction(SIGALRM, &act, &old);
	/*
	 * the program may have been started with the signal blocked, and the wait would have no end
	 */
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &alarm, &before);
	setitimer(ITIMER_REAL, &tick, NULL);
	do {
		rc = flock(d->lock_fd, LOCK_EX);
	} while (rc < 0 && errno == EINTR && clock_mono_us() < end);
	setitimer(ITIMER_REAL, &none, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	sigaction(SIGALRM, &old, NULL);
	return rc;
}

void
sqlite_lock_note(struct db *d, const char *doing)
{
	if (ftruncate(d->lock_fd, 0) == 0 && pwrite(d->lock_fd, doing, strlen(doing), 0) < 0)
		return; /* on a full disk they are only told that it is busy */
}

static int
busy(struct db *d, struct err *err)
{
	char doing[16] = "";
	ssize_t n = pread(d->lock_fd, doing, sizeof(doing) - 1, 0);

	if (n > 0 && strspn(doing, "abcdefghijklmnopqrstuvwxyz") == (size_t)n)
		return err_set(err, ERR_BUSY, "store is being %s, try again later: '%s'", doing,
		    d->path);
	return err_set(err, ERR_BUSY, "store is busy, try again: '%s'", d->path);
}

int
sqlite_lock(struct db *d, bool wait, struct err *err)
{
	struct stat st;

	if (d->lock_depth > 0) {
		d->lock_depth++;
		return 0;
	}
	if (d->lock_fd < 0 && lock_open(d, err) < 0)
		return -1;
	int rc = flock(d->lock_fd, LOCK_EX | LOCK_NB);
	if (rc < 0 && wait && (errno == EWOULDBLOCK || errno == EINTR))
		rc = (conf_is_of_process() ? lock_wait : lock_ask)(d,
		    (int64_t)(conf_real("wait") * 1e6));
	if (rc < 0)
		return busy(d, err);
	d->lock_depth = 1;
	/* we have the lock, so nobody repairs now: a word that is left there is out of date */
	if (!d->swept)
		rebuild_sweep(d);
	d->swept = true;
	if (fstat(d->lock_fd, &st) == 0 && st.st_size > 0 && ftruncate(d->lock_fd, 0) < 0)
		/* if the word stays, somebody is told the wrong reason at worst */
		return 0;
	return 0;
}

void
sqlite_unlock(struct db *d)
{
	if (d->lock_depth > 0 && --d->lock_depth == 0)
		flock(d->lock_fd, LOCK_UN);
}
