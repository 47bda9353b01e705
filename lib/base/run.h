/*
 * run.h: runs a program to its end.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum ran_how {
	RAN_WHOLE,
	RAN_NOT,                               /* it does not start */
	RAN_LATE,                              /* the time was over */
	RAN_ALONE,                             /* nobody waits for it any more */
	RAN_OVER                               /* it said too much, of which r->out has a part */
};

struct ran {
	struct buf out;
	struct buf said;           /* the end of its standard error */
	int status;                /* as a shell says it: 127 not found, 128 + a signal */
	enum ran_how how;
};

struct run_limits {
	int64_t until_us;                      /* of clock_mono_us */
	size_t out_bytes;
	bool (*gone)(void);                    /* whether nobody waits any more; NULL */
	bool with_others;                      /* what it leaves running is ended, too */
};

/*
 * Runs args, the first found in PATH, with the text as its standard input. r is to be released in
 * any case. ERR_UNAVAILABLE: r->how says why.
 */
int run_within(const char *const *args, const char *in, size_t len, const struct run_limits *limits,
	struct ran *r, struct err *err);
/* For at most ms milliseconds, and up to 16 MiB of output. */
int run(const char *const *args, const char *in, size_t len, int64_t ms, struct ran *r,
	struct err *err);
void ran_release(struct ran *r);
/* The first line of what it said, for a message: "" when it said nothing. */
const char *ran_line(const struct ran *r);

/*
 * Runs it with our own streams, as long as it takes; what does not read has no input of ours.
 * Returns its status.
 */
int run_along(const char *const *args, bool reads);
