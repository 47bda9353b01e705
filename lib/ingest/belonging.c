/*
 * belonging.c: a working directory tells its project while it is there. One that is gone may have
 * been a work tree of a repository, which the sessions know that were stored while it was there.
 */
#include "ingest/belonging.h"

#include <sys/stat.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/hash.h"
#include "base/off.h"
#include "base/project.h"
#include "gen/agents_rows.h"

void
belonging_init(struct belonging *a, struct store *s, const struct ingest_options *o,
	struct batch *b, struct arena *unit)
{
	*a = (struct belonging){ .s = s, .o = o, .batch = b, .unit = unit };
	buf_init(&a->session, conf_caps.output_bytes);
	buf_init(&a->project, conf_caps.output_bytes);
	buf_init(&a->off_place, conf_caps.output_bytes);
}

void
belonging_release(struct belonging *a)
{
	buf_release(&a->session);
	buf_release(&a->project);
	buf_release(&a->off_place);
	keyed_release(&a->hosted);
	free(a->known);
	arena_release(&a->names);
}

/* ---- projects ---- */

/* The working directory that a session's metadata tell; NULL: none. */
static const char *
cwd_of(const char *metadata, struct arena *scratch)
{
	const struct json *v;

	return json_parse(metadata, strlen(metadata), scratch, &v, NULL) == 0
	    ? json_get_string(v, "cwd", NULL) : NULL;
}

static int
add_session(void *arg, const struct session *v)
{
	struct belonging *a = arg;
	LOCAL(arena) scratch = ARENA_INIT;
	const char *cwd = v->project == NULL || v->project[0] == '\0' || v->metadata == NULL
	    ? NULL : cwd_of(v->metadata, &scratch);

	if (cwd != NULL && strcmp(cwd, v->project) != 0 &&
	    (a->n_known == 0 || strcmp(a->known[a->n_known - 1].cwd, cwd) != 0)) {
		*xpush(a->known, a->n_known, a->cap_known) =
		    (struct known_project){ arena_strdup(&a->names, cwd),
			arena_strdup(&a->names, v->project) };
	}
	return 0;
}

/*
 * The project of the stored sessions that worked in cwd or in a directory around it, the nearest;
 * NULL: none did, or it was their own project.
 */
static const char *
known_project(struct belonging *a, const char *cwd)
{
	struct scope who = { a->o->user, NULL, NULL, NULL };
	struct err err = ERR_INIT;
	const char *project = NULL;
	size_t nearest = 0;

	if (!a->knows && batch_settle(a->batch, &err) == 0) {
		a->knows = true;
		if (a->s != NULL && sessions_each(a->s, &who, add_session, a, &err) < 0)
			a->n_known = 0;
	}
	for (size_t i = 0; i < a->n_known; i++) {
		size_t len = strlen(a->known[i].cwd);

		if (len < nearest || strncmp(cwd, a->known[i].cwd, len) != 0 ||
		    (cwd[len] != '\0' && cwd[len] != '/'))
			continue;
		nearest = len;
		project = a->known[i].project;
	}
	return project;
}

/* Sets a->project to the project of a working directory. */
static void
find_project(struct belonging *a, const char *cwd)
{
	const char *known = NULL;
	struct stat st;

	project_of(cwd, &a->project);
	if (off_why(cwd) != NULL)
		known = cwd;                   /* what comes later is known to be of it */
	else if (cwd[0] == '/' && stat(cwd, &st) != 0 &&
	    strncmp(cwd, a->project.data, a->project.len) == 0 &&
	    strspn(cwd + a->project.len, "/") == strlen(cwd + a->project.len))
		known = known_project(a, cwd);
	if (known != NULL) {
		buf_reset(&a->project);
		buf_adds(&a->project, known);
	}
}

bool
belonging_own_project(struct belonging *a, const struct from *from, const char *path)
{
	static const char *const own[] = { "/.specstory/history/", "/.aider.chat.history.md",
		"/.crush/crush.db" };
	char *real, *end = NULL;

	if (a->o->project[0] != '\0' ||
	    (from->kind != FROM_TURNS && strcmp(from->name, "crush") != 0) ||
	    (real = realpath(path, NULL)) == NULL)
		return false;
	for (size_t i = 0; i < NELEM(own) && end == NULL; i++)
		end = strstr(real, own[i]);
	if (end != NULL) {
		*end = '\0';
		project_of(end > real ? real : "/", &a->project);
	}
	free(real);
	return end != NULL;
}

/*
 * A session whose metadata tell the working directory is of that directory's project, and so are
 * its messages, unless they or the options name another.
 */
