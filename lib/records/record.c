/*
 * record.c: writes stored things as records. Every program prints through here, so a message looks
 * the same wherever it comes from.
 */
#include "records/record.h"

void
record_text(struct buf *out, const char *key, const char *s)
{
	if (s != NULL && s[0] != '\0')
		json_str(out, key, s);
}

#define MOST ((int64_t)1 << 40)
#define AT(member) offsetof(struct message, member)

const struct field message_fields[] = {
	FIELD("id", ID, FIELD_MUST, AT(id)),
	FIELD_OF_USER,
	FIELD("time", TIME, FIELD_SHOWN, AT(time_us)),
	FIELD("agent", NAME, 0, AT(agent)),
	FIELD("project", NAME, 0, AT(project)),
	FIELD("session", NAME, FIELD_MUST, AT(session)),
	FIELD("origin", WORD, FIELD_MUST, AT(origin), .high = ORIGIN_DERIVED + 1,
	    .names = origin_names),
	FIELD("trust", INT32, 0, AT(trust), .high = 3, .other = -1),
	FIELD("source_id", NAME, 0, AT(source_id)),
	FIELD("turn", INT, FIELD_SHOWN | FIELD_STORED, AT(turn), .high = MOST),
	FIELD("role", WORD, FIELD_MUST, AT(role), .high = N_ROLES, .names = role_names),
	FIELD("name", NAME, 0, AT(name)),
	FIELD("content", CONTENT, 0, AT(content)),
	FIELD("tool_calls", JSON, 0, AT(tool_calls)),
	FIELD("tool_call_id", TEXT, 0, AT(tool_call_id)),
	FIELD("tokens", INT32, FIELD_SHOWN | FIELD_STORED, AT(n_tokens), .high = INT32_MAX),
	FIELD("sha256", BYTES, FIELD_STORED, AT(sha256), .high = SHA256_BYTES),
	FIELD("stored", TIME, FIELD_MUST | FIELD_SHOWN | FIELD_STORED, AT(stored_us)),
	FIELD_END
};

#undef AT
#define AT(member) offsetof(struct session, member)

const struct field session_fields[] = {
	FIELD("id", TEXT, FIELD_OUT, AT(id)),
	FIELD_OF_USER,
	FIELD("time", TIME, FIELD_SHOWN | FIELD_OUT, AT(updated_us)),
	FIELD("agent", NAME, 0, AT(agent)),
	FIELD("project", NAME, 0, AT(project)),
	FIELD("session", NAME, FIELD_MUST, AT(id)),
	FIELD("title", TEXT, 0, AT(title)),
	FIELD("created", TIME, FIELD_SHOWN, AT(created_us)),
	FIELD("updated", TIME, FIELD_SHOWN, AT(updated_us)),
	FIELD("system_prompt", TEXT, 0, AT(system_prompt)),
	FIELD("metadata", OBJECT, 0, AT(metadata)),
	FIELD_END
};

void
record_message(struct buf *out, const char *user, const struct message *m)
{
	json_record(out, "message");
	fields_write(out, message_fields, user, m);
	json_members(out, m->extra);
	json_close(out);
}

void
record_session(struct buf *out, const char *user, const struct session *v, const char *called)
{
	json_record(out, "session");
	fields_write(out, session_fields, user, v);
	json_int(out, "messages", v->n_messages);
	json_str(out, "called", called);
	json_close(out);
}

void
record_chunk(struct buf *out, const char *user, const struct message *of, const struct chunk *c,
	unsigned index)
{
	char id[ID_TEXT + 16];

	snprintf(id, sizeof(id), "%s.%u", of->id, index);
	json_record(out, "chunk");
	json_str(out, "id", id);
	json_str(out, "user", user);
	json_time(out, "time", of->time_us);
	record_text(out, "agent", of->agent);
	record_text(out, "project", of->project);
	record_text(out, "session", of->session);
	json_str(out, "origin", origin_names[of->origin]);
	json_int(out, "trust", of->trust);
	json_str(out, "message", of->id);
	json_int(out, "index", index);
	json_str(out, "kind", c->kind == CHUNK_CODE ? "code" : "prose");
	record_text(out, "language", c->language);
	json_int(out, "start", (int64_t)c->start);
	json_int(out, "length", (int64_t)c->len);
	json_int(out, "tokens", c->n_tokens);
	json_strn(out, "content", of->content + c->start, c->len);
	json_close(out);
}

void
record_metric(struct buf *out, const char *user, const struct metric *m)
{
	char hash[20];

	snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)m->query_hash);
	json_record(out, "metric");
	json_str(out, "user", user);
	json_time(out, "time", m->time_us);
	json_str(out, "program", m->program);
	json_str(out, "path", m->path);
	json_str(out, "query_hash", hash);
	json_int(out, "query_bytes", m->query_bytes);
	json_int(out, "likely", m->n_hits);
	json_int(out, "candidates", m->n_candidates);
	json_num(out, "top", m->top_score);
	record_text(out, "flags", m->flags);
	json_num(out, "ms_open", (double)m->us_open / 1000);
	json_num(out, "ms_text", (double)m->us_text / 1000);
	json_num(out, "ms_vectors", (double)m->us_vectors / 1000);
	json_num(out, "ms_rank", (double)m->us_rank / 1000);
	json_num(out, "ms_fetch", (double)m->us_fetch / 1000);
	json_num(out, "ms", (double)m->us_all / 1000);
	json_close(out);
}
