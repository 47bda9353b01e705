/*
 * mcp.c: takes frames apart and finds out in which era a request speaks. A request that carries a
 * version is answered by that alone; an "initialize" opens the other era for requests without one,
 * so both may come through one pipe. A frame that is wrong is answered with the error that the
 * protocol names, and never ends the server.
 */
#include "mcp/mcp.h"

#include <math.h>

#include "base/conf.h"
#include "base/embedded.h"
#include "base/utf8.h"
#include "json/json_schema.h"
#include "mcp/mcp_parts.h"

#define META_VERSION "io.modelcontextprotocol/protocolVersion"
#define META_ABLE    "io.modelcontextprotocol/clientCapabilities"
#define META_SERVER  "io.modelcontextprotocol/serverInfo"
#define ID_MOST      9007199254740992.0    /* 2^53 */
#define SHOWN_BYTES  100                   /* of what is not known, in an error */
#define ROOTS_ID     "mem-roots"           /* of the one request that is ours */
#define WITH_BATCHES "2025-03-26"          /* the one version that has them */

/* ---- messages to the client ---- */

char *
mcp_id_text(const struct json *id)
{
	if (id->kind != JSON_STRING && (id->kind != JSON_NUMBER ||
		id->u.number != floor(id->u.number) || fabs(id->u.number) > ID_MOST))
		return NULL;
	LOCAL(buf) b = buf_of(conf_caps.line_bytes);
	json_write(&b, id);
	return buf_detach(&b);
}

/* Sends m->out, or keeps it for the answer to the whole batch. */
static void
send_out(struct mcp *m)
{
	if (m->in_batch) {
		buf_adds(&m->batch, m->batch.len > 0 ? "," : "[");
		buf_add(&m->batch, m->out.data, m->out.len);
		return;
	}
	buf_addc(&m->out, '\n');
	m->closed = m->closed || m->fn->send(m->fn->arg, m->out.data, m->out.len) != 0;
}

/* id NULL: it could not be read. */
static struct buf *
begin(struct mcp *m, const char *id)
{
	buf_reset(&m->out);
	json_open(&m->out);
	json_str(&m->out, "jsonrpc", "2.0");
	if (id != NULL)
		json_raw(&m->out, "id", id, strlen(id));
	return &m->out;
}

static void
send_error(struct mcp *m, const char *id, int code, const char *data, const char *message)
{
	struct buf *b = begin(m, id);

	json_object_open(b, "error");
	json_int(b, "code", code);
	json_str(b, "message", message);
	if (data != NULL)
		json_raw(b, "data", data, strlen(data));
	json_close(b);
	json_close(b);
	send_out(m);
}

void
mcp_error(struct mcp_request *r, int code, const char *data, const char *fmt, ...)
{
	va_list ap;
	LOCAL(buf) b = buf_of(2000);

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	if (!r->cancelled && !frames_cancelled(r->m->frames, r->id))
		send_error(r->m, r->id, code, data, b.data);
}

void
mcp_write_server(struct buf *b, const char *key)
{
	json_object_open(b, key);
	json_str(b, "name", "mem-mcp");
	json_str(b, "version", MEM_VERSION);
	json_close(b);
}

struct buf *
mcp_result(struct mcp_request *r, int64_t lasts_ms, bool of_user)
{
	struct buf *b = begin(r->m, r->id);

	json_object_open(b, "result");
	if (r->era != MCP_STATELESS)
		return b;
	json_str(b, "resultType", "complete");
	json_object_open(b, "_meta");
	mcp_write_server(b, META_SERVER);
	json_close(b);
	if (lasts_ms >= 0) {
		json_int(b, "ttlMs", lasts_ms);
		json_str(b, "cacheScope", of_user ? "private" : "public");
	}
	return b;
}

void
mcp_result_end(struct mcp_request *r)
{
	struct buf *b = &r->m->out;

	json_close(b);
	json_close(b);
	if (b->full)
		mcp_error(r, MCP_INTERNAL, NULL, "the answer is too long");
	else if (!r->cancelled && !frames_cancelled(r->m->frames, r->id))
		send_out(r->m);
}

