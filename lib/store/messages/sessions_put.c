/*
 * sessions_put.c: what is told of a session beside its turns: title, prompt, times, whose it is.
 */
#include "base/conf.h"
#include "store/write/tombstones.h"
#include "store/write/writer.h"

static bool
is_empty(const char *text)
{
	return text == NULL || *text == '\0';
}

int
sessions_buried(struct store *s, const struct scope *who, const char *id, bool *buried,
	struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];
	int64_t user = user_number(s, who->user, false, err);

	*buried = false;
	if (user <= 0 || s->put.pruned_return)
		return (int)MIN(user, 0);
	tombstone_key(id, NULL, 0, false, key);
	return tombstone_has(s, user, key, buried, err);
}

int
sessions_put(struct store *s, const struct scope *who, const struct session *v, struct err *err)
{
	int64_t user, agent, project;
	struct session_state *state, was;
	struct session_parts parts = { .n = 0 };
	uint8_t key[TOMBSTONE_BYTES];
	bool any, buried = false, is_part;

	if (v->id == NULL || *v->id == '\0' || strlen(v->id) > conf_caps.id_bytes)
		return err_set(err, ERR_DATA, "session has no id, or one over %llu bytes",
		    (unsigned long long)conf_caps.id_bytes);
	if ((user = writer_user(s, who->user, err)) < 0 ||
	    writer_tombstones(s, user, &any, err) < 0)
		return -1;
	tombstone_key(v->id, NULL, 0, false, key);
	/* that it returns is news: else its tombstone takes it away from the next store */
	if (any && (s->put.pruned_return ? tombstone_take(s, user, key, err)
			: tombstone_has(s, user, key, &buried, err)) < 0)
		return -1;
	/* nothing is stored of a removed session unless it has turns again */
	if (buried && (session_parts(s, user, v->id, &parts, err) < 0 || parts.n == 0))
		return parts.n == 0 ? 0 : -1;
	if ((agent = writer_label(s, user, LABEL_AGENT, v->agent, err)) < 0 ||
	    (project = writer_label(s, user, LABEL_PROJECT, v->project, err)) < 0 ||
	    session_is_part(s, user, v->id, &is_part, err) < 0 ||
	    (state = writer_session(s, user, v->id, err)) == NULL)
		return -1;
	was = *state;
	if (buried || is_part) /* its turns alone say when it was, and whose it is */
		goto texts;
	if (v->created_us != TIME_NONE &&
	    (state->created == TIME_NONE || v->created_us < state->created))
		state->created = v->created_us;
	if (v->updated_us != TIME_NONE &&
	    (state->updated == TIME_NONE || v->updated_us > state->updated))
		state->updated = v->updated_us;
	if (agent != 0 && state->turns == 0)
		state->agent = agent;
	if (project != 0 && state->turns == 0)
		state->project = project;
texts:
	state->dirty = true;
	state->told |= state->created != was.created || state->updated != was.updated ||
	    state->agent != was.agent || state->project != was.project;
	if (is_empty(v->title) && is_empty(v->system_prompt) && is_empty(v->metadata))
		return 0;
	if (stmt_run(s, STMT_SESSION_ABOUT, ARGS(SOME(v->title), SOME(v->system_prompt),
	    SOME(v->metadata), clock_now_us(), user, state->id), err) < 0)
		return -1;
	state->told |= db_changes(s->db) > 0;
	return 0;
}
