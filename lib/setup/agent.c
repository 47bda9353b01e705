/*
 * agent.c: the table, and how its places are read.
 */
#include "setup/agent.h"

#include <glob.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/conf.h"
#include "json/json.h"
#include "json/ndjson.h"

#define CONFIG  "${XDG_CONFIG_HOME:-~/.config}"
#define DATA    "${XDG_DATA_HOME:-~/.local/share}"
#define LIBRARY "~/Library/Application Support"
/* what editors that are built as Visual Studio Code is keep for an extension */
#define EXTENSION(id) CONFIG "/*/User/globalStorage/" id "|" LIBRARY "/*/User/globalStorage/" id

#define SERVER        "{\"command\": \"mem-mcp\", \"args\": []}"
#define SERVER_STDIO  "{\"type\": \"stdio\", \"command\": \"mem-mcp\", \"args\": []}"
#define MCP_SERVERS   "{\"mcpServers\": {\"mem\": " SERVER "}}"

const struct agent agents[] = {
	{ "claude-code", "Claude Code", "${CLAUDE_CONFIG_DIR:-~/.claude}", { "projects" }, "claude-code",
	    { { "settings.json", WIRE_JSON, "schema/hooks/claude-code.json", false },
		{ "${CLAUDE_CONFIG_DIR:-~}/.claude.json", WIRE_JSON,
		    "{\"mcpServers\": {\"mem\": " SERVER_STDIO "}}", true } },
	    NULL },
	{ "codex", "Codex", "${CODEX_HOME:-~/.codex}", { "sessions", "archived_sessions" }, "codex",
	    { { "hooks.json", WIRE_JSON, "schema/hooks/codex.json", false },
		{ "config.toml", WIRE_TOML, "{\"mcp_servers\": {\"mem\": " SERVER "}}", true } },
	    "Codex asks once whether its new hooks are trusted (/hooks)" },
	{ "gemini", "Gemini CLI", "${GEMINI_CLI_HOME:-~}/.gemini", { "tmp" }, "gemini",
	    { { "settings.json", WIRE_JSON, "schema/hooks/gemini.json", false },
		{ "settings.json", WIRE_JSON, MCP_SERVERS, true } },
	    NULL },
	{ "cursor", "Cursor", "~/.cursor",
	    { "projects", "chats", CONFIG "/Cursor/User/globalStorage/state.vscdb",
		LIBRARY "/Cursor/User/globalStorage/state.vscdb" }, "cursor",
	    { { "hooks.json", WIRE_JSON, "schema/hooks/cursor.json", false },
		{ "mcp.json", WIRE_JSON, MCP_SERVERS, true } },
	    NULL },
	{ "copilot", "Copilot CLI", "${COPILOT_HOME:-~/.copilot}", { "session-state" }, "copilot-cli",
	    { { "hooks/mem.json", WIRE_JSON, "schema/hooks/copilot.json", false },
		{ "mcp-config.json", WIRE_JSON,
		    "{\"mcpServers\": {\"mem\": {\"type\": \"local\", \"command\": \"mem-mcp\", "
		    "\"args\": [], \"tools\": [\"*\"]}}}",
		    true } },
	    NULL },
	{ "vscode", "Copilot in VS Code", CONFIG "/Code*/User|" LIBRARY "/Code*/User",
	    { "workspaceStorage/*/chatSessions" }, "copilot",
	    { { "mcp.json", WIRE_JSON, "{\"servers\": {\"mem\": " SERVER_STDIO "}}", true } },
	    NULL },
	{ "opencode", "OpenCode", "${OPENCODE_CONFIG_DIR}|" CONFIG "/opencode",
	    { DATA "/opencode/opencode.db", DATA "/opencode/storage" }, "opencode",
	    { { "plugin/mem.js", WIRE_FILE, "schema/hooks/opencode.js", false },
		{ "opencode.jsonc|opencode.json", WIRE_JSON,
		    "{\"mcp\": {\"mem\": {\"type\": \"local\", \"command\": [\"mem-mcp\"], "
		    "\"enabled\": true}}}",
		    true } },
	    NULL },
	{ "goose", "Goose", "${GOOSE_PATH_ROOT}/config|" CONFIG "/goose",
	    { "${GOOSE_PATH_ROOT}/data/sessions|" DATA "/goose/sessions" }, "goose",
	    { { "config.yaml", WIRE_YAML,
		    "{\"extensions\": {\"mem\": {\"enabled\": true, \"type\": \"stdio\", "
		    "\"name\": \"mem\", \"cmd\": \"mem-mcp\", \"args\": [], \"timeout\": 300}}}",
		    true } },
	    NULL },
	{ "qwen", "Qwen Code", "~/.qwen", { "projects" }, "qwen",
	    { { "settings.json", WIRE_JSON, "schema/hooks/qwen.json", false },
		{ "settings.json", WIRE_JSON, MCP_SERVERS, true } },
	    NULL },
	{ "kimi", "Kimi Code", "${KIMI_CODE_HOME:-~/.kimi-code}|${KIMI_SHARE_DIR:-~/.kimi}",
	    { "${KIMI_CODE_HOME:-~/.kimi-code}/sessions", "${KIMI_SHARE_DIR:-~/.kimi}/sessions" }, "kimi",
	    { { "config.toml", WIRE_TOML,
		    "{\"hooks\": [{\"event\": \"UserPromptSubmit\", "
		    "\"command\": \"mem-hook kimi prompt\", \"timeout\": 5}]}",
		    false },
		{ "mcp.json", WIRE_JSON, MCP_SERVERS, true } },
	    NULL },
	{ "cline", "Cline", EXTENSION("saoudrizwan.claude-dev"), { "tasks" }, "cline",
	    { { "settings/cline_mcp_settings.json", WIRE_JSON, MCP_SERVERS, true } }, NULL },
	{ "cline-cli", "Cline CLI", "${CLINE_DIR:-~/.cline}", { "data/sessions" }, "cline",
	    { { "data/settings/cline_mcp_settings.json", WIRE_JSON, MCP_SERVERS, true } }, NULL },
	{ "roo", "Roo Code", EXTENSION("rooveterinaryinc.roo-cline"), { "tasks" }, "cline",
	    { { "settings/mcp_settings.json", WIRE_JSON, MCP_SERVERS, true } }, NULL },
	{ "kilo", "Kilo Code", EXTENSION("kilocode.kilo-code"), { "tasks" }, "cline",
	    { { "settings/mcp_settings.json", WIRE_JSON, MCP_SERVERS, true } }, NULL },
	{ "hermes", "Hermes", "${HERMES_HOME:-~/.hermes}", { "state.db", "profiles/*/state.db" }, "hermes",
	    { { "config.yaml", WIRE_YAML, "{\"mcp_servers\": {\"mem\": " SERVER "}}", true } },
	    NULL },
	{ "zed", "Zed", CONFIG "/zed",
	    { DATA "/zed/threads/threads.db", LIBRARY "/Zed/threads/threads.db" }, "zed",
	    { { "settings.json", WIRE_JSON,
		    "{\"context_servers\": {\"mem\": {\"source\": \"custom\", "
		    "\"command\": \"mem-mcp\", \"args\": [], \"env\": {}}}}",
		    true } },
	    NULL },
	{ "droid", "Droid", "~/.factory", { "sessions" }, "pi",
	    { { "mcp.json", WIRE_JSON, "{\"mcpServers\": {\"mem\": " SERVER_STDIO "}}", true } },
	    NULL },
	{ "grok-build", "Grok Build", "${GROK_HOME:-~/.grok}", { "sessions" }, "grok-build",
	    { { "config.toml", WIRE_TOML, "{\"mcp_servers\": {\"mem\": " SERVER "}}", true } },
	    NULL },
	{ "omp", "omp", "~/.omp",
	    { "agent/sessions", "profiles/*/agent/sessions", DATA "/omp/sessions" }, "pi",
	    { { "agent/mcp.json", WIRE_JSON, MCP_SERVERS, true } }, NULL },
	{ "crush", "Crush", CONFIG "/crush",
	    { "@${CRUSH_GLOBAL_DATA:-" DATA "/crush}/projects.json" }, "crush",
	    { { "crush.json", WIRE_JSON, "{\"mcp\": {\"mem\": " SERVER_STDIO "}}", true } }, NULL },
	{ "windsurf", "Windsurf", "~/.codeium/windsurf", { NULL }, NULL,
	    { { "mcp_config.json", WIRE_JSON, MCP_SERVERS, true } }, NULL },
	{ "claude-desktop", "Claude Desktop", CONFIG "/Claude|" LIBRARY "/Claude", { NULL }, NULL,
	    { { "claude_desktop_config.json", WIRE_JSON, MCP_SERVERS, true } }, NULL },
	{ "continue", "Continue", "${CONTINUE_GLOBAL_DIR:-~/.continue}", { "sessions" }, "continue",
	    { { NULL, WIRE_JSON, NULL, false } }, NULL },
	{ "pi", "pi", "${PI_CODING_AGENT_DIR:-~/.pi/agent}", { "sessions" }, "pi",
	    { { NULL, WIRE_JSON, NULL, false } }, NULL },
	{ "dsh", "DeepSeek Harness", "${DSH_HOME:-~/.dsh}", { "sessions" }, "dsh",
	    { { NULL, WIRE_JSON, NULL, false } }, NULL },
	{ "antigravity", "Antigravity", "~/.gemini/antigravity*",
	    { "brain/*/.system_generated/logs" }, "antigravity", { { NULL, WIRE_JSON, NULL, false } },
	    NULL },
	{ "iflow", "iFlow", "~/.iflow", { "projects" }, "claude-code",
	    { { NULL, WIRE_JSON, NULL, false } }, NULL },
	{ "kiro", "Kiro", "~/.kiro",
	    { "sessions", DATA "/kiro-cli/data.sqlite3", LIBRARY "/kiro-cli/data.sqlite3" }, "kiro",
	    { { NULL, WIRE_JSON, NULL, false } }, NULL },
	{ "amazon-q", "Amazon Q", "~/.aws/amazonq",
	    { DATA "/amazon-q/data.sqlite3", LIBRARY "/amazon-q/data.sqlite3" }, "kiro",
	    { { NULL, WIRE_JSON, NULL, false } }, NULL },
	{ "openclaw", "OpenClaw", "${OPENCLAW_STATE_DIR:-~/.openclaw}", { "agents/*/sessions" }, "pi",
	    { { NULL, WIRE_JSON, NULL, false } }, NULL },
	{ "llm", "llm", "${LLM_USER_PATH}|" CONFIG "/io.datasette.llm|" LIBRARY "/io.datasette.llm",
	    { "logs.db" }, "llm", { { NULL, WIRE_JSON, NULL, false } }, NULL },
	{ "aider", "Aider", "${AIDER_CHAT_HISTORY_FILE:-~/.aider.chat.history.md}",
	    { "${AIDER_CHAT_HISTORY_FILE:-~/.aider.chat.history.md}" }, "aider",
	    { { NULL, WIRE_JSON, NULL, false } }, NULL },
	{ NULL, NULL, NULL, { NULL }, NULL, { { NULL, WIRE_JSON, NULL, false } }, NULL },
};

