/*
 * spawn.h: starts a program in a process group of its own, with pipes to it and from it.
 */
#ifndef BASE_SPAWN_H
#define BASE_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Makes a pipe whose ends no program inherits that is started later. ours is the end that stays
 * with this process, 0 or 1: it does not block. Returns 0, or -1 with errno; ends that are open
 * are in fd then, the others are -1.
 */
int spawn_pipe(int fd[2], int ours);

/*
 * Starts argv, whose first is looked for in PATH, with these as its standard input, output and
 * error; err -1: it shares ours. Returns 0 or an errno. *pid is also its process group.
 */
int spawn_group(char *const argv[], int in, int out, int err, pid_t *pid);

#endif
