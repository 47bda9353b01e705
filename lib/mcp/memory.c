/*
 * memory.c: one handle at a time. It begins as one for reading, which never migrates a store, and
 * is opened again for writing when something is first to be stored.
 */
#include "mcp/memory.h"

#include <sys/stat.h>

#include "base/conf.h"
#include "context/excerpt.h"
#include "mcp/memory_parts.h"

static void
close_store(struct memory *m)
{
	answer_close(m->answer);
	m->answer = NULL;
	store_close(m->store);
	m->store = NULL;
}

void
memory_close(struct memory *m)
{
	close_store(m);
}

/* Whether the file of the path is another one than that which is open. */
static bool
is_another(struct memory *m)
{
	struct stat st;
	bool another;

	if (stat(conf_db(), &st) != 0)
		return true;
	another = (uint64_t)st.st_dev != m->device || (uint64_t)st.st_ino != m->inode;
	m->device = (uint64_t)st.st_dev;
	m->inode = (uint64_t)st.st_ino;
	return another;
}

int
memory_open(struct memory *m, bool for_writing, struct err *err)
{
	if (m->store != NULL && (is_another(m) || (for_writing && !m->writes)))
		close_store(m);
	if (m->store != NULL)
		return 0;
	m->writes = for_writing;
	if (store_open(conf_db(), for_writing ? STORE_CREATE : STORE_READ, &m->store, err) != 0) {
		if (err->code != ERR_NOINPUT || for_writing)
			return -1;
		err_clear(err);
		return 0;
	}
	is_another(m);
	return 0;
}

/* ---- arguments ---- */

const char *
memory_text(const struct json *args, const char *key)
{
	return json_get_string(args, key, NULL);
}

int64_t
memory_int(const struct json *args, const char *key, int64_t otherwise)
{
	return (int64_t)json_get_number(args, key, (double)otherwise);
}

struct scope
memory_scope(const struct memory *m, const struct json *args)
{
	struct scope who = m->who;

	if (memory_text(args, "project") != NULL)
		who.project = memory_text(args, "project");
	if (memory_text(args, "session") != NULL)
		who.session = memory_text(args, "session");
	return who;
}

/* ---- blocks ---- */

const struct message *
memory_keep(const struct message *m, struct arena *a)
{
	struct message *copy = arena_alloc(a, sizeof(*copy));

	*copy = *m;
	copy->session = arena_strdup(a, m->session);
	copy->name = arena_strdup(a, m->name);
	copy->content = arena_strndup(a, m->content, m->content_len);
	copy->source_id = arena_strdup(a, m->source_id);
	copy->agent = copy->project = copy->tool_calls = copy->tool_call_id = copy->extra = "";
	return copy;
}

const struct message *
memory_known(const struct fact *f, const char *name, struct arena *a)
{
	const struct message m = { .session = f->head.session,
		.role = ROLE_ASSISTANT,
		.name = name,
		.content = f->head.content,
		.content_len = f->head.content_len,
		.source_id = f->head.source_id,
		.time_us = f->head.time_us,
		.trust = f->head.trust };
	struct message *copy = (struct message *)memory_keep(&m, a);

	memcpy(copy->id, f->head.id, sizeof(copy->id));
	return copy;
}

enum context_did
memory_add(struct context *c, const struct message *m)
{
	struct context_piece p = { m, 0, m->content_len, false, false };
	enum context_did did = context_add(c, &p, UINT64_MAX);

	if (did == CONTEXT_FULL) {
		struct excerpt part = excerpt_opening(m);
		p.start = part.start;
		p.len = part.len;
		p.code = part.code;
		did = context_add(c, &p, UINT64_MAX);
	}
	return did;
}

void
memory_block(struct context *c, const char *if_empty, struct buf *text)
{
	size_t before = text->len;

	context_print(c, text);
	if (text->len == before)
		buf_adds(text, if_empty);
}

void
memory_record(struct context *c, struct buf *out)
{
	context_record(c, out);
	out->len -= strlen("}\n");
	out->data[out->len] = '\0';
}

const struct mcp_tool memory_tools[] = {
	{ "recall", recall_tool },
	{ "timeline", timeline_tool },
	{ "remember", remember_tool },
	{ "facts", facts_tool },
	{ "forget", forget_tool },
	{ NULL, NULL }
};

const struct mcp_prompt memory_prompts[] = {
	{ "recall", recall_prompt },
	{ "handoff", handoff_prompt },
	{ NULL, NULL }
};