const struct agent *
agent_find(const char *name)
{
	for (const struct agent *a = agents; a->name != NULL; a++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}

void
places_release(struct places *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->paths[i]);
	free(p->paths);
	*p = (struct places){ NULL, 0, 0 };
}

void
places_add(struct places *p, const char *path)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->paths[i], path) == 0)
			return;
	xgrow(&p->paths, &p->cap, p->n + 1, sizeof(*p->paths));
	p->paths[p->n++] = xstrdup(path);
}

/*
 * Appends a place with its variables and ~ replaced, and what they stand for hidden from glob(3).
 * false: a variable is not set and has no default.
 */
static bool
expand(const char *s, size_t len, struct buf *out)
{
	const char *end = s + len, *value = NULL, *close, *colon;
	size_t name_len;
	char name[64];
	int depth = 0;

	if (len > 1 && s[0] == '$' && s[1] == '{') {
		for (close = s + 1; close < end && (*close != '}' || --depth > 0); close++)
			depth += *close == '{';
		colon = memchr(s, ':', (size_t)(close - s));
		name_len = (size_t)((colon != NULL ? colon : close) - s) - 2;
		snprintf(name, sizeof(name), "%.*s", (int)name_len, s + 2);
		value = getenv(name);
		if (value == NULL || *value != '/') {
			if (colon == NULL ||
			    !expand(colon + 2, (size_t)(close - colon) - 2, out))
				return false;
			value = "";
		}
		s = close + 1;
	} else if (len > 0 && s[0] == '~') {
		if ((value = getenv("HOME")) == NULL || *value != '/')
			return false;
		s++;
	}
	for (; value != NULL && *value != '\0'; value++) {
		if (strchr("*?[\\", *value) != NULL)
			buf_addc(out, '\\');
		buf_addc(out, *value);
	}
	buf_add(out, s, (size_t)(end - s));
	return true;
}

