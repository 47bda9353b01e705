/*
 * ingest_record.h: one JSON record, ours or close to it, as what the store takes.
 */
#ifndef INGEST_INGEST_RECORD_H
#define INGEST_INGEST_RECORD_H

#include "json/json.h"
#include "store/store.h"

/* What a record that does not say is taken to say, and what is done to it. */
struct record_rules {
	const char *user, *agent, *project, *session;      /* session: for records without one */
	/* a record's own user counts; else one that differs is an error */
	bool multi_user;
	bool keep_secrets;
};

enum record_kind {
	RECORD_MESSAGE,
	RECORD_SESSION,
	RECORD_STATE,              /* of a map: to be handed back with the next line */
	RECORD_EMPTY               /* a message with nothing in it that anybody said */
};

struct record {
	enum record_kind kind;
	const char *user;
	struct message message;
	struct session session;
	bool has_turn;             /* the record said its turn */
	uint64_t turn;
	/* the message has no time, but this where one may stand; NULL: nothing */
	const char *no_time;
};

struct record_reader;

struct record_reader *record_reader_new(void);
void record_reader_free(struct record_reader *r);
/* secrets, in all that was read */
unsigned record_reader_redacted(const struct record_reader *r);

/*
 * Reads v. Keys that are close to ours are taken for them: text, message, body, refusal for content
 * (text, or an array of parts); ts, timestamp, created_at, date for time; speaker, author, sender
 * for name; session_id, sessionId, conversation_id, conversation, conv for session; an id that is
 * not one of ours, uuid, message_id for source_id. What is left goes into extra. Content loses
 * mem's own context blocks, what an agent wrapped into it (when the record says "strip": true, maps
 * only), private spans and secrets; other texts of it private spans and secrets. *out borrows from
 * v and a. ERR_DATA: it is no record.
 */
int record_read(struct record_reader *r, const struct json *v, bool mapped,
	const struct record_rules *rules, struct arena *a, struct record *out, struct err *err);

/* The message is known by its place in its session and input only. */
bool record_is_positional(const struct record *r);

#endif
