/*
 * rewrite_talk.c: reads the conversation before a question from records as programs write them:
 * ours, and the messages of chat interfaces.
 */
#include "base/alloc.h"
#include "base/conf.h"
#include "followup/rewrite.h"
#include "json/ndjson.h"

#define DEEPEST 4                          /* most levels of arrays and objects */

void
rewrite_talk_text(struct rewrite_talk *t, enum conversation_role role, const char *text, size_t len)
{
	*xpush(t->said, t->n, t->cap) =
	    (struct followup_said){ role, arena_strndup(&t->arena, text, len), len };
}

/*
 * Returns the text of a message: a string, or the texts of its parts, one a line. False: there is
 * none.
 */
static bool
text_of(struct rewrite_talk *t, const struct json *v, const char **text, size_t *len)
{
	const struct json *parts = json_get(v, "content");

	if ((*text = json_get_string(v, "content", len)) != NULL ||
	    (*text = json_get_string(v, "text", len)) != NULL ||
	    (*text = json_get_string(v, "query", len)) != NULL)
		return true;
	if (parts == NULL || parts->kind != JSON_ARRAY)
		return false;
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	for (size_t i = 0; i < parts->len; i++) {
		size_t n;
		const char *part = json_get_string(&parts->u.items[i], "text", &n);

		if (part == NULL)
			continue;
		if (b.len > 0)
			buf_addc(&b, '\n');
		buf_add(&b, part, n);
	}
	*text = arena_strndup(&t->arena, b.data, b.len);
	*len = b.len;
	return true;
}

static int
add_value(struct rewrite_talk *t, const struct json *v, unsigned depth, struct err *err)
{
	static const char *const lists[] = { "messages", "history", "context" };
	const char *role, *text;
	size_t len;

	if (depth > DEEPEST)
		return err_set(err, ERR_DATA, "messages inside messages inside messages");
	if (v->kind == JSON_ARRAY) {
		for (size_t i = 0; i < v->len; i++)
			if (add_value(t, &v->u.items[i], depth + 1, err) < 0)
				return -1;
		return 0;
	}
	for (size_t i = 0; i < NELEM(lists); i++) {
		const struct json *list = json_get(v, lists[i]);
		if (list != NULL && list->kind == JSON_ARRAY)
			return add_value(t, list, depth + 1, err);
	}
	role = json_get_string(v, "role", NULL);
	if (role == NULL && (text = json_get_string(v, "title", &len)) != NULL) {
		rewrite_talk_text(t, CONVERSATION_TITLE, text, len);
		return 0;
	}
	if (!text_of(t, v, &text, &len))
		return err_set(err, ERR_DATA, "no message: no key 'content' with a text");
	if (role != NULL &&
	    (strcmp(role, "system") == 0 || strcmp(role, "developer") == 0 ||
		strcmp(role, "tool") == 0))
		return 0;
	rewrite_talk_text(t,
	    role == NULL || strcmp(role, "user") == 0			     ? CONVERSATION_USER
		: strcmp(role, "title") == 0 || strcmp(role, "section") == 0 ? CONVERSATION_TITLE
									     : CONVERSATION_OTHER,
	    text, len);
	return 0;
}

int
rewrite_talk_add(struct rewrite_talk *t, const struct json *v, struct err *err)
{
	return add_value(t, v, 0, err);
}

struct talk_lines {
	struct rewrite_talk *talk;
	void (*bad)(void *arg, const char *why);
	void *arg;
};

static int
add_line(void *arg, const struct ndjson_line *l, struct err *err)
{
	struct talk_lines *t = arg;
	const struct json *v;

	return json_parse(l->text, l->len, l->arena, &v, err) != 0
	    ? -1
	    : rewrite_talk_add(t->talk, v, err);
}

static void
bad_line(void *arg, const struct ndjson_line *l, const char *why)
{
	struct talk_lines *t = arg;
	char text[1200];

	snprintf(text, sizeof(text), "%s:%llu: %s", l->name, (unsigned long long)l->number, why);
	t->bad(t->arg, text);
}

int
rewrite_talk_read(struct rewrite_talk *t, const char *path, void (*bad)(void *arg, const char *why),
	void *arg, struct err *err)
{
	struct talk_lines lines = { t, bad, arg };

	return ndjson_each(path, &(struct ndjson_fn){ &lines, add_line, bad_line, NULL }, err);
}

void
rewrite_talk_reset(struct rewrite_talk *t)
{
	t->n = 0;
	arena_reset(&t->arena);
}

void
rewrite_talk_release(struct rewrite_talk *t)
{
	arena_release(&t->arena);
	free(t->said);
	*t = (struct rewrite_talk)REWRITE_TALK_INIT;
}