/* Adds what there is for the pattern; missing: or else what it names, if it has no *. */
static size_t
match(const char *pattern, bool missing, struct places *out)
{
	bool any = false;
	struct buf name;
	glob_t g;
	size_t n = 0;

	if (glob(pattern, 0, NULL, &g) == 0) {
		for (; n < g.gl_pathc; n++)
			places_add(out, g.gl_pathv[n]);
		globfree(&g);
	} else if (missing) {
		buf_init(&name, conf_caps.output_bytes);
		for (; *pattern != '\0'; pattern++) {
			any |= *pattern == '*';
			pattern += *pattern == '\\';
			buf_addc(&name, *pattern);
		}
		if (!any)
			places_add(out, name.data);
		n = !any;
		buf_release(&name);
	}
	return n;
}

/*
 * Adds the first alternative of a place that is there. missing: else the last one that can be
 * named, when it holds no *. below: where a place that does not begin a path lies.
 */
static void
find_place(const char *place, const char *below, bool missing, struct places *out)
{
	struct buf b;
	bool last;

	buf_init(&b, conf_caps.output_bytes);
	for (const char *end; *place != '\0'; place = last ? end : end + 1) {
		end = place + strcspn(place, "|");
		last = *end == '\0';
		buf_reset(&b);
		if (below != NULL && strchr("$~/", *place) == NULL) {
			for (const char *p = below; *p != '\0'; p++)
				buf_addf(&b, strchr("*?[\\", *p) != NULL ? "\\%c" : "%c", *p);
			buf_addc(&b, '/');
		}
		if (expand(place, (size_t)(end - place), &b) && match(b.data, missing && last, out))
			break;
	}
	buf_release(&b);
}

