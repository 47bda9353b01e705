/* resume.c: where each is documented is said in mem-resume(1). */
#include "setup/resume.h"

#include "base/ascii.h"
#include "gen/agents_rows.h"

/*
 * words: of the command, with the session behind them; joined: within the last one. begin: of the
 * one that starts with a first prompt, which stands behind them
 */
static const struct {
	const char *host, *words[4];
	bool joined;
	const char *begin[4];
} commands[] = { AGENTS_COMMANDS };

/* An id that no shell and no reader of options takes for anything else. */
static bool
is_plain(const char *id)
{
	if (!ascii_is_alnum(*id))
		return false;
	while (ascii_is_alnum(*id) || *id == '-' || *id == '_' || *id == '.')
		id++;
	return *id == '\0';
}

bool
resume_words(const char *host, const char *session, struct arena *a, const char *argv[RESUME_WORDS])
{
	const char *id = arena_strndup(a, session, strcspn(session, ":"));
	size_t n = 0;

	for (size_t i = 0; i < NELEM(commands); i++) {
		if (strcmp(commands[i].host, host) != 0 || !is_plain(id))
			continue;
		for (; n < NELEM(commands[i].words) && commands[i].words[n] != NULL; n++)
			argv[n] = commands[i].words[n];
		if (commands[i].joined)
			argv[n - 1] = arena_printf(a, "%s%s", argv[n - 1], id);
		else
			argv[n++] = id;
		argv[n] = NULL;
		return true;
	}
	return false;
}

bool
resume_begin(const char *host, const char *prompt, const char *argv[RESUME_WORDS])
{
	size_t n = 0;

	for (size_t i = 0; i < NELEM(commands); i++) {
		if (strcmp(commands[i].host, host) != 0 || commands[i].begin[0] == NULL)
			continue;
		for (; n < NELEM(commands[i].begin) && commands[i].begin[n] != NULL; n++)
			argv[n] = commands[i].begin[n];
		argv[n++] = prompt;
		argv[n] = NULL;
		return true;
	}
	return false;
}

void
resume_hosts(struct buf *out)
{
	for (size_t i = 0; i < NELEM(commands); i++)
		if (commands[i].begin[0] != NULL)
			buf_addf(out, "%s\n", commands[i].host);
}
