/*
 * resumed.c: the newest sessions are looked at, of the project and then of all.
 */
#include "records/resumed.h"

#include "json/json.h"

struct newest {
	struct store *s;
	const struct scope *who;
	const struct session **found;
	size_t n, most;
	bool of_agents;
	struct arena *a;
	struct err *err;
};

const char *
session_told(const struct session *v, const char *key, struct arena *a)
{
	struct err ignored = ERR_INIT;
	const struct json *meta;
	const char *text = NULL;

	if (v->metadata != NULL && *v->metadata != '\0' &&
	    json_parse(v->metadata, strlen(v->metadata), a, &meta, &ignored) == 0)
		text = json_get_string(meta, key, NULL);
	return text != NULL ? text : "";
}

static bool
is_of_agent(const struct session *v)
{
	LOCAL(arena) a = ARENA_INIT;

	return *session_told(v, "host", &a) != '\0';
}

static int
on_session(void *arg, const struct session *v)
{
	struct newest *w = arg;

	if (v->n_messages == 0 || session_is_document(v) || (w->of_agents && !is_of_agent(v)))
		return 0;
	if (sessions_find(w->s, w->who, v->id, w->a, &w->found[w->n], w->err) != 0)
		return -1;
	w->n += w->found[w->n] != NULL;
	return w->n >= w->most;
}

int
sessions_to_resume(struct store *s, const struct scope *who, const char *project,
	const struct session **found, size_t *n, struct arena *a, struct err *err)
{
	struct scope all = { .user = who->user, .agent = who->agent, .project = who->project };
	struct newest w = { s, &all, found, 0, *n, true, a, err };
	struct scope here = all;

	here.project = project;
	*n = 0;
	for (int i = project != NULL && *project != '\0' ? 0 : 2; i < 4 && w.n == 0; i++) {
		w.of_agents = i % 2 == 0;
		if (sessions_by_time(s, i < 2 ? &here : &all, true, TIME_NONE, on_session, &w,
		    err) < 0)
			return -1;
	}
	*n = w.n;
	return 0;
}
