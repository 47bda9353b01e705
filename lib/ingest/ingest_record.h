/* ingest_record.h: reads one JSON record, ours or one close to it, into what the store takes. */
#pragma once

#include "json/json.h"
#include "store/store.h"

/* What holds for records that do not say otherwise, and what is done to them. */
struct record_rules {
	const char *user, *agent, *project, *session;      /* session: for records without one */
	/* a record may name another user; otherwise that is an error */
	bool multi_user;
	bool keep_secrets;
};

enum record_kind {
	RECORD_MESSAGE,
	RECORD_SESSION,
	RECORD_STATE,              /* the state of a map, which it gets back with the next line */
	RECORD_EMPTY,              /* a message in which nobody said anything */
	RECORD_ASIDE,              /* a map knows the unit, in which nobody says anything */
	RECORD_UNREAD              /* a map does not know a part of the unit */
};

struct record {
	enum record_kind kind;
	const char *user;
	struct message message;
	struct session session;
	bool has_turn;             /* the record has a turn */
	uint64_t turn;
	bool blank;                /* of a message: nothing was given as its content */
	const char *unread;        /* of what kind that part is */
	/* the message has no time, but this text stands where one may; NULL: nothing does */
	const char *no_time;
};

struct record_reader;

struct record_reader *record_reader_new(void);
void record_reader_free(struct record_reader *r);
/* how many secrets were redacted in all records */
unsigned record_reader_redacted(const struct record_reader *r);

/*
 * Reads v. Keys that are close to ours are taken for them: text, message, body, refusal for content
 * (text, or an array of parts); ts, timestamp, created_at, date for time; speaker, author, sender
 * for name; session_id, sessionId, conversation_id, conversation, conv for session; an id that is
 * not one of ours, uuid, message_id for source_id. All other keys go into extra. Content loses
 * mem's own context blocks, what an agent wrapped around it (only with "strip": true from a map),
 * private spans and secrets; other texts lose private spans and secrets. *out borrows from v and a.
 * ERR_DATA: it is no record.
 */
int record_read(struct record_reader *r, const struct json *v, bool mapped,
	const struct record_rules *rules, struct arena *a, struct record *out, struct err *err);

/*
 * Replaces a text, of which records are to be cut, by one without what content loses: a span may
 * go on from one record into the next.
 */
int record_clean(struct record_reader *r, struct buf *text, const struct record_rules *rules,
	struct err *err);

/* Whether the message is known only by its place in its session and input. */
bool record_is_positional(const struct record *r);
