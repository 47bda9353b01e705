/*
 * hook_forget.c: the log names sessions and projects, and has ids and hashes of what they were
 * told.
 */
#include "hook/hook_forget.h"

#include "base/alloc.h"
#include "hook/hook_log.h"

struct gathered { struct hook_gone gone; size_t cap_sessions, cap_ids; };

static void
note_session(void *arg, enum forget_what what, const char *id, const char *session)
{
	struct gathered *v = arg;
	struct hook_gone *g = &v->gone;

	(void)id;
	if (what != FORGET_SESSION)
		return;
	xgrow(&g->sessions, &v->cap_sessions, g->n_sessions + 1, sizeof(*g->sessions));
	g->sessions[g->n_sessions++] = session;
}

static void
note_id(void *arg, const char *id)
{
	struct gathered *v = arg;
	struct hook_gone *g = &v->gone;

	xgrow(&g->ids, &v->cap_ids, g->n_ids + 1, sizeof(*g->ids));
	g->ids[g->n_ids++] = id;
}

static int
by_text(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

int
hook_forget(const char *store, const char *user, const struct forget *f, const char *project,
	bool all, struct err *err)
{
	struct gathered v = { .gone = { .project = project, .all = all } };
	struct arena a = ARENA_INIT;
	struct forget_counts n;
	int rc;

	forget_tell(f, note_session, &v, &n);
	forget_ids(f, note_id, &v);
	if (v.gone.n_ids > 0)
		qsort(v.gone.ids, v.gone.n_ids, sizeof(*v.gone.ids), by_text);
	rc = hook_log_forget(hook_log_path(store, &a), user, &v.gone, err);
	free(v.gone.sessions);
	free(v.gone.ids);
	arena_release(&a);
	return rc;
}