void
agent_homes(const struct agent *a, struct places *out)
{
	find_place(a->home, NULL, false, out);
}

static void
in_homes(const struct agent *a, const char *place, bool missing, struct places *out)
{
	struct places homes = { NULL, 0, 0 };

	agent_homes(a, &homes);
	if (strchr("$~/", *place) != NULL) {
		if (homes.n > 0 || !missing)
			find_place(place, NULL, missing, out);
	} else {
		for (size_t i = 0; i < homes.n; i++)
			find_place(place, homes.paths[i], missing, out);
	}
	places_release(&homes);
}

/* Adds the databases of the projects that a list names. What it does not name is not looked for. */
static void
add_listed(const char *list, struct places *out)
{
	struct arena a = ARENA_INIT;
	struct err ignored = ERR_INIT;
	const struct json *v, *all;
	struct ndjson *in;
	const char *text, *dir;
	size_t len;

	if (ndjson_open(list, 0, &in, &ignored) != 0)
		return;
	if (ndjson_rest(in, conf_caps.line_bytes, &text, &len, &ignored) == 0 &&
	    json_parse(text, len, &a, &v, NULL) == 0 && (all = json_get(v, "projects")) != NULL &&
	    all->kind == JSON_ARRAY)
		for (size_t i = 0; i < all->len; i++)
			if ((dir = json_get_string(&all->u.items[i], "data_dir", NULL)) != NULL &&
			    access((dir = arena_printf(&a, "%s/crush.db", dir)), F_OK) == 0)
				places_add(out, dir);
	ndjson_close(in);
	arena_release(&a);
}

void
agent_histories(const struct agent *a, struct places *out)
{
	struct places lists = { NULL, 0, 0 };

	for (size_t i = 0; i < NELEM(a->histories) && a->histories[i] != NULL; i++) {
		const char *place = a->histories[i];

		in_homes(a, place + (*place == '@'), false, *place == '@' ? &lists : out);
	}
	for (size_t i = 0; i < lists.n; i++)
		add_listed(lists.paths[i], out);
	places_release(&lists);
}

void
agent_files(const struct agent *a, const struct wire *w, struct places *out)
{
	in_homes(a, w->file, true, out);
}

static void
add_variables(const char *place, struct places *out)
{
	struct buf b;

	buf_init(&b, conf_caps.output_bytes);
	while (place != NULL && (place = strstr(place, "${")) != NULL) {
		size_t n = strcspn(place += 2, ":}");
		const char *value;

		buf_reset(&b);
		buf_add(&b, place, n);
		if ((value = getenv(b.data)) != NULL && *value == '/') {
			buf_addf(&b, "=%s", value);
			places_add(out, b.data);
		}
	}
	buf_release(&b);
}

void
agent_variables(struct places *out)
{
	for (const struct agent *a = agents; a->name != NULL; a++) {
		add_variables(a->home, out);
		for (size_t i = 0; i < NELEM(a->histories); i++)
			add_variables(a->histories[i], out);
	}
}