bool
mcp_progress(const struct mcp_call *c, int64_t done, int64_t all, const char *what)
{
	struct mcp_request *r = c->request;
	struct buf *b = &r->m->out;

	r->cancelled = r->cancelled || frames_cancelled(r->m->frames, r->id);
	if (r->cancelled || r->token == NULL || r->m->in_batch || (double)done <= r->progress)
		return r->cancelled;
	r->progress = (double)done;
	begin(r->m, NULL);
	json_str(b, "method", "notifications/progress");
	json_object_open(b, "params");
	json_raw(b, "progressToken", r->token, strlen(r->token));
	json_int(b, "progress", done);
	json_int(b, "total", all);
	if (r->era == MCP_STATELESS || strcmp(r->m->agreed, "2024-11-05") != 0)
		json_str(b, "message", what);
	json_close(b);
	json_close(b);
	send_out(r->m);
	return false;
}

/* ---- requests ---- */

/* What "_meta" says; -1: it was wrong, and that was answered. */
static int
read_meta(struct mcp_request *r)
{
	const struct json *meta = mcp_get(r->params, "_meta"), *token, *version;

	if (meta == NULL)
		return 0;
	if (meta->kind != JSON_OBJECT) {
		mcp_error(r, MCP_PARAMS, NULL, "_meta is no object");
		return -1;
	}
	token = mcp_get(meta, "progressToken");
	if (token != NULL) {
		char *text = mcp_id_text(token);
		if (text == NULL) {
			mcp_error(r, MCP_PARAMS, NULL, "progressToken is no text or whole number");
			return -1;
		}
		r->token = arena_strdup(&r->m->arena, text);
		free(text);
	}
	if ((version = mcp_get(meta, META_VERSION)) == NULL)
		return 0;
	if (version->kind != JSON_STRING) {
		mcp_error(r, MCP_PARAMS, NULL, META_VERSION " is no text");
		return -1;
	}
	if (strcmp(version->u.string, MCP_MODERN) != 0) {
		LOCAL(buf) b = buf_of(conf_caps.line_bytes);
		json_open(&b);
		json_key(&b, "supported");
		json_write(&b, json_get(r->m->server, "versions"));
		json_strn(&b, "requested", version->u.string,
		    utf8_clip(version->u.string, version->len, SHOWN_BYTES));
		json_close(&b);
		mcp_error(r, MCP_VERSION, b.data, "unsupported protocol version");
		return -1;
	}
	if ((token = json_get(meta, META_ABLE)) == NULL || token->kind != JSON_OBJECT) {
		mcp_error(r, MCP_PARAMS, NULL, META_ABLE " is missing, or no object");
		return -1;
	}
	r->era = MCP_STATELESS;
	return 0;
}

static const struct mcp_method *
find_method(const char *name)
{
	const struct mcp_method *v = mcp_methods;

	while (v->name != NULL && strcmp(v->name, name) != 0)
		v++;
	return v->name != NULL ? v : NULL;
}

static void
answer(struct mcp_request *r, const char *name)
{
	const struct mcp_method *method = find_method(name);

	if (frames_cancelled(r->m->frames, r->id))
		return;
	if (r->params != NULL && r->params->kind != JSON_OBJECT) {
		mcp_error(r, MCP_PARAMS, NULL, "params is no object");
		return;
	}
	r->era = MCP_LEGACY;
	if (read_meta(r) != 0)
		return;
	if (method == NULL || (method->eras & r->era) == 0) {
		if (method != NULL && r->era == MCP_LEGACY)
			mcp_error(r, MCP_PARAMS, NULL, "%s needs _meta with " META_VERSION, name);
		else
			mcp_error(r, MCP_METHOD, NULL, "method not found: %.100s", name);
	} else if (r->era == MCP_LEGACY && r->m->agreed == NULL && method->eras != MCP_LEGACY) {
		mcp_error(r, MCP_PARAMS, NULL,
		    "no protocol version: send initialize first, or _meta with " META_VERSION);
	} else {
		method->answer(r);
	}
}

