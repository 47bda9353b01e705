/*
 * err.h: how a call says what went wrong.
 *
 * A call that can fail returns 0 or -1 (or a pointer or NULL) and fills the struct err passed last.
 * It is set where the fault is seen and passed up untouched. The code is the exit status the
 * program will end with.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/base.h"

enum err_code {
	ERR_NONE = 0,
	ERR_NOTFOUND = 1,          /* nothing found, only shown with -e */
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
 * The start of a message, for ERR_DATA: a record that belongs to another user, whose own is the one
 * that the program runs for. A pipe with -u forgotten has as many of these as lines, so programs
 * tell it of the first one alone.
 */
#define ERR_OF_USER    "a record of user '"
#define ERR_OTHER_USER ERR_OF_USER "%s', not '%s'"

#define ERR_INIT { 0, "" }

/* Fills e (cut at its size, at a character boundary) and returns -1. e may be NULL. */
int err_set(struct err *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* As err_set, with ": " and the text of errno at the time of the call. */
int err_set_errno(struct err *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);

void err_clear(struct err *e);

#endif
