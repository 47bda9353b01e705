/*
 * side.h: a program that runs beside this one, with an end of its pipes in our hands. Private to
 * lib/transfer.
 */
#pragma once

#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

/* to: what it reads, from: what it writes; -1: it reads nothing, or is not in our hands. */
struct side { pid_t pid; int to, from; };
#define SIDE_NONE { 0, -1, -1 }

/* Its errors go where ours do. env: a setting more, "NAME=VALUE", or NULL. */
int side_start(struct side *v, char *const argv[], bool reads, const char *env, struct err *err);
/* Bytes, 0 at the end, -1. */
ptrdiff_t side_read(struct side *v, void *p, size_t n, struct err *err);
/* 0; 1: nobody reads any more; -1. */
int side_write(struct side *v, const void *p, size_t n, struct err *err);
/* It has got all that it gets. */
void side_close(struct side *v);
/* It is not wanted any more. */
void side_stop(struct side *v);
/* Nor is any that runs: what a handler of signals may call. */
void side_stop_all(void);
/* Waits for its end: the status with which it exited, or 128 and the signal. */
int side_wait(struct side *v);
/* The code of an error that says that it ended so: none of ours is 128 and a signal. */
int side_code(int status);