/* Asks for the client's roots when it has come up, and when they have changed. */
static void
ask_roots(struct mcp *m, const char *notice)
{
	if (!m->has_roots || m->in_batch ||
	    (strcmp(notice, "notifications/initialized") != 0 &&
		strcmp(notice, "notifications/roots/list_changed") != 0))
		return;
	struct buf *b = begin(m, "\"" ROOTS_ID "\"");
	json_str(b, "method", "roots/list");
	json_close(b);
	send_out(m);
}

static void
take_roots(struct mcp *m, const struct json *answer)
{
	const char *id = json_get_string(answer, "id", NULL), *uri;
	const struct json *roots = json_get(json_get(answer, "result"), "roots");

	if (id == NULL || strcmp(id, ROOTS_ID) != 0 || roots == NULL ||
	    roots->kind != JSON_ARRAY || roots->len == 0)
		return;
	if ((uri = json_get_string(&roots->u.items[0], "uri", NULL)) != NULL)
		m->fn->root(m->fn->arg, uri);
}

/* One message. Notifications and answers are never answered; of them only cancellations matter,
 * which frames_cancelled finds. */
static void
take_message(struct mcp *m, const struct json *v)
{
	const struct json *version = json_get(v, "jsonrpc"), *id = json_get(v, "id"),
			  *method = json_get(v, "method");
	struct mcp_request r = { .m = m, .params = mcp_get(v, "params") };

	if (v->kind != JSON_OBJECT) {
		send_error(m, NULL, MCP_REQUEST, NULL, "a message is a JSON object");
		return;
	}
	if (method == NULL && (json_get(v, "result") != NULL || json_get(v, "error") != NULL)) {
		take_roots(m, v);
		return;
	}
	if (method != NULL && method->kind == JSON_STRING && id == NULL) {
		ask_roots(m, method->u.string);
		return;
	}
	r.id = id != NULL ? mcp_id_text(id) : NULL;
	if (version == NULL || version->kind != JSON_STRING ||
	    strcmp(version->u.string, "2.0") != 0)
		send_error(m, r.id, MCP_REQUEST, NULL, "jsonrpc is not \"2.0\"");
	else if (method == NULL || method->kind != JSON_STRING)
		send_error(m, r.id, MCP_REQUEST, NULL, "method is no text");
	else if (r.id == NULL)
		send_error(m, NULL, MCP_REQUEST, NULL, "id is no text or whole number");
	else
		answer(&r, method->u.string);
	free(r.id);
}

static void
take_batch(struct mcp *m, const struct json *v)
{
	m->in_batch = true;
	buf_reset(&m->batch);
	for (size_t i = 0; i < v->len; i++)
		take_message(m, &v->u.items[i]);
	m->in_batch = false;
	if (m->batch.len == 0)
		return;
	buf_reset(&m->out);
	buf_add(&m->out, m->batch.data, m->batch.len);
	json_array_close(&m->out);
	send_out(m);
}

/*
 * Answers a line that is no JSON, or not all of it; who asked waits for its id, where it is told.
 */
static void
refuse_line(struct mcp *m, const char *line, size_t len, int code, const char *why)
{
	const struct json *v;
	size_t n;
	const char *at = frames_id(line, len, &n);
	FREED char *id = at != NULL && json_parse(at, n, &m->arena, &v, NULL) == 0
	    ? mcp_id_text(v) : NULL;

	send_error(m, id, code, NULL, why);
}

static void
take_line(struct mcp *m, const char *line, size_t len)
{
	struct err err = ERR_INIT;
	const struct json *v;

	if (json_parse_mended(line, len, &m->arena, &v, &err) != 0)
		refuse_line(m, line, len, MCP_PARSE, err.msg);
	else if (v->kind == JSON_ARRAY && v->len > 0 && m->agreed != NULL &&
	    strcmp(m->agreed, WITH_BATCHES) == 0)
		take_batch(m, v);
	else
		take_message(m, v);
}

