/*
 * record.c: writes stored things as records. Every program prints through here, so a message looks
 * the same wherever it comes from.
 */
#include "json/json.h"
#include "records/record.h"

static void
add_head(struct buf *out, const char *type, const char *id, const char *user, int64_t time_us)
{
	json_open(out);
	json_str(out, "type", type);
	if (id[0] != '\0')
		json_str(out, "id", id);
	json_str(out, "user", user);
	json_time(out, "time", time_us);
}

void
record_text(struct buf *out, const char *key, const char *s)
{
	if (s != NULL && s[0] != '\0')
		json_str(out, key, s);
}

static void
add_scope(struct buf *out, const char *agent, const char *project, const char *session)
{
	record_text(out, "agent", agent);
	record_text(out, "project", project);
	record_text(out, "session", session);
}

void
record_message(struct buf *out, const char *user, const struct message *m)
{
	bool stored = m->id[0] != '\0';
	char hex[SHA256_TEXT];
	size_t extra;

	add_head(out, "message", m->id, user, m->time_us);
	add_scope(out, m->agent, m->project, m->session);
	json_str(out, "origin", origin_names[m->origin]);
	if (m->trust >= 0)
		json_int(out, "trust", m->trust);
	record_text(out, "source_id", m->source_id);
	if (stored)
		json_int(out, "turn", m->turn);
	json_str(out, "role", role_names[m->role]);
	record_text(out, "name", m->name);
	json_strn(out, "content", m->content, m->content_len);
	if (m->tool_calls != NULL && m->tool_calls[0] != '\0')
		json_raw(out, "tool_calls", m->tool_calls, strlen(m->tool_calls));
	record_text(out, "tool_call_id", m->tool_call_id);
	if (stored) {
		json_int(out, "tokens", m->n_tokens);
		json_strn(out, "sha256", hex_format(m->sha256, SHA256_BYTES, hex), SHA256_TEXT - 1);
		json_time(out, "stored", m->stored_us);
	}
	extra = m->extra != NULL ? strlen(m->extra) : 0;
	/* extra is {"key":...}: its inside follows our own keys */
	if (extra > 2) {
		buf_addc(out, ',');
		buf_add(out, m->extra + 1, extra - 2);
	}
	json_close(out);
}

void
record_session(struct buf *out, const char *user, const struct session *v)
{
	add_head(out, "session", v->id, user, v->updated_us);
	add_scope(out, v->agent, v->project, v->id);
	record_text(out, "title", v->title);
	json_time(out, "created", v->created_us);
	json_time(out, "updated", v->updated_us);
	record_text(out, "system_prompt", v->system_prompt);
	if (v->metadata != NULL && v->metadata[0] != '\0')
		json_raw(out, "metadata", v->metadata, strlen(v->metadata));
	json_int(out, "messages", v->n_messages);
	json_close(out);
}

void
record_chunk(struct buf *out, const char *user, const struct message *of, const struct chunk *c,
	unsigned index)
{
	char id[ID_TEXT + 16];

	snprintf(id, sizeof(id), "%s.%u", of->id, index);
	add_head(out, "chunk", id, user, of->time_us);
	add_scope(out, of->agent, of->project, of->session);
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
	json_open(out);
	json_str(out, "type", "metric");
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
