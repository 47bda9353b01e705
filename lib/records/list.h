/*
 * list.h: records of one kind, in order, by filter.
 */
#ifndef RECORDS_LIST_H
#define RECORDS_LIST_H

#include "store/records.h"

enum list_what {
	LIST_MESSAGES,
	LIST_SESSIONS,
	LIST_CHUNKS,
	LIST_FACTS,
	LIST_SUMMARIES,
	LIST_REFLECTIONS
};

extern const char *const list_whats[];             /* by enum list_what; NULL at the end */
int list_what_parse(const char *s);                /* -1 when it is none */

/*
 * messages: by session and turn, or newest first. chunks: those of the messages that pass the
 * filter, in the same order. sessions: by the time of their newest message; since and until keep
 * those with a message time in the span or around it; role, name and trust do not apply. facts,
 * summaries, reflections: as stored; of the filter since, until, trust, order and limit count, and
 * the rest is said by records, whose type need not be filled. filter.limit counts what is handed
 * out, of every kind.
 */
struct list_want {
	enum list_what what;
	struct message_filter filter;
	struct record_filter records;
};

/* Each returns 0 to go on; 1 stops the walk. What they get lives until they return. */
struct list_fn {
	message_fn *message;
	session_fn *session;
	int (*chunk)(void *arg, const struct message *of, const struct chunk *c, unsigned index);
	fact_fn *record;
	void *arg;
};

int list_walk(struct store *s, const struct scope *who, const struct list_want *want,
	const struct list_fn *fn, struct err *err);

#endif
