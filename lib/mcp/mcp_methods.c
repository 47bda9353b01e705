/*
 * mcp_methods.c: what each method answers. Lists of tools, prompts and templates are short, so
 * they are one page; resources come a page at a time from the caller.
 */
#include "mcp/mcp_parts.h"

#define LIST_LASTS_MS 3600000              /* what schema/mcp says holds as long as the program */

/* ---- both openings ---- */

static void
write_about(struct mcp_request *r, struct buf *b)
{
	json_key(b, "capabilities");
	json_write(b, json_get(r->m->server, "capabilities"));
	json_key(b, "instructions");
	json_write(b, json_get(r->m->server, "instructions"));
}

static void
discover(struct mcp_request *r)
{
	struct buf *b = mcp_result(r, LIST_LASTS_MS, false);

	json_key(b, "supportedVersions");
	json_write(b, json_get(r->m->server, "versions"));
	write_about(r, b);
	mcp_result_end(r);
}

/* Agrees on the version that the client names, or else on the newest that has a handshake. */
static void
initialize(struct mcp_request *r)
{
	const char *asked = json_get_string(r->params, "protocolVersion", NULL);
	const struct json *versions = json_get(r->m->server, "versions");

	if (asked == NULL) {
		mcp_error(r, MCP_PARAMS, NULL, "protocolVersion is missing, or no text");
		return;
	}
	r->m->agreed = versions->u.items[1].u.string;
	for (size_t i = 1; i < versions->len; i++)
		if (strcmp(asked, versions->u.items[i].u.string) == 0)
			r->m->agreed = versions->u.items[i].u.string;
	r->m->has_roots = mcp_get(mcp_get(r->params, "capabilities"), "roots") != NULL;
	struct buf *b = mcp_result(r, -1, false);
	json_str(b, "protocolVersion", r->m->agreed);
	mcp_write_server(b, "serverInfo");
	write_about(r, b);
	mcp_result_end(r);
}

static void
ping(struct mcp_request *r)
{
	mcp_result(r, -1, false);
	mcp_result_end(r);
}

/* ---- lists ---- */

/* The cursor asked for; "": the first page. NULL: it is no text, which was answered. */
static const char *
read_cursor(struct mcp_request *r)
{
	const struct json *cursor = mcp_get(r->params, "cursor");

	if (cursor == NULL)
		return "";
	if (cursor->kind != JSON_STRING)
		mcp_error(r, MCP_PARAMS, NULL, "cursor is no text");
	return cursor->kind == JSON_STRING ? cursor->u.string : NULL;
}

static void
list(struct mcp_request *r, const char *key, const struct json *items)
{
	const char *cursor = read_cursor(r);

	if (cursor == NULL)
		return;
	if (*cursor != '\0') {
		mcp_error(r, MCP_PARAMS, NULL, "there is no such cursor");
		return;
	}
	struct buf *b = mcp_result(r, LIST_LASTS_MS, false);
	json_key(b, key);
	json_write(b, items);
	mcp_result_end(r);
}

static void
list_tools(struct mcp_request *r)
{
	list(r, "tools", r->m->tools);
}

static void
list_prompts(struct mcp_request *r)
{
	list(r, "prompts", r->m->prompts);
}

static void
list_templates(struct mcp_request *r)
{
	list(r, "resourceTemplates", r->m->templates);
}

static void
list_resources(struct mcp_request *r)
{
	const char *cursor = read_cursor(r);
	struct mcp *m = r->m;
	struct err err = ERR_INIT;

	if (cursor == NULL)
		return;
	buf_reset(&m->text);
	buf_reset(&m->next);
	if (m->fn->list(m->fn->arg, *cursor != '\0' ? cursor : NULL, &m->text, &m->next,
		&err) != 0) {
		mcp_error(r, err.code == ERR_DATA ? MCP_PARAMS : MCP_INTERNAL, NULL, "%s", err.msg);
		return;
	}
	struct buf *b = mcp_result(r, 0, true);
	json_array(b, "resources", &m->text);
	if (m->next.len > 0)
		json_str(b, "nextCursor", m->next.data);
	mcp_result_end(r);
}

