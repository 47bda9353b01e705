/*
 * frames.c: lines that came during a call wait in a queue. A cancellation stays in it until its
 * turn, behind the request that it is about, so an id that is used again later is not touched by
 * it. What the queue holds is bounded: beyond that the client has to wait, as its pipe fills up.
 */
#include "mcp/frames.h"

#include "base/alloc.h"
#include "json/ndjson.h"
#include "mcp/mcp_parts.h"

#define QUEUE_BYTES (64u << 20)

struct frame {
	struct frame *next;
	char *line;
	size_t len;
	int got;                           /* enum frames_got */
	char *cancels;                     /* id of the request, as JSON text; NULL: none */
};

struct frames {
	struct ndjson *input;
	struct frame *first, **last;
	size_t n_bytes;
	struct frame *given;               /* the line that the caller has */
	bool ended;
	struct err held;                   /* the fault that ended the input */
};

int
frames_open(struct frames **out, struct err *err)
{
	struct frames *f = xcalloc(1, sizeof(*f));

	f->last = &f->first;
	*out = f;
	return ndjson_open("-", 0, &f->input, err);
}

static void
frame_free(struct frame *v)
{
	if (v == NULL)
		return;
	free(v->line);
	free(v->cancels);
	free(v);
}

void
frames_close(struct frames *f)
{
	if (f == NULL)
		return;
	frame_free(f->given);
	while (f->first != NULL) {
		struct frame *v = f->first;
		f->first = v->next;
		frame_free(v);
	}
	if (f->input != NULL)
		ndjson_close(f->input);
	free(f);
}

/* The id of the request that a line cancels, as JSON text that the caller frees; NULL: none. */
static char *
read_cancels(const char *line, size_t len)
{
	LOCAL(arena) a = ARENA_INIT;
	struct err ignored = ERR_INIT;
	const struct json *v, *id;
	char *out = NULL;

	if (strstr(line, MCP_CANCELLED) == NULL ||
	    json_parse_mended(line, len, &a, &v, &ignored) != 0)
		return out;
	const char *method = json_get_string(v, "method", NULL);
	id = json_get(json_get(v, "params"), "requestId");
	if (method != NULL && strcmp(method, MCP_CANCELLED) == 0 && id != NULL)
		out = mcp_id_text(id);
	return out;
}

/* Appends the next line to the queue; it may wait for one. */
static void
read_one(struct frames *f)
{
	const char *line;
	size_t len;
	int got = ndjson_next(f->input, &line, &len, &f->held);
	struct frame *v;

	if (got <= NDJSON_END) {
		f->ended = true;
		return;
	}
	v = xcalloc(1, sizeof(*v));
	v->got = got == NDJSON_TOO_LONG ? FRAMES_TOO_LONG : FRAMES_LINE;
	v->line = xmemdup(line, len + 1);  /* with NULs inside, and the one behind */
	v->len = len;
	v->cancels = v->got == FRAMES_LINE ? read_cancels(v->line, len) : NULL;
	*f->last = v;
	f->last = &v->next;
	f->n_bytes += len;
}

int
frames_next(struct frames *f, const char **line, size_t *len, struct err *err)
{
	frame_free(f->given);
	f->given = NULL;
	if (f->first == NULL && !f->ended)
		read_one(f);
	if (f->first == NULL) {
		if (f->held.code == 0)
			return FRAMES_END;
		*err = f->held;
		return -1;
	}
	f->given = f->first;
	f->first = f->given->next;
	if (f->first == NULL)
		f->last = &f->first;
	f->n_bytes -= f->given->len;
	*line = f->given->line;
	*len = f->given->len;
	return f->given->got;
}

bool
frames_cancelled(struct frames *f, const char *id)
{
	while (!f->ended && f->n_bytes < QUEUE_BYTES && !ndjson_would_block(f->input))
		read_one(f);
	for (const struct frame *v = f->first; v != NULL; v = v->next)
		if (v->cancels != NULL && strcmp(v->cancels, id) == 0)
			return true;
	return false;
}

/* The end of the string that begins at p, behind its closing quote; end: it does not end. */
static const char *
string_end(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		p += *p == '\\';
	return p < end ? p + 1 : end;
}

const char *
frames_id(const char *line, size_t len, size_t *n)
{
	const char *p = line, *end = line + len, *next;
	int depth = 0;

	for (; p < end; p = next) {
		next = *p == '"' ? string_end(p, end) : p + 1;
		depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
		if (depth != 1 || next - p != 4 || memcmp(p, "\"id\"", 4) != 0)
			continue;
		while (next < end && (*next == ':' || *next == ' '))
			next++;
		p = next;
		if (p < end && *p == '"')
			next = string_end(p, end);
		while (next < end && strchr(",}\" ", *next) == NULL)
			next++;
		*n = (size_t)(next - p);
		if (*n > 0)
			return next < end ? p : NULL;
	}
	return NULL;
}
