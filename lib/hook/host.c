/*
 * host.c: a table of hosts. They hand over one JSON object on standard input whose keys differ only
 * in spelling, so one reader does for all.
 */
#include "hook/host.h"

#include "base/conf.h"
#include "base/utf8.h"
#include "json/json.h"
#include "gen/hooks_rows.h"

/* of a longer prompt its beginning and its end are read: what is asked stands there */
#define PROMPT_HEAD 1500
#define PROMPT_TAIL 500

const char *const hook_event_names[] = { "start", "prompt", "stop", "end", "compact",
	"pretool", "posttool" };

const struct host hosts[] = { HOOKS_HOSTS { .name = NULL } };

const struct host *
host_find(const char *name)
{
	for (const struct host *h = hosts; h->name != NULL; h++)
		if (strcmp(h->name, name) == 0)
			return h;
	return NULL;
}

int
host_event(const struct host *h, const char *name)
{
	for (int e = 0; e < N_HOOK_EVENTS; e++)
		if (strcmp(name, hook_event_names[e]) == 0 ||
		    (h->events[e] != NULL && strcmp(name, h->events[e]) == 0))
			return e;
	return -1;
}

bool
host_listens(const struct host *h, enum hook_event event)
{
	return event < HOOK_PRETOOL || h->events[event] != NULL;
}

/* ---- answers ---- */

/* Cursor asks before it sends a prompt whether it may. */
static bool
asks_leave(const struct host *h, int event)
{
	return h->form == HOST_SNAKE && event == HOOK_PROMPT;
}

const char *
host_nothing(const struct host *h, int event)
{
	return asks_leave(h, event) ? "{\"continue\":true}\n" : h->nothing;
}

void
host_answer(const struct host *h, enum hook_event event, const char *text, size_t len,
	struct buf *out)
{
	if (h->form == HOST_PLAIN) {
		buf_add(out, text, len);
		return;
	}
	json_open(out);
	if (asks_leave(h, (int)event))
		json_bool(out, "continue", true);
	if (h->form == HOST_SPECIFIC) {
		json_object_open(out, "hookSpecificOutput");
		json_str(out, "hookEventName", h->events[event]);
	}
	json_strn(out, h->form == HOST_SNAKE ? "additional_context" : "additionalContext", text,
	    len);
	if (h->form == HOST_SPECIFIC)
		json_close(out);
	json_end(out);
}

/* ---- what they say ---- */

/* A text, or a number as one: an id may be either. */
static const char *
text_or_number(const struct json *v, const char *key, struct arena *a, size_t *len)
{
	const struct json *member = json_get(v, key);
	struct buf b;
	char *text;

	if (member == NULL || member->kind != JSON_NUMBER)
		return json_get_string(v, key, len);
	buf_init(&b, 100);
	json_write(&b, member);
	*len = b.len;
	text = arena_strndup(a, b.data, b.len);
	buf_release(&b);
	return text;
}

static const char *
text_of(const struct json *v, const char *const *keys, struct arena *a, size_t *len)
{
	size_t n = 0;

	for (; *keys != NULL; keys++) {
		const char *s = text_or_number(v, *keys, a, &n);
		if (s != NULL && n > 0) {
			if (len != NULL)
				*len = n;
			return s;
		}
	}
	if (len != NULL)
		*len = 0;
	return "";
}

/* Cursor names the roots of its workspace; the first one is where work is done. */
static const char *
first_root(const struct json *v)
{
	const struct json *roots = json_get(v, "workspace_roots");

	return roots != NULL && roots->kind == JSON_ARRAY && roots->len > 0 &&
		roots->u.items[0].kind == JSON_STRING
	    ? roots->u.items[0].u.string
	    : "";
}

/* What is read of a prompt: all of it, or its beginning and its end. */
static void
shorten(struct hook_call *said, struct arena *a)
{
	size_t head = utf8_clip(said->prompt, said->prompt_len, PROMPT_HEAD), tail;

	if (said->prompt_len <= PROMPT_HEAD + PROMPT_TAIL)
		return;
	tail = said->prompt_len - PROMPT_TAIL;
	while (tail < said->prompt_len && ((unsigned char)said->prompt[tail] & 0xc0) == 0x80)
		tail++;
	said->prompt = arena_printf(a, "%.*s\n%s", (int)head, said->prompt, said->prompt + tail);
	said->prompt_len = strlen(said->prompt);
}

/* Appends all texts within v, a line each. */
static void
add_texts(struct buf *out, const struct json *v)
{
	for (size_t i = 0; v->kind == JSON_ARRAY && i < v->len; i++)
		add_texts(out, &v->u.items[i]);
	for (size_t i = 0; v->kind == JSON_OBJECT && i < v->len; i++)
		add_texts(out, &v->u.members[i].value);
	if (v->kind == JSON_STRING) {
		buf_add(out, v->u.string, v->len);
		buf_addc(out, '\n');
	}
}

/* The call of a tool, and what it gave. */
static void
read_call(const struct json *v, struct arena *a, struct hook_call *out)
{
	static const char *const results[] = { "tool_response", "error", "error_message" };
	const struct json *input = json_get(v, "tool_input"), *result = NULL;
	struct buf b;

	out->command = "";
	buf_init(&b, conf_caps.output_bytes);
	if (input != NULL && input->kind == JSON_OBJECT) {
		json_open(&b);
		json_str(&b, "name", text_of(v, (const char *const[]){ "tool_name", NULL }, a,
		    NULL));
		json_key(&b, "arguments");
		json_write(&b, input);
		json_close(&b);
		change_read(b.data, b.len, out->cwd, a, &out->change);
	}
	if (out->change.command != NULL)
		out->command = out->change.command;
	for (size_t i = 0; i < NELEM(results) && result == NULL; i++)
		result = json_get(v, results[i]);
	buf_reset(&b);
	if (result != NULL && result->kind == JSON_OBJECT)
		json_write(&b, result);
	outcome_read("", 0, b.data, &out->outcome);
	buf_reset(&b);
	if (result != NULL)
		add_texts(&b, result);
	out->result = arena_strndup(a, b.data, b.len);
	if (out->outcome.worked == WORKED_UNKNOWN)
		outcome_read(b.data, b.len, NULL, &out->outcome);
	if (result != NULL && json_get(v, results[0]) == NULL)
		out->outcome.worked = WORKED_NO;
	buf_release(&b);
}

int
host_read(const char *text, size_t len, struct arena *a, struct hook_call *out, struct err *err)
{
	/* Cursor's transcripts bear the id of the conversation */
	static const char *const session[] = { "conversation_id", "session_id", "sessionId", NULL },
		*const transcript[] = { "transcript_path", "transcriptPath", NULL },
		*const cwd[] = { "cwd", NULL }, *const source[] = { "source", NULL },
		*const prompt[] = { "prompt", "initialPrompt", "initial_prompt", NULL };
	const struct json *v;

	if (json_parse_mended(text, len, a, &v, err) != 0)
		return -1;
	if (v->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "no JSON object");
	out->session = text_of(v, session, a, NULL);
	out->transcript = text_of(v, transcript, a, NULL);
	out->compacted = strcmp(text_of(v, source, a, NULL), "compact") == 0;
	out->cwd = text_of(v, cwd, a, NULL);
	if (*out->cwd == '\0')
		out->cwd = first_root(v);
	out->prompt = text_of(v, prompt, a, &out->prompt_len);
	shorten(out, a);
	read_call(v, a, out);
	return 0;
}
