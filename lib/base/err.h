/*
 * err.h: how a call reports a fault. A call that can fail returns 0 or -1 (or a pointer or NULL)
 * and fills the struct err passed last, which is filled where the fault is seen and passed up
 * unchanged. Its code is the exit status with which the program will end.
 */
#pragma once

#include "base/base.h"

enum err_code {
	ERR_NONE = 0,
	ERR_NOTFOUND = 1,          /* nothing was found; shown only with -e */
	ERR_USAGE = 64,
	ERR_DATA = 65,             /* bad input */
	ERR_NOINPUT = 66,
	ERR_UNAVAILABLE = 69,      /* a service does not answer */
	ERR_BUG = 70,
	ERR_IO = 74,               /* I/O error, full disk, damaged store */
	ERR_BUSY = 75,
	ERR_PERM = 77,
	ERR_CONFIG = 78,           /* configuration, or a store this version cannot use */
};

struct err {
	int code;                  /* enum err_code; 0 when nothing went wrong */
	char msg[1024];            /* lower case, no full stop, the subject quoted */
};

/*
 * The start of a message for ERR_DATA: a record belongs to another user than the one for whom the
 * program runs. When -u is forgotten in a pipe, every line has this fault, so programs report only
 * the first.
 */
#define ERR_OF_USER    "a record of user '"
#define ERR_OTHER_USER ERR_OF_USER "%s', not '%s'"

/* What is told of a store in which something is not as mem writes it: what helps. */
#define ERR_DAMAGED \
	"damaged (mem-check --repair mends what it can, --restore FILE brings a copy back)"

#define ERR_INIT { 0, "" }

/* Fills e, cut to its size at the end of a character, and returns -1. e may be NULL. */
int err_set(struct err *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Like err_set, with ": " and the text of errno behind the message. */
int err_set_errno(struct err *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);

void err_clear(struct err *e);
