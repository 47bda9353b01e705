/*
 * run.h: runs a program to its end.
 */
#ifndef BASE_RUN_H
#define BASE_RUN_H

#include "base/buf.h"
#include "base/err.h"

struct ran {
	struct buf out, said;      /* its standard output and its standard error, up to 16 MiB */
	int status;                /* as a shell says it: 127 not found, 128 + a signal */
};

/*
 * Runs args, found in PATH, with the text as its standard input, for at most ms milliseconds. r is
 * to be released in any case. ERR_UNAVAILABLE: it does not start, or takes too long.
 */
int run(const char *const *args, const char *in, size_t len, int64_t ms, struct ran *r,
	struct err *err);
void ran_release(struct ran *r);
/* The first line of what it said, for a message: "" when it said nothing. */
const char *ran_line(const struct ran *r);

/* Runs it with our own streams, as long as it takes. Returns its status. */
int run_along(const char *const *args);

#endif