static void
set_project(struct belonging *a, struct record *r)
{
	struct session *s = &r->session;
	const char *cwd, **to = NULL;

	if (r->kind == RECORD_SESSION && s->project[0] == '\0' && s->metadata[0] != '\0' &&
	    (cwd = cwd_of(s->metadata, a->unit)) != NULL) {
		find_project(a, cwd);
		buf_reset(&a->session);
		buf_adds(&a->session, s->id);
		to = &s->project;
	} else if (r->kind == RECORD_MESSAGE && r->message.project[0] == '\0' &&
	    a->session.len > 0 && strcmp(r->message.session, a->session.data) == 0) {
		to = &r->message.project;
	}
	if (to != NULL)
		*to = arena_strndup(a->unit, a->project.data, a->project.len);
}

bool
belonging_is_off(struct belonging *a, const struct record *r)
{
	bool is_message = r->kind == RECORD_MESSAGE;
	const char *project = is_message ? r->message.project : r->session.project,
		   *session = is_message ? r->message.session : r->session.id;

	if (!is_message && r->kind != RECORD_SESSION)
		return false;
	size_t len = strlen(project) + 1;
	if (a->off_place.len <= len || strcmp(project, a->off_place.data) != 0 ||
	    strcmp(session, a->off_place.data + len) != 0) {
		buf_reset(&a->off_place);
		buf_add(&a->off_place, project, len);
		buf_adds(&a->off_place, session);
		a->is_off = off_why(project) != NULL || off_has_session(session);
	}
	return a->is_off;
}

/* ---- hosts ---- */

/* Programs that write a format of their own. */
static const char *const own[] = { "aider", "antigravity", "chatgpt", "claude", "claude-code",
	"cline", "codex", "continue", "copilot", "copilot-cli", "crush", "cursor", "deepseek",
	"droid", "dsh", "gemini", "goose", "grok", "grok-build", "hermes", "kimi", "kiro", "llm",
	"opencode", "openhands", "openwebui", "pi", "qwen", "zed" };

/* Some programs took over the format of another, and lie in a directory by which they are told. */
static const struct { const char *format, *directory, *host; } places[] = { AGENTS_PLACES };

static bool
lies_in(const char *path, const char *directory)
{
	return strstr(path, directory) != NULL ||
	    strncmp(path, directory + 1, strlen(directory + 1)) == 0;
}

/*
 * The host of a file in a format. Where several programs write the same format its path decides.
 * NULL: the format is nobody's own.
 */
static const char *
host_of(const char *format, const char *path)
{
	for (size_t i = 0; i < NELEM(places); i++)
		if (strcmp(format, places[i].format) == 0 && lies_in(path, places[i].directory))
			return places[i].host;
	for (size_t i = 0; i < NELEM(own); i++)
		if (strcmp(format, own[i]) == 0)
			return own[i];
	return NULL;
}

void
belonging_host(struct belonging *a, const struct from *from, const char *path)
{
	a->host = from != NULL ? host_of(from->name, path) : NULL;
}

/* Whether it is to be told now of which host the session is. */
static bool
tells_host(struct belonging *a, const char *user, const char *session)
{
	uint64_t key = hash64(session, strlen(session), hash64(user, strlen(user), 1));
	struct keyed_slot *k = keyed_at(&a->hosted, key | 1);
	bool first = !k->counted;

	k->counted = true;
	return first;
}

/* Appends to the metadata of a session in which host it was held, unless they name one. */
static const char *
with_host(struct belonging *a, const char *metadata)
{
	const struct json *v;

	if (*metadata != '\0' &&
	    (json_parse(metadata, strlen(metadata), a->unit, &v, NULL) != 0 ||
		v->kind != JSON_OBJECT || json_get(v, "host") != NULL))
		return metadata;
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	json_open(&b);
	for (size_t i = 0; *metadata != '\0' && i < v->len; i++) {
		json_key(&b, v->u.members[i].key);
		json_write(&b, &v->u.members[i].value);
	}
	json_str(&b, "host", a->host);
	json_close(&b);
	return arena_strndup(a->unit, b.data, b.len);
}

/*
 * The metadata of a session say in which host it was held. Where no record has given any before its
 * first message, one is added; not where reading goes on in the middle of a file, since they may
 * have been given before.
 */
static void
set_host(struct belonging *a, struct record *r, bool resumed, uint64_t line)
{
	if (a->host == NULL)
		return;
	if (r->kind == RECORD_SESSION && r->session.metadata[0] != '\0') {
		tells_host(a, r->user, r->session.id);
		r->session.metadata = with_host(a, r->session.metadata);
	} else if (r->kind == RECORD_MESSAGE && !resumed &&
	    tells_host(a, r->user, r->message.session)) {
		const struct record about = { .kind = RECORD_SESSION,
			.user = r->user,
			.session = { .id = r->message.session,
			    .title = "",
			    .system_prompt = "",
			    .metadata = with_host(a, ""),
			    .agent = "",
			    .project = "",
			    .created_us = TIME_NONE,
			    .updated_us = TIME_NONE } };
		batch_add(a->batch, &about, line);
	}
}

void
belonging_record(struct belonging *a, struct record *r, bool mapped, bool resumed, uint64_t line)
{
	if (mapped)
		set_project(a, r);
	set_host(a, r, resumed, line);
}
