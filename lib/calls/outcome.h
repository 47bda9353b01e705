/*
 * outcome.h: what the result of a call says: whether it worked, its exit status, and the lines that
 * tell of an error.
 */
#pragma once

#include <limits.h>

#include "base/arena.h"

enum worked { WORKED_UNKNOWN, WORKED_NO, WORKED_YES };

#define EXIT_UNKNOWN INT_MIN

struct outcome {
	enum worked worked;                /* as the host says, or the exit status */
	int status;                        /* EXIT_UNKNOWN: not told */
};

/*
 * Reads the text of a result, and extra, the JSON text of other keys of its message, or "". Of a
 * long text its two ends are looked at.
 */
void outcome_read(const char *text, size_t len, const char *extra, struct outcome *out);

enum error_kind {
	ERROR_TOLD,                /* it says what is wrong, as programs do */
	ERROR_FIRST,               /* nothing says so: the first line of what failed */
	ERROR_CLOSING              /* that something failed: "make: *** [all] Error 2" */
};

/* A line that tells of an error, as it stands, and as it is compared (error_norm). */
struct error_line { const char *text; size_t len; const char *norm; enum error_kind kind; };
/*
 * The different ones of a result that did not certainly work, at most max: those that tell what is
 * wrong, in their order, then the closing ones, which many errors have. Where none but these has a
 * word for an error, the last line that a program says by its name tells it, else the first line of
 * what failed. Cost: 1 ns a byte, of 12 KB at most, and some microseconds a line with such a word.
 */
size_t errors_read(const char *text, size_t len, const struct outcome *o, struct arena *a,
	struct error_line *out, size_t max);

/*
 * A line without what differs from one time to the next: case, numbers, addresses, directories,
 * the place that a compiler names, blanks. From its word for an error on, where enough follows.
 */
const char *error_norm(const char *line, size_t len, struct arena *a);