/* ---- one thing by name ---- */

/* The text of a key that must be there; NULL: it is not, which was answered. */
static const char *
read_text(struct mcp_request *r, const char *key)
{
	const char *text = json_get_string(r->params, key, NULL);

	if (text == NULL)
		mcp_error(r, MCP_PARAMS, NULL, "%s is missing, or no text", key);
	return text;
}

static const struct json *
find_named(const struct json *items, const char *name)
{
	for (size_t i = 0; i < items->len; i++)
		if (strcmp(json_get_string(&items->u.items[i], "name", NULL), name) == 0)
			return &items->u.items[i];
	return NULL;
}

/*
 * The arguments, which may come as the text of an object; an empty object where there are none.
 * NULL: no object, which was answered.
 */
static const struct json *
read_args(struct mcp_request *r)
{
	static const struct json none = { .kind = JSON_OBJECT };
	const struct json *args = mcp_get(r->params, "arguments");

	if (args != NULL && args->kind == JSON_STRING &&
	    strspn(args->u.string, " \t\r\n") == args->len)
		return &none;
	if (args != NULL && args->kind == JSON_STRING &&
	    json_parse(args->u.string, args->len, &r->m->arena, &args, NULL) == 0 &&
	    args->kind == JSON_NULL)
		return &none;
	if (args == NULL)
		return &none;
	if (args->kind != JSON_OBJECT)
		mcp_error(r, MCP_PARAMS, NULL, "arguments is no object");
	return args->kind == JSON_OBJECT ? args : NULL;
}

static void
write_text(struct buf *b, const struct buf *text)
{
	json_open(b);
	json_strn(b, "type", "text", 4);
	json_strn(b, "text", text->data, text->len);
	json_close(b);
}

static int
run_tool(struct mcp_request *r, const struct json *tool, const struct json *args, struct err *err)
{
	const struct mcp_tool *t = r->m->fn->tools;
	struct mcp_call call = { args, &r->m->text, &r->m->structured, &r->m->arena, r };

	if (mcp_arguments(json_get(tool, "inputSchema"), args, call.arena, &call.args, err) != 0)
		return -1;
	while (strcmp(t->name, json_get_string(tool, "name", NULL)) != 0)
		t++;
	return t->call(r->m->fn->arg, &call, err);
}

/* What is wrong with the arguments, or goes wrong, is a result: the model reads it and mends it. */
static void
call_tool(struct mcp_request *r)
{
	const char *name = read_text(r, "name");
	const struct json *tool, *args;
	struct mcp *m = r->m;
	struct err err = ERR_INIT;

	if (name == NULL)
		return;
	if ((tool = find_named(m->tools, name)) == NULL) {
		mcp_error(r, MCP_PARAMS, NULL, "unknown tool: %.100s", name);
		return;
	}
	if ((args = read_args(r)) == NULL)
		return;
	buf_reset(&m->text);
	buf_reset(&m->structured);
	bool failed = run_tool(r, tool, args, &err) != 0;
	if (failed) {
		buf_reset(&m->text);
		buf_adds(&m->text, err.msg);
	}
	struct buf *b = mcp_result(r, -1, true);
	json_array_open(b, "content");
	write_text(b, &m->text);
	json_array_close(b);
	if (!failed)
		json_raw(b, "structuredContent", m->structured.data, m->structured.len);
	json_bool(b, "isError", failed);
	mcp_result_end(r);
}

