/*
 * rss: runs a program and writes the most memory it had, in KB, to a file. usage: rss FILE PROGRAM
 * [ARGUMENT ...]
 */
#include <sys/resource.h>

#include "drive.h"

int
main(int argc, char **argv)
{
	struct rusage use;
	FILE *f;
	int status;
	pid_t pid;

	if (argc < 3)
		die("usage: rss FILE PROGRAM [ARGUMENT ...]");
	if ((pid = fork()) == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || getrusage(RUSAGE_CHILDREN, &use) != 0 ||
	    (f = fopen(argv[1], "w")) == NULL)
		die("%s: %s", argv[1], strerror(errno));
	fprintf(f, "%ld\n", use.ru_maxrss);
	if (fclose(f) != 0)
		die("%s: %s", argv[1], strerror(errno));
	if (WIFSIGNALED(status)) {
		fprintf(stderr, "%s: signal %d\n", argv[2], WTERMSIG(status));
		return 128 + WTERMSIG(status);
	}
	return WEXITSTATUS(status);
}
