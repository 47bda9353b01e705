/*
 * hook_forget.c: the log names sessions and projects, and has ids and hashes of what they were
 * told. The store knows by its tombstones what was removed; so nothing needs to be kept of what is
 * still to be cleared.
 */
#include "hook/hook_forget.h"

#include "hook/hook_log.h"
#include "json/json.h"

/* any: whether anything of the user of the line before was removed; user "": there was none. */
struct clearing {
	struct store *s;
	const struct hook_besides *besides;
	struct arena user_text;
	const char *user;
	bool any;
};

static bool
goes_besides(const struct hook_besides *b, const char *user, const struct json *line)
{
	if (b == NULL || strcmp(b->user, user) != 0)
		return false;
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(json_text(line, "project"), b->names[i]) == 0)
			return true;
	return b->all;
}

/* Lines of one user stand together, so it is asked once for many. */
static int
look_at_user(struct clearing *c, const struct scope *who, struct err *err)
{
	if (strcmp(c->user, who->user) == 0)
		return 0;
	arena_reset(&c->user_text);
	c->user = arena_strdup(&c->user_text, who->user);
	return gone_any(c->s, who, &c->any, err);
}

static int
gave_any(struct clearing *c, const struct scope *who, const struct json *line, bool *gone,
	struct err *err)
{
	const struct json *given = json_get(line, "given");
	int rc = 0;

	for (size_t i = 0; rc == 0 && !*gone && given != NULL && given->kind == JSON_ARRAY &&
	     i < given->len; i++) {
		const char *id = json_get_string(&given->u.items[i], "id", NULL);

		if (id != NULL)
			rc = id_is_gone(c->s, who, id, gone, err);
	}
	return rc;
}

static int
is_gone(void *arg, const struct json *line, bool *gone, struct err *err)
{
	struct clearing *c = arg;
	const struct scope who = { json_text(line, "user"), NULL, NULL, NULL };
	const char *session = json_text(line, "session");

	*gone = goes_besides(c->besides, who.user, line);
	if (*gone || *who.user == '\0')
		return 0;
	if (look_at_user(c, &who, err) != 0)
		return -1;
	if (!c->any)
		return 0;
	if (*session != '\0' && session_is_gone(c->s, &who, session, gone, err) != 0)
		return -1;
	return gave_any(c, &who, line, gone, err);
}

int
hook_forget(struct store *s, const struct hook_besides *besides, size_t *n, struct err *err)
{
	struct clearing c = { .s = s, .besides = besides, .user = "" };
	LOCAL(arena) a = ARENA_INIT;
	size_t n_lines = 0;
	int rc = hook_log_forget(hook_log_path(store_path(s), &a), is_gone, &c, &n_lines, err);

	if (n != NULL)
		*n = n_lines;
	arena_release(&c.user_text);
	return rc;
}

void
hook_forget_late(const char *db)
{
	struct err ignored = ERR_INIT;
	struct store *s = NULL;

	if (store_open(db, STORE_READ, &s, &ignored) == 0)
		hook_forget(s, NULL, NULL, &ignored);
	store_close(s);
}

static void
before_commit(void *arg, struct store *s)
{
	struct err ignored = ERR_INIT;

	hook_forget(s, arg, NULL, &ignored);
}

void
hook_forget_with(struct store *s, const struct hook_besides *besides)
{
	store_leaving(s, before_commit, (void *)(uintptr_t)besides);
}
