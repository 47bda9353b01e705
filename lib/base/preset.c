/*
 * preset.c: the rows, from the commands' own documentation. An older program that does not know an
 * option says so and ends; nothing is asked then, and its words are told.
 */
#include "base/preset.h"

#include <string.h>

#include "base/conf.h"
#include "base/spawn.h"

/* An empty list of tools, no servers, no skills; its own login and settings stay. */
static const char claude[] =
	"exec claude -p --output-format json --model \"$1\" ${2:+--system-prompt \"$2\"} "
	"--tools '' --strict-mcp-config --disable-slash-commands "
	"--settings '{\"disableAllHooks\":true}' --no-session-persistence";

static const char codex[] =
	"exec codex exec --json --ephemeral --skip-git-repo-check --sandbox read-only "
	"--color never ${1:+-m \"$1\"} -c 'mcp_servers={}' -c features.hooks=false "
	"-c features.shell_tool=false -c 'web_search=\"disabled\"' -c project_doc_max_bytes=0 "
	"-c 'model_reasoning_effort=\"low\"' -";

/* What to do can replace its own long one only as a file. */
static const char gemini[] =
	"GEMINI_CLI_TRUST_WORKSPACE=true; export GEMINI_CLI_TRUST_WORKSPACE; "
	"trap 'rm -f -- \"$4\"' EXIT; if [ -n \"$2\" ]; then umask 077; "
	"printf '%s' \"$2\" >\"$4\" || exit; GEMINI_SYSTEM_MD=$4; export GEMINI_SYSTEM_MD; fi; "
	"gemini --output-format json --model \"$1\" --extensions none "
	"--allowed-mcp-server-names none";

static const char llm[] =
	"exec llm prompt --no-log --no-stream ${1:+-m \"$1\"} ${2:+--system \"$2\"}";

static const char ollama[] = "exec ollama run --hidethinking --nowordwrap \"$1\"";

static const struct preset rows[] = {
	{ "claude", "haiku", false, false, "claude", claude },
	{ "codex", "", false, true, "codex", codex },
	{ "gemini", "flash-lite", false, false, "gemini", gemini },
	{ "llm", "", false, false, "text", llm },
	{ "ollama", "", true, true, "text", ollama },
};

const struct preset *
preset_named(const char *name)
{
	for (size_t i = 0; i < NELEM(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

const struct preset *
preset_set(void)
{
	return conf_origin("chat_url", NULL) == CONF_OPTION
	    ? NULL
	    : preset_named(conf_text("llm_command"));
}

const struct preset *
preset_at_hand(void)
{
	for (size_t i = 0; i < NELEM(rows); i++)
		if (spawn_has(rows[i].name))
			return &rows[i];
	return NULL;
}

const char *
preset_model(void)
{
	const struct preset *p = preset_set();

	return *conf_text("chat_model") == '\0' && p != NULL ? p->model : conf_text("chat_model");
}
