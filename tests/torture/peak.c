/*
 * peak.c: runs a program and writes the most memory that it held, in KB, into a file.
 *
 *	peak FILE COMMAND [ARGUMENT ...]
 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

int
main(int argc, char **argv)
{
	struct rusage used;
	int status;
	pid_t pid;
	FILE *f;

	if (argc < 3)
		return 64;
	if ((pid = fork()) == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || getrusage(RUSAGE_CHILDREN, &used) != 0 ||
	    (f = fopen(argv[1], "w")) == NULL)
		return 71;
	fprintf(f, "%ld\n", used.ru_maxrss);
	if (fclose(f) != 0)
		return 71;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
