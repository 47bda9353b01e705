/* mem-mcp: give agents the memory over the Model Context Protocol */
#include <unistd.h>

#include "cli/prog.h"
#include "mcp/memory.h"
#include "gen/programs.h"

static const char *tools;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 0, "tools", "NAMES", OPT_TEXT, &tools, NULL, 0, 0, "offer these tools only: recall,remember" },
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = { opts, PROG_MEM_MCP };

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct memory memory = { .program = prog.name };
	struct mcp_fn fn = { memory_tools, memory_prompts, memory_list, memory_read, memory_root,
		NULL, prog_put_lines, &memory };
	int i = prog_start(&prog, argc, argv);

	fn.only = tools;
	memory.who = (struct scope)PROG_SCOPE;
	if (i < argc)
		err_set(&err, ERR_USAGE, "takes no operand, not '%s'", argv[i]);
	else if (isatty(STDIN_FILENO))
		prog_note("this is a server for agents, see mem-mcp(1); Control-D ends it");
	if (err.code == 0)
		mcp_serve(&fn, &err);
	memory_close(&memory);
	free(memory.root);
	free(memory.handed);
	return prog_end(&err);
}
