/*
 * change.h: what a call of a tool would change: the lines that a file gets and loses, and those of
 * both that stay, or the line that a shell is given.
 */
#pragma once

#include "base/arena.h"

enum change_side { CHANGE_LOST, CHANGE_GAINED, CHANGE_KEPT };

struct change_line {
	const char *text;          /* not NUL-terminated, without its end */
	size_t len;
	enum change_side side;
};

#define CHANGE_LINES 250           /* of each side; what is longer is cut off */

struct change {
	const char *path;          /* of the file that is changed; "": none */
	const char *command;       /* NULL: the call runs none */
	struct change_line *lines; /* [n], those lost before those gained */
	size_t n;
};

/*
 * Reads a call, JSON text as calls_read takes it. A line that a text loses and gets again stays; of
 * a whole file that is written all lines are gained. In the arena.
 */
void change_read(const char *json, size_t len, const char *dir, struct arena *a,
	struct change *out);
