/*
 * show.h: finds records by their ids.
 */
#pragma once

#include "records/ids.h"
#include "store/categories.h"

struct show_want {
	struct store *s;                   /* NULL: an empty memory */
	struct scope who;
	int n_around;                      /* messages to show before and after each */
	/* for people: a session also by how its name begins, or by words of its title */
	bool loosely;
};

/* Each returns 0 to go on; anything else stops the run. */
struct show_fn {
	/*
	 * near is NULL for the message that was asked for; otherwise m is a neighbour of it, and
	 * near its id
	 */
	int (*message)(void *arg, const struct message *m, const char *near);
	session_fn *session;
	fact_fn *record;                   /* a fact, summary or reflection */
	category_fn *category;             /* what mem-cluster finds */
	/*
	 * Reports an id that names nothing (ERR_NOINPUT) or several records (ERR_DATA), or a bad
	 * line (ERR_DATA). The rest goes on.
	 */
	void (*missed)(void *arg, int code, const char *why);
	/* Called before the input may block, so that what is printed can be written out. */
	int (*idle)(void *arg);
	void *arg;
};

/*
 * Return 0 to go on, 1 when a callback stopped the run, -1 with err. A line holds an id as
 * id_of_line reads it. where stands before the text of missed: "", or "stdin:3: ".
 */
int show_one(const struct show_want *want, const struct show_fn *fn, struct id_given id,
	const char *where, struct err *err);
int show_lines(const struct show_want *want, const struct show_fn *fn, const char *path,
	struct err *err);
