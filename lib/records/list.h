/*
 * list.h: lists records of one kind, in order, by a filter.
 */
#pragma once

#include "store/records.h"

enum list_what {
	LIST_MESSAGES,
	LIST_SESSIONS,
	LIST_CHUNKS,
	LIST_METRICS,
	LIST_FACTS,
	LIST_SUMMARIES,
	LIST_REFLECTIONS
};

extern const char *const list_whats[];             /* by enum list_what; NULL at the end */
int list_what_parse(const char *s);                /* -1: there is none of that name */

/*
 * messages: by session and turn, or newest first: with a limit by their time alone, without one by
 * session, that of the newest message first. chunks: those of the messages that pass the filter, in
 * the same order. sessions: by the time of their newest message; since and until keep those whose
 * times, from first to last message, touch the span; role, name and trust do not apply. facts,
 * summaries, reflections: in the order of the store; of filter only since, until, trust, order and
 * limit apply, and records, whose type the caller need not fill, says the rest. filter.limit bounds
 * every kind. metrics: of filter since, until, order and limit; they have no scope but the user.
 */
struct list_want {
	enum list_what what;
	struct message_filter filter;
	struct record_filter records;
};

/* Each returns 0 to go on, 1 to stop the walk. Their arguments live until they return. */
struct list_fn {
	message_fn *message;
	session_fn *session;
	int (*chunk)(void *arg, const struct message *of, const struct chunk *c, unsigned index);
	metric_fn *metric;
	fact_fn *record;
	void *arg;
};

int list_walk(struct store *s, const struct scope *who, const struct list_want *want,
	const struct list_fn *fn, struct err *err);

/*
 * Whether the session has a turn in the span, until_us not in it; TIME_NONE: on that side it has no
 * end. Of turns without a time it is when the session began and ended that counts. Cost: turns are
 * read of a session alone that began before the span and ended after it.
 */
int session_in_span(struct store *s, const struct scope *who, const struct session *v,
	int64_t since_us, int64_t until_us, bool *in, struct err *err);