/* ---- the server ---- */

static int
read_data(struct mcp *m, const char *name, const struct json **out, struct err *err)
{
	const struct embedded *file = embedded_find(name);

	return json_parse(file->text, file->len, &m->data, out, err);
}

static bool
is_named(const struct json *tool, const char *name, size_t len)
{
	const char *is = json_get_string(tool, "name", NULL);

	return strncmp(is, name, len) == 0 && is[len] == '\0';
}

static int
set_no_tool(const struct mcp *m, const char *name, size_t len, struct err *err)
{
	LOCAL(buf) b = buf_of(sizeof(err->msg) / 2);

	for (size_t i = 0; i < m->tools->len; i++)
		buf_addf(&b, "%s%s", i > 0 ? ", " : "",
		    json_get_string(&m->tools->u.items[i], "name", NULL));
	return err_set(err, ERR_USAGE, "no tool '%.*s': there are %s",
	    (int)MIN(len, (size_t)100), name, b.data);
}

/* Leaves the tools that fn->only names. */
static int
choose_tools(struct mcp *m, struct err *err)
{
	struct json *some = arena_zalloc(&m->data, sizeof(*some)), *items;

	items = arena_alloc(&m->data, (m->tools->len + 1) * sizeof(*items));
	*some = (struct json){ .kind = JSON_ARRAY, .u.items = items };
	for (const char *p = m->fn->only; *p != '\0';) {
		size_t len = strcspn(p, ","), i = 0;

		while (i < m->tools->len && !is_named(&m->tools->u.items[i], p, len))
			i++;
		if (len > 0 && i == m->tools->len)
			return set_no_tool(m, p, len, err);
		for (size_t k = 0; k < some->len && len > 0; k++)
			len = is_named(&items[k], p, len) ? 0 : len;
		if (len > 0)
			items[some->len++] = m->tools->u.items[i];
		p += strcspn(p, ",");
		p += *p == ',';
	}
	m->tools = some;
	return 0;
}

static int
open_data(struct mcp *m, struct err *err)
{
	if (read_data(m, "schema/mcp/server.json", &m->server, err) != 0 ||
	    read_data(m, "schema/mcp/tools.json", &m->tools, err) != 0 ||
	    read_data(m, "schema/mcp/prompts.json", &m->prompts, err) != 0 ||
	    read_data(m, "schema/mcp/templates.json", &m->templates, err) != 0)
		return -1;
	if (m->fn->only != NULL && choose_tools(m, err) != 0)
		return -1;
	for (size_t i = 0; i < m->tools->len; i++)
		if (json_schema_known(json_get(&m->tools->u.items[i], "inputSchema"), err) != 0)
			return -1;
	return 0;
}

int
mcp_serve(const struct mcp_fn *fn, struct err *err)
{
	struct mcp m = { .fn = fn };
	struct buf *const bufs[] = { &m.out, &m.text, &m.structured, &m.next, &m.batch };
	const char *line;
	size_t len;
	int got = -1;

	for (size_t i = 0; i < NELEM(bufs); i++)
		buf_init(bufs[i], conf_caps.output_bytes);
	if (open_data(&m, err) != 0 || frames_open(&m.frames, err) != 0)
		goto out;
	while (!m.closed && (got = frames_next(m.frames, &line, &len, err)) > 0) {
		if (got == FRAMES_TOO_LONG)
			refuse_line(&m, line, len, MCP_REQUEST, "the message is too long");
		else
			take_line(&m, line, len);
		arena_reset(&m.arena);
	}
out:
	frames_close(m.frames);
	for (size_t i = 0; i < NELEM(bufs); i++)
		buf_release(bufs[i]);
	arena_release(&m.arena);
	arena_release(&m.data);
	return got < 0 ? -1 : 0;
}
