/*
 * read.h: parts of a session as rows, ids by their beginning. Private to lib/store.
 */
#ifndef STORE_SQL_READ_H
#define STORE_SQL_READ_H

#include "store/sql/store_parts.h"

struct session_parts { int64_t id[256]; size_t n; };

/* The parts of a session of the user, in order; none when it is not known. */
int session_parts(struct store *s, int64_t user, const char *name, struct session_parts *out,
	struct err *err);

/* Messages of rows lo to hi, of one user. 1 to go on, 0 when fn wants no more, -1. */
int messages_of_rows(struct store *s, int64_t lo, int64_t hi, message_fn *fn, void *arg,
	struct err *err);

/*
 * A walk over the parts of sessions by their time, TIME_NONE first; with the next page in ids, and
 * the times.
 */
struct sessions_walk {
	int64_t user;
	bool newest_first;
	int64_t time_us, id;                   /* behind these the next page begins */
	int64_t ids[128], times_us[128];
	size_t n;
};

/* From from_us on: that and what is later, or with newest_first what is earlier. */
void sessions_walk_init(struct sessions_walk *w, int64_t user, bool newest_first, int64_t from_us);
/* 1: there is a page, 0: no more, -1. */
int sessions_walk_next(struct store *s, struct sessions_walk *w, struct err *err);

/*
 * The ids that start with a prefix of 8 to 26 characters, as a range of 16 bytes; -1 when it is
 * none.
 */
int prefix_range(const char *text, uint8_t from[ID_BYTES], uint8_t to[ID_BYTES]);

#endif
