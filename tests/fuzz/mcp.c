/*
 * mcp: any bytes as what a client says to mem-mcp. Each answer is a message of the protocol, on a
 * line of its own.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/utf8.h"
#include "json/json.h"
#include "mcp/memory.h"

static int
on_message(void *arg, const char *line, size_t len)
{
	struct arena a = ARENA_INIT;
	struct err err = ERR_INIT;
	const struct json *v;

	(void)arg;
	PROMISE(len > 1 && memchr(line, '\n', len) == line + len - 1);
	PROMISE(json_parse(line, len - 1, &a, &v, &err) == 0);
	PROMISE(v->kind == JSON_ARRAY ||
	    strcmp(json_get_string(v, "jsonrpc", NULL), "2.0") == 0);
	arena_release(&a);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory m = { .program = "mem-mcp", .who = { "default", "", "", "" } };
	struct mcp_fn fn = { memory_tools, memory_prompts, memory_list, memory_read, memory_root,
		NULL, on_message, &m };
	struct err err = ERR_INIT;
	int fd, rc;

	setenv("MEM_MODEL", "none", 1);
	file_of("fuzz-in", data, size);
	if ((fd = open("fuzz-in", O_RDONLY)) < 0 || dup2(fd, STDIN_FILENO) != STDIN_FILENO)
		abort();
	close(fd);
	rc = mcp_serve(&fn, &err);
	PROMISE(rc == 0 || *err.msg != '\0');
	PROMISE(err.code != ERR_BUG);
	memory_close(&m);
	remove("fuzz-in");
	return 0;
}
