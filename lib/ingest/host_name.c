/*
 * host_name.c: most programs write a format of their own. Some took over another's, and lie in a
 * directory by which they are told apart.
 */
#include "ingest/host_name.h"

#include "base/base.h"

static const char *const own[] = { "aider", "antigravity", "chatgpt", "claude", "claude-code",
	"cline", "codex", "continue", "copilot", "copilot-cli", "crush", "cursor", "deepseek",
	"droid", "dsh", "gemini", "goose", "grok", "grok-build", "hermes", "kimi", "kiro", "llm",
	"opencode", "openhands", "openwebui", "pi", "qwen", "zed" };

static const struct { const char *format, *directory, *host; } places[] = {
	{ "claude-code", "/.iflow/", "iflow" }, { "cline", "/rooveterinaryinc.roo-cline/", "roo" },
	{ "cline", "/kilocode.kilo-code/", "kilo" }, { "pi", "/.factory/", "droid" },
	{ "pi", "/.omp/", "omp" }, { "pi", "/omp/sessions/", "omp" },
	{ "pi", "/.openclaw/", "openclaw" } };

static bool
lies_in(const char *path, const char *directory)
{
	return strstr(path, directory) != NULL ||
	    strncmp(path, directory + 1, strlen(directory + 1)) == 0;
}

const char *
host_name(const char *format, const char *path)
{
	for (size_t i = 0; i < NELEM(places); i++)
		if (strcmp(format, places[i].format) == 0 && lies_in(path, places[i].directory))
			return places[i].host;
	for (size_t i = 0; i < NELEM(own); i++)
		if (strcmp(format, own[i]) == 0)
			return own[i];
	return NULL;
}
