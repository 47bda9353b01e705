/*
 * record.h: stored things as records (SPEC 3): one JSON object without a newline, keys in a fixed
 * order, those that do not apply left out.
 */
#ifndef RECORDS_RECORD_H
#define RECORDS_RECORD_H

#include "base/buf.h"
#include "store/store.h"

/* A member that is a text and there: neither NULL nor "". */
void record_text(struct buf *out, const char *key, const char *s);

/*
 * type, id, user, time (null: the source does not say), agent, project, session, origin, trust,
 * source_id, turn, role, name, content, tool_calls, tool_call_id, tokens, sha256, stored, then the
 * keys of extra. A message that is not stored (id "") has no id, turn, tokens, sha256 and stored.
 * Cost: no allocation but the buffer's.
 */
void record_message(struct buf *out, const char *user, const struct message *m);

/*
 * type, id, user, time (of the newest message), agent, project, session, title, created, updated,
 * system_prompt, metadata, messages.
 */
void record_session(struct buf *out, const char *user, const struct session *v);

/*
 * type, id ("MESSAGE.INDEX"), user, time, agent, project, session, origin, trust, message, index,
 * kind, language, start, length, tokens, content.
 */
void record_chunk(struct buf *out, const char *user, const struct message *of,
	const struct chunk *c, unsigned index);

#endif
