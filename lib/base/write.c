/* write.c: write(2) may take less than it was given, and none while a pipe is full. */
#include "base/write.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int
write_whole(int fd, const void *p, size_t n)
{
	const char *at = p;

	while (n > 0) {
		ssize_t did = write(fd, at, n);

		if (did >= 0) {
			at += did;
			n -= (size_t)did;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			poll(&(struct pollfd){ fd, POLLOUT, 0 }, 1, -1);
		} else if (errno != EINTR) {
			return -1;
		}
	}
	return 0;
}

ssize_t
write_quietly(int fd, const void *p, size_t n)
{
	sigset_t signals, before, pending;
	int code, came;

	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &signals, &before);
	ssize_t did = write(fd, p, n);
	code = errno;
	/* one that came before is left to whom it was for */
	if (did < 0 && code == EPIPE && !sigismember(&pending, SIGPIPE)) {
		sigpending(&pending);
		if (sigismember(&pending, SIGPIPE))
			sigwait(&signals, &came);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = code;
	return did;
}