static void
read_resource(struct mcp_request *r)
{
	const char *uri = read_text(r, "uri");
	struct mcp *m = r->m;
	struct err err = ERR_INIT;

	if (uri == NULL)
		return;
	buf_reset(&m->text);
	if (m->fn->read(m->fn->arg, uri, &m->text, &m->arena, &err) != 0) {
		if (err.code == ERR_NOINPUT)
			mcp_error(r, r->era == MCP_LEGACY ? MCP_NO_RESOURCE : MCP_PARAMS, NULL,
			    "%s", err.msg);
		else
			mcp_error(r, MCP_INTERNAL, NULL, "%s", err.msg);
		return;
	}
	struct buf *b = mcp_result(r, 0, true);
	json_array_open(b, "contents");
	json_open(b);
	json_str(b, "uri", uri);
	json_str(b, "mimeType", "text/plain");
	json_strn(b, "text", m->text.data, m->text.len);
	json_close(b);
	json_array_close(b);
	mcp_result_end(r);
}

/*
 * Reads a prompt's arguments, which are texts, into *out: what is not known is left out. false: one
 * is missing or no text, which was answered.
 */
static bool
read_prompt_args(struct mcp_request *r, const struct json *prompt, const struct json *args,
	const struct json **out)
{
	const struct json *list = json_get(prompt, "arguments");
	struct arena *a = &r->m->arena;
	struct json_member *members = arena_alloc(a, (list->len + 1) * sizeof(*members));
	struct json *fit = arena_zalloc(a, sizeof(*fit));

	*fit = (struct json){ .kind = JSON_OBJECT, .u.members = members };
	for (size_t i = 0; i < list->len; i++) {
		size_t len;
		const char *name = json_get_string(&list->u.items[i], "name", &len);
		const struct json *must = json_get(&list->u.items[i], "required");
		const struct json *v = mcp_get(args, name);

		if (v != NULL && v->kind != JSON_STRING) {
			mcp_error(r, MCP_PARAMS, NULL, "argument %s is no text", name);
			return false;
		}
		if ((v == NULL || v->len == 0) && must != NULL && must->kind == JSON_TRUE) {
			mcp_error(r, MCP_PARAMS, NULL, "argument %s is missing", name);
			return false;
		}
		if (v != NULL && v->len > 0)
			members[fit->len++] = (struct json_member){ name, len, *v };
	}
	*out = fit;
	return true;
}

static void
get_prompt(struct mcp_request *r)
{
	const char *name = read_text(r, "name");
	const struct json *prompt, *args;
	const struct mcp_prompt *p = r->m->fn->prompts;
	struct mcp *m = r->m;
	struct err err = ERR_INIT;

	if (name == NULL)
		return;
	if ((prompt = find_named(m->prompts, name)) == NULL) {
		mcp_error(r, MCP_PARAMS, NULL, "unknown prompt: %.100s", name);
		return;
	}
	if ((args = read_args(r)) == NULL || !read_prompt_args(r, prompt, args, &args))
		return;
	while (strcmp(p->name, name) != 0)
		p++;
	buf_reset(&m->text);
	if (p->get(m->fn->arg, args, &m->text, &m->arena, &err) != 0) {
		mcp_error(r,
		    err.code == ERR_USAGE || err.code == ERR_DATA || err.code == ERR_NOINPUT
			? MCP_PARAMS
			: MCP_INTERNAL,
		    NULL, "%s", err.msg);
		return;
	}
	struct buf *b = mcp_result(r, -1, true);
	json_key(b, "description");
	json_write(b, json_get(prompt, "description"));
	json_array_open(b, "messages");
	json_open(b);
	json_str(b, "role", "user");
	json_key(b, "content");
	write_text(b, &m->text);
	json_close(b);
	json_array_close(b);
	mcp_result_end(r);
}

const struct mcp_method mcp_methods[] = {
	{ "initialize", MCP_LEGACY, initialize },
	{ "ping", MCP_LEGACY, ping },
	{ "server/discover", MCP_STATELESS, discover },
	{ "tools/list", MCP_BOTH, list_tools },
	{ "tools/call", MCP_BOTH, call_tool },
	{ "resources/list", MCP_BOTH, list_resources },
	{ "resources/templates/list", MCP_BOTH, list_templates },
	{ "resources/read", MCP_BOTH, read_resource },
	{ "prompts/list", MCP_BOTH, list_prompts },
	{ "prompts/get", MCP_BOTH, get_prompt },
	{ NULL, 0, NULL }
};
