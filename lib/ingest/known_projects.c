/*
 * known_projects.c: a list of the directories whose sessions are of a project with another name.
 */
#include "ingest/known_projects.h"

#include "base/alloc.h"
#include "json/json.h"

struct known_projects {
	struct known { const char *cwd, *project; } *rows;
	size_t n, cap;
	struct arena arena, scratch;
};

static int
add_session(void *arg, const struct session *v)
{
	struct known_projects *k = arg;
	const struct json *about;
	const char *cwd;

	arena_reset(&k->scratch);
	if (v->project == NULL || v->project[0] == '\0' || v->metadata == NULL ||
	    json_parse(v->metadata, strlen(v->metadata), &k->scratch, &about, NULL) != 0 ||
	    (cwd = json_get_string(about, "cwd", NULL)) == NULL || strcmp(cwd, v->project) == 0)
		return 0;
	if (k->n > 0 && strcmp(k->rows[k->n - 1].cwd, cwd) == 0)
		return 0;
	xgrow(&k->rows, &k->cap, k->n + 1, sizeof(*k->rows));
	k->rows[k->n++] = (struct known){ arena_strndup(&k->arena, cwd, strlen(cwd)),
		arena_strndup(&k->arena, v->project, strlen(v->project)) };
	return 0;
}

struct known_projects *
known_projects_read(struct store *s, const char *user)
{
	struct known_projects *k = xcalloc(1, sizeof(*k));
	struct scope who = { user, NULL, NULL, NULL };
	struct err err = ERR_INIT;

	if (s != NULL && sessions_each(s, &who, add_session, k, &err) < 0)
		k->n = 0;
	return k;
}

void
known_projects_free(struct known_projects *k)
{
	if (k == NULL)
		return;
	free(k->rows);
	arena_release(&k->arena);
	arena_release(&k->scratch);
	free(k);
}

const char *
known_projects_of(const struct known_projects *k, const char *cwd)
{
	const char *project = NULL;
	size_t nearest = 0;

	for (size_t i = 0; i < k->n; i++) {
		size_t len = strlen(k->rows[i].cwd);

		if (len < nearest || strncmp(cwd, k->rows[i].cwd, len) != 0 ||
		    (cwd[len] != '\0' && cwd[len] != '/'))
			continue;
		nearest = len;
		project = k->rows[i].project;
	}
	return project;
}
