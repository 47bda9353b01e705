/*
 * record.h: writes stored things as records: one JSON object without a newline, with keys in a
 * fixed order, and without those that do not apply.
 */
#pragma once

#include "base/buf.h"
#include "records/fields.h"
#include "store/store.h"

/* Writes a member with a text, unless the text is NULL or "". */
void record_text(struct buf *out, const char *key, const char *s);

/*
 * Writes type, id, user, time (null: the source does not say), agent, project, session, origin,
 * trust, source_id, turn, role, name, content, tool_calls, tool_call_id, tokens, sha256, stored,
 * then the keys of extra. A message that is not stored (id "") has no id, turn, tokens, sha256 and
 * stored. Only the buffer allocates.
 */
extern const struct field message_fields[];     /* of struct message */
void record_message(struct buf *out, const char *user, const struct message *m);

/*
 * Writes type, id, user, time (of the newest message), agent, project, session, title, created,
 * updated, system_prompt, metadata, messages, called (session_title; NULL: left out).
 */
extern const struct field session_fields[];     /* of struct session, but messages */
void record_session(struct buf *out, const char *user, const struct session *v,
	const char *called);

/*
 * Writes type, id ("MESSAGE.INDEX"), user, time, agent, project, session, origin, trust, message,
 * index, kind, language, start, length, tokens, content.
 */
void record_chunk(struct buf *out, const char *user, const struct message *of,
	const struct chunk *c, unsigned index);

/*
 * Writes type, user, time, program, path, query_hash, query_bytes, likely, candidates, top, flags,
 * then ms_open, ms_text, ms_vectors, ms_rank, ms_fetch, ms.
 */
void record_metric(struct buf *out, const char *user, const struct metric *m);
