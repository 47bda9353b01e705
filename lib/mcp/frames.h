/*
 * frames.h: the lines that a client sends. While a call runs, those that have come are looked
 * through for its cancellation, and kept for later.
 */
#pragma once

#include "base/err.h"

struct frames;

/* Reads standard input. */
int frames_open(struct frames **out, struct err *err);
void frames_close(struct frames *f);

enum frames_got { FRAMES_END, FRAMES_LINE, FRAMES_TOO_LONG };
/*
 * Waits for the next line, which is borrowed until the next call. Returns enum frames_got, or -1
 * for a fault of the input.
 */
int frames_next(struct frames *f, const char **line, size_t *len, struct err *err);

/*
 * Whether the client has cancelled the request with this id, given as JSON text. Reads what has
 * come, and never waits for more than the end of a line.
 */
bool frames_cancelled(struct frames *f, const char *id);

/*
 * Where the id of a request stands in a line that is no JSON, or is cut, and its length, *n: a text
 * in its quotes, or digits. NULL: it is not found.
 */
const char *frames_id(const char *line, size_t len, size_t *n);
