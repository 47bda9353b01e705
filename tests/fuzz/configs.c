/*
 * configs: any bytes as a configuration, whose first byte picks its form. What takes our part has
 * all of it, takes nothing more the second time, and gives every byte back.
 */
#include "fuzz.h"

#include "base/conf.h"
#include "setup/edit.h"

static const char adds[] = "{\"version\": 1, "
	"\"hooks\": {\"stop\": [{\"command\": \"mem-hook c stop\"}]}, "
	"\"servers\": {\"mem\": {\"command\": \"mem-mcp\", \"args\": []}}}";
static const char tables[] = "{\"list\": [{\"command\": \"mem-hook c stop\"}], "
	"\"servers\": {\"mem\": {\"command\": \"mem-mcp\", \"args\": []}}}";
static const char entry[] = "{\"servers\": {\"mem\": {\"command\": \"mem-mcp\", \"args\": []}}}";

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct commands commands = { "/b/mem-hook", "/b/mem-mcp", { "-q", NULL } };
	enum wire_form form = size == 0 || data[0] % 3 == 0 ? WIRE_JSON
	    : data[0] % 3 == 1				    ? WIRE_TOML
							    : WIRE_YAML;
	struct arena arena = ARENA_INIT;
	struct pieces p = { NULL, 0, 0 };
	struct err err = ERR_INIT;
	struct buf with, again;
	struct edit_original was;
	char *text;
	size_t n;

	data += size > 0;
	size -= size > 0;
	text = text_of(data, size, 1);
	was = (struct edit_original){ text, size };
	buf_init(&with, conf_caps.output_bytes);
	buf_init(&again, conf_caps.output_bytes);
	PROMISE(pieces_add(&p, form == WIRE_JSON ? adds : form == WIRE_TOML ? tables : entry,
		    &commands, &arena, &err) == 0);
	if (edit_add(form, text, size, &was, &p, &with, &err) != 0) {
		PROMISE(err.code == ERR_DATA && err.msg[0] != '\0');
	} else {
		PROMISE(edit_count(form, with.data, with.len, &was, &p, &n, &err) == 0 && n == p.n);
		PROMISE(edit_add(form, with.data, with.len, &was, &p, &again, &err) == 0);
		PROMISE(again.len == with.len && memcmp(again.data, with.data, with.len) == 0);
		PROMISE(edit_remove(form, with.data, with.len, &was, &p, &again, &err) == 0);
		PROMISE(again.len == size && memcmp(again.data, text, size) == 0);
	}
	buf_release(&with);
	buf_release(&again);
	free(p.list);
	free(text);
	arena_release(&arena);
	return 0;
}
