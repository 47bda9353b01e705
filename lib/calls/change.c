/* change.c: reads the pairs of texts that a call replaces by each other, and patches. */
#include "calls/change.h"

#include "base/ascii.h"
#include "calls/calls.h"
#include "json/json.h"

struct reader { struct change *out; struct arena *arena; size_t n_lost, n_gained; };

static void
add(struct reader *r, const char *p, size_t len, enum change_side side)
{
	struct change *c = r->out;
	size_t *n = side == CHANGE_LOST ? &r->n_lost : &r->n_gained;

	len = ascii_end(p, len);
	if (len == 0 || *n == CHANGE_LINES)
		return;
	++*n;
	/* a line that is only moved, or stands around what changes, is neither lost nor gained */
	for (size_t i = 0; i < c->n; i++) {
		struct change_line *l = &c->lines[i];

		if (l->side != side && l->side != CHANGE_KEPT && l->len == len &&
		    memcmp(l->text, p, len) == 0) {
			l->side = CHANGE_KEPT;
			return;
		}
	}
	c->lines[c->n++] = (struct change_line){ p, len, side };
}

/* The lines of a text: all of them, or those that a patch marks. */
static void
add_lines(struct reader *r, const char *text, size_t len, enum change_side side, bool patch)
{
	for (const char *p = text, *end = text + len, *nl; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (nl == NULL)
			nl = end;
		if (!patch)
			add(r, p, (size_t)(nl - p), side);
		else if (*p == '+' || *p == '-')
			add(r, p + 1, (size_t)(nl - p - 1),
			    *p == '+' ? CHANGE_GAINED : CHANGE_LOST);
	}
}

static void
look(struct reader *r, const struct json *v, const char *key, bool lost)
{
	if (v->kind == JSON_STRING) {
		if (!lost && (strstr(v->u.string, "\n@@") != NULL ||
		    strstr(v->u.string, "*** Begin Patch") != NULL))
			add_lines(r, v->u.string, v->len, CHANGE_GAINED, true);
		else if (calls_side(key) == (lost ? -1 : 1))
			add_lines(r, v->u.string, v->len, lost ? CHANGE_LOST : CHANGE_GAINED,
			    false);
	}
	for (size_t i = 0; v->kind == JSON_ARRAY && i < v->len; i++)
		look(r, &v->u.items[i], key, lost);
	for (size_t i = 0; v->kind == JSON_OBJECT && i < v->len; i++)
		look(r, &v->u.members[i].value, v->u.members[i].key, lost);
}

/* The first file that a patch names; "": the text is none. */
static const char *
patched(const char *text, const char *dir, struct arena *a)
{
	static const char *const marks[] = { "*** Update File: ", "*** Add File: " };

	for (size_t i = 0; i < NELEM(marks) && strstr(text, "*** Begin Patch") != NULL; i++) {
		const char *p = strstr(text, marks[i]);

		if (p != NULL) {
			p += strlen(marks[i]);
			return path_join(dir, p, strcspn(p, "\r\n"), a);
		}
	}
	return "";
}

void
change_read(const char *json, size_t len, const char *dir, struct arena *a, struct change *out)
{
	struct reader r = { out, a, 0, 0 };
	struct err err = ERR_INIT;
	const struct call *calls;
	const struct json *v;
	size_t n;

	*out = (struct change){ .path = "" };
	calls_read(json, len, dir, a, &calls, &n);
	if (n == 0)
		return;
	out->command = calls[0].command;
	if (out->command != NULL && *(out->path = patched(out->command, dir, a)) != '\0') {
		out->lines = arena_alloc(a, 2 * CHANGE_LINES * sizeof(*out->lines));
		add_lines(&r, out->command, strlen(out->command), CHANGE_GAINED, true);
		out->command = NULL;
		return;
	}
	for (size_t i = 0; i < calls[0].n_files && out->command == NULL; i++)
		if (calls[0].files[i].did == FILE_CHANGED && *out->path == '\0')
			out->path = calls[0].files[i].path;
	if ((*out->path == '\0' && out->command == NULL) ||
	    json_parse(json, len, a, &v, &err) != 0)
		return;
	out->lines = arena_alloc(a, 2 * CHANGE_LINES * sizeof(*out->lines));
	if (out->command != NULL) {
		add_lines(&r, out->command, strlen(out->command), CHANGE_GAINED, false);
		return;
	}
	look(&r, v, "", true);
	look(&r, v, "", false);
}
