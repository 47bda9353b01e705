/*
 * work_tools.c: blame, how and fix: what mem-search --file, --command and --error find, as a block
 * of items, each the lines about one session, command or error.
 */
#include "base/conf.h"
#include "base/off.h"
#include "mcp/memory_parts.h"
#include "records/filter.h"
#include "work/work.h"

#define LIMIT  5
#define BUDGET 1000

static int
read_want(struct memory *m, const struct mcp_call *call, enum work_kind kind,
	const char *key, struct work_want *w, struct err *err)
{
	const struct filter_words words = { .since = memory_text(call->args, "since"),
		.until = memory_text(call->args, "until") };
	struct message_filter f;

	if (filter_parse(&words, clock_now_us(), &f, err) != 0)
		return -1;
	*w = (struct work_want){ .kind = kind,
		.text = memory_text(call->args, key),
		.dir = "",
		.since_us = f.since_us,
		.until_us = f.until_us,
		.limit = (size_t)memory_int(call->args, "limit", LIMIT) };
	return memory_scope(m, call->args, call->arena, &w->who, err);
}

/* The lines about it as the message of a block. */
static const struct message *
as_message(const struct work *w, struct arena *a)
{
	static const char *const names[] = { [WORK_FILE] = "file", [WORK_COMMAND] = "command",
		[WORK_ERROR] = "error" };
	struct message m = { .session = w->session,
		.role = ROLE_TOOL,
		.name = names[w->kind],
		.source_id = "",
		.project = w->project,
		.time_us = w->time_us,
		.trust = w->trust };

	LOCAL(buf) lines = buf_of(conf_caps.output_bytes);
	work_lines(&lines, w);
	m.content = lines.data;
	m.content_len = lines.len;
	struct message *copy = context_keep(&m, a);
	memcpy(copy->id, w->id, sizeof(copy->id));
	return copy;
}

static void
write_result(const struct mcp_call *call, struct context *c, const struct scope *who,
	const struct work *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		memory_add(c, as_message(&items[i], call->arena));
	memory_block(c, "Nothing was found.\n", call->text);
	memory_record(c, call->structured);
	json_array_open(call->structured, "work");
	for (size_t i = 0; i < n; i++) {
		if (off_why(items[i].project) != NULL)
			continue;
		json_next(call->structured);
		work_record(call->structured, who->user, &items[i], i + 1);
	}
	json_array_close(call->structured);
	json_close(call->structured);
}

static int
find(struct memory *m, const struct mcp_call *call, enum work_kind kind, const char *key,
	struct err *err)
{
	const struct context_limits limits = { .budget = (uint64_t)memory_int(call->args,
		"budget", BUDGET), .twins = true, .as_added = true, .ids = true };
	const struct work *items = NULL;
	struct work_want want;
	LOCAL(context) c;
	size_t n = 0;

	context_init(&c, &limits);
	int rc = read_want(m, call, kind, key, &want, err);
	if (rc == 0 && m->store != NULL)
		rc = work_find(m->store, &want, call->arena, &items, &n, err);
	if (rc == 0)
		write_result(call, &c, &want.who, items, n);
	return rc;
}

int
blame_tool(void *arg, const struct mcp_call *call, struct err *err)
{
	return find(arg, call, WORK_FILE, "path", err);
}

int
how_tool(void *arg, const struct mcp_call *call, struct err *err)
{
	return find(arg, call, WORK_COMMAND, "command", err);
}

int
fix_tool(void *arg, const struct mcp_call *call, struct err *err)
{
	return find(arg, call, WORK_ERROR, "error", err);
}
