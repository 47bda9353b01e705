/*
 * read.h: what several files need for reading messages and sessions. Private to lib/store.
 */
#pragma once

#include "store/sql/handle.h"

/* ---- read.c ---- */
/* A row of MESSAGE_COLUMNS, whose names are still numbers (message_read_names). */
struct raw_message { struct message m; int64_t session, speaker, agent, project; };
void message_read(struct db_stmt *q, struct arena *a, struct raw_message *r);

/* The rows of a page mostly have the same names, so the last name of each kind is remembered. */
struct message_names {
	int64_t session, label[4];
	const char *session_text, *label_texts[4];
	int64_t part;
};
#define MESSAGE_NAMES { .session = -1, .label = { -1, -1, -1, -1 } }
int message_read_names(struct store *s, struct message_names *n, struct raw_message *r,
	struct arena *a, struct err *err);
/* Declares the names of messages. */
int messages_want_names(struct store *s, const struct raw_message *r, size_t n, struct err *err);

/* The range of ids that start with a prefix of 8 to 26 characters; -1: no id starts so. */
int prefix_range(const char *text, uint8_t from[ID_BYTES], uint8_t to[ID_BYTES]);

/* ---- walk.c ---- */
/*
 * Calls fn for the messages of rows lo to hi, of one user. 1: all were given; 0: fn wanted no more;
 * -1.
 */
int messages_of_rows(struct store *s, int64_t lo, int64_t hi, message_fn *fn, void *arg,
	struct err *err);

/* ---- sessions_time.c ---- */
/*
 * A walk over the parts of sessions ordered by time, TIME_NONE first. ids and times_us [n] are the
 * page that was read last.
 */
struct sessions_walk {
	int64_t user;
	bool newest_first;
	int64_t time_us, id;                   /* the last of that page */
	int64_t ids[128], times_us[128];
	size_t n;
};

/* Begins at from_us and goes to what is later, or with newest_first to what is earlier. */
void sessions_walk_init(struct sessions_walk *w, int64_t user, bool newest_first, int64_t from_us);
/* Reads the next page. 1: there is one; 0: there is none; -1. */
int sessions_walk_next(struct store *s, struct sessions_walk *w, struct err *err);
