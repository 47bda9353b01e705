/*
 * show.h: records by their ids.
 */
#ifndef RECORDS_SHOW_H
#define RECORDS_SHOW_H

#include "store/categories.h"

struct show_want {
	struct store *s;                   /* NULL: an empty memory */
	struct scope who;
	int n_around;                      /* messages before and after */
};

/* Each returns 0 to go on; anything else stops. */
struct show_fn {
	/*
	 * near: NULL for the message that was asked for; else m is a neighbour, and near the id of
	 * the one that was
	 */
	int (*message)(void *arg, const struct message *m, const char *near);
	session_fn *session;
	fact_fn *record;                   /* a fact, summary or reflection */
	category_fn *category;             /* what mem-cluster finds */
	/*
	 * An id that names nothing (ERR_NOINPUT) or several records, or a bad line (ERR_DATA). The
	 * rest goes on.
	 */
	void (*missed)(void *arg, int code, const char *why);
	/* Before the input may block: what is printed should leave. */
	int (*idle)(void *arg);
	void *arg;
};

/*
 * Return 0 to go on, 1 when a callback stopped it, -1 with err. A line names the id that it is, a
 * JSON string, or the id of a record (of a chunk: its message's). where stands before the text of
 * missed: "", "stdin:3: ".
 */
int show_one(const struct show_want *want, const struct show_fn *fn, const char *id,
	const char *where, struct err *err);
int show_lines(const struct show_want *want, const struct show_fn *fn, const char *path,
	struct err *err);

#endif
