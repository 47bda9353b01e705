/* trial.c: a hook always ends well, so whether it did its work is read in its log. */
#include "setup/trial.h"

#include "base/conf.h"
#include "hook/hook_log.h"
#include "json/json.h"
#include "base/run.h"

#define MS 20000

static const char prompt[] = "{\"session_id\":\"" TRIAL_SESSION "\",\"cwd\":\"/\","
	"\"hook_event_name\":\"prompt\",\"prompt\":\"what did we decide last time?\"}";

static const char requests[] =
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
	"\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"mem-setup\","
	"\"version\":\"1\"}}}\n"
	"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
	"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n";

/* Runs a command of the shell. -1: why says what is wrong. */
static int
run_shell(const char *command, const char *in, struct ran *r, char *why, size_t size)
{
	const char *const args[] = { "/bin/sh", "-c", command, NULL };
	struct err err = ERR_INIT;

	if (run(args, in, strlen(in), MS, r, &err) != 0)
		snprintf(why, size, "%s", err.msg);
	else if (r->status != 0)
		snprintf(why, size, "status %d: %.400s", r->status, ran_line(r));
	else
		return 0;
	return -1;
}

struct last { struct arena arena; char *why; size_t size; const char *host; bool told, seen; };

static int
see_line(void *arg, const char *line, size_t len, struct err *err)
{
	struct last *l = arg;
	const struct json *v;

	if (json_parse(line, len, &l->arena, &v, err) != 0)
		return -1;
	const char *host = json_get_string(v, "host", NULL);
	const char *did = json_get_string(v, "did", NULL);
	const char *why = json_get_string(v, "why", NULL);
	if (host == NULL || did == NULL || why == NULL || strcmp(host, l->host) != 0)
		return 0;
	/* who came to no end of its own cannot tell how long it took */
	l->told = true;
	l->seen = json_get(v, "ms") != NULL;
	snprintf(l->why, l->size, "%s: %s", did, why);
	return 0;
}

int
trial_hook(const struct agent *a, const struct commands *c, char *why, size_t size)
{
	struct last last = { ARENA_INIT, why, size, a->name, false, false };
	struct err err = ERR_INIT;
	LOCAL(ran) r = { 0 };
	LOCAL(buf) command = buf_of(conf_caps.output_bytes);

	command_shell(&command, c->hook, c);
	buf_addf(&command, " %s prompt", a->name);
	int rc = run_shell(command.data, prompt, &r, why, size);
	if (rc == 0 && hook_log_last(hook_log_path(conf_db(), &last.arena), conf_text("user"),
			    TRIAL_SESSION, 1, see_line, &last, &err) != 0) {
		snprintf(why, size, "%s", err.msg);
		rc = -1;
	} else if (rc == 0 && !last.seen) {
		if (!last.told)
			snprintf(why, size, "it ran, but left no line in its log");
		rc = -1;
	}
	arena_release(&last.arena);
	return rc;
}

/* Whether an answer to tools/list offers recall; *n: how many tools. */
static bool
offers_recall(const char *line, size_t len, size_t *n)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct json *v, *tools;
	bool has = false;

	if (json_parse(line, len, &a, &v, NULL) == 0 &&
	    (tools = json_get(json_get(v, "result"), "tools")) != NULL &&
	    tools->kind == JSON_ARRAY) {
		*n = tools->len;
		for (size_t i = 0; i < tools->len; i++) {
			const char *name = json_get_string(&tools->u.items[i], "name", NULL);
			has |= name != NULL && strcmp(name, "recall") == 0;
		}
	}
	return has;
}

int
trial_server(const struct commands *c, char *why, size_t size)
{
	LOCAL(ran) r = { 0 };
	size_t n = 0;
	LOCAL(buf) command = buf_of(conf_caps.output_bytes);

	command_shell(&command, c->server, c);
	int rc = run_shell(command.data, requests, &r, why, size);
	if (rc == 0) {
		const char *line = r.out.data, *end;

		rc = -1;
		for (; rc != 0 && (end = strchr(line, '\n')) != NULL; line = end + 1)
			rc = offers_recall(line, (size_t)(end - line), &n) ? 0 : -1;
		if (rc == 0)
			snprintf(why, size, "%zu tools", n);
		else
			snprintf(why, size, "it offers no recall");
	}
	return rc;
}
