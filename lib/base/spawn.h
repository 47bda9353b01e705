/*
 * spawn.h: starts a program beside this one, and waits for it.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#define SPAWN_OURS (-1)
#define SPAWN_NONE (-2)

struct spawn {
	const char *const *argv;       /* its first is looked for in PATH */
	int fd[3];             /* its standard input, output and error, or one of the above */
	/* it leads a process group, so that it can be killed with all that it started */
	bool group;
	char **env;                    /* NULL: ours */
};

/*
 * Starts it with the signals of a program that was started by a shell. Returns 0 or an errno; *pid
 * is also its process group.
 */
int spawn(const struct spawn *w, pid_t *pid);
/*
 * Waits for its end. Returns what a shell says of it: its status, or 128 and the signal; -1 with
 * errno: nobody can tell, as the process ignores SIGCHLD.
 */
int spawn_wait(pid_t pid);

/*
 * Makes a pipe whose ends no program inherits that is started later. ours is the end that stays
 * with this process and does not block, 0 or 1; -1: both do. Returns 0, or -1 with errno and both
 * -1.
 */
int spawn_pipe(int fd[2], int ours);
/* Closes it where it is open, and notes that as -1. */
void spawn_shut(int *fd);

/* Whether PATH has a program of that name. */
bool spawn_has(const char *name);
