/* wrote.c: agents name what a file gets and what it loses in few ways; a patch has both. */
#include "base/ascii.h"
#include "base/order.h"
#include "calls/calls.h"
#include "json/json.h"

static const char *const gained[] = { "new_string", "new_str", "newString", "content", "contents",
	"file_text", "new_source", "code_edit", "CodeContent", "insert_text" };
static const char *const lost[] = { "old_string", "old_str", "oldString" };
static const char *const may_gain[] = { "command", "cmd", "text" };

struct wrote {
	const char *const *lines;          /* [n] */
	size_t n;
	struct arena *arena;
	bool *gets, *loses;                /* [n] */
};

/* Notes the lines that the text has, behind the mark that a patch has, if any. */
static void
note_lines(const struct wrote *w, const char *text, size_t len, char mark, bool *has)
{
	for (const char *p = text, *end = text + len, *nl; p < end; p = nl + 1) {
		const char *stop = nl = ascii_line_end(p, end);

		if (mark != '\0' && *p++ != mark)
			continue;
		while (p < stop && ascii_is_space(*p))
			p++;
		while (stop > p && ascii_is_space(stop[-1]))
			stop--;
		for (size_t i = 0; i < w->n; i++)
			has[i] |= strncmp(w->lines[i], p, (size_t)(stop - p)) == 0 &&
			    w->lines[i][stop - p] == '\0';
	}
}

int
calls_side(const char *key)
{
	return text_index(key, lost, NELEM(lost)) >= 0
	    ? -1 : text_index(key, gained, NELEM(gained)) >= 0;
}

static void look(struct wrote *w, const struct json *v, const char *key);

static void
look_at_text(struct wrote *w, const char *text, size_t len, const char *key)
{
	struct err err = ERR_INIT;
	const struct json *v;

	if (strstr(text, "\n@@") != NULL || strstr(text, "*** Begin Patch") != NULL) {
		note_lines(w, text, len, '+', w->gets);
		note_lines(w, text, len, '-', w->loses);
	} else if (len > 0 && *text == '{' && json_parse(text, len, w->arena, &v, &err) == 0) {
		look(w, v, key);
	} else if (calls_side(key) < 0) {
		note_lines(w, text, len, '\0', w->loses);
	} else if (calls_side(key) > 0 || text_index(key, may_gain, NELEM(may_gain)) >= 0) {
		note_lines(w, text, len, '\0', w->gets);
	}
}

/* An object may lose what another one gets: each counts for itself. */
static void
look(struct wrote *w, const struct json *v, const char *key)
{
	struct wrote own = *w;

	if (v->kind == JSON_STRING)
		look_at_text(w, v->u.string, v->len, key);
	for (size_t i = 0; v->kind == JSON_ARRAY && i < v->len; i++)
		look(w, &v->u.items[i], key);
	if (v->kind != JSON_OBJECT)
		return;
	own.gets = arena_zalloc(w->arena, w->n * sizeof(bool) + 1);
	own.loses = arena_zalloc(w->arena, w->n * sizeof(bool) + 1);
	for (size_t i = 0; i < v->len; i++)
		look(&own, &v->u.members[i].value, v->u.members[i].key);
	for (size_t i = 0; i < w->n; i++)
		w->gets[i] |= own.gets[i] && !own.loses[i];
}

size_t
calls_wrote(const char *json, size_t len, const char *const *lines, size_t n, struct arena *a)
{
	struct wrote w = { .lines = lines, .n = n, .arena = a };
	struct err err = ERR_INIT;
	const struct json *v;
	size_t found = 0;

	w.gets = arena_zalloc(a, n * sizeof(bool) + 1);
	w.loses = arena_zalloc(a, n * sizeof(bool) + 1);
	if (len > 0 && json_parse(json, len, a, &v, &err) == 0)
		look(&w, v, "");
	for (size_t i = 0; i < n; i++)
		found += w.gets[i];
	return found;
}
