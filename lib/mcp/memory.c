/*
 * memory.c: one handle at a time. It begins as one for reading, which never migrates a store, and
 * is opened again for writing when something is first to be stored.
 */
#include "mcp/memory.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/conf.h"
#include "base/off.h"
#include "base/project.h"
#include "context/excerpt.h"
#include "facts/subject.h"
#include "mcp/memory_parts.h"
#include "records/project_name.h"
#include "records/resumed.h"

/*
 * A search keeps what it found out when it was opened, as which model the vectors of facts are of.
 * Other programs may change that, so it does not get older than this.
 */
#define ANSWER_LASTS_US (60 * (int64_t)1000000)
#define PATH_BYTES      4096

static void
close_answer(struct memory *m)
{
	answer_close(m->answer);
	m->answer = NULL;
}

void
memory_close(struct memory *m)
{
	close_answer(m);
	store_close(m->store);
	m->store = NULL;
}

/* Notes which file the path names, and returns whether it is another one than before. */
static bool
note_file(struct memory *m)
{
	struct stat st = { .st_ino = 0 };
	uint64_t device = m->device, inode = m->inode;

	if (!store_is_file(conf_db()))
		return false;
	if (stat(conf_db(), &st) != 0)
		return true;
	m->device = (uint64_t)st.st_dev;
	m->inode = (uint64_t)st.st_ino;
	return m->device != device || m->inode != inode;
}

/* The directory that the client works in, which it told or is this process's; NULL: not known. */
static const char *
directory(const struct memory *m, char here[PATH_BYTES])
{
	return m->root != NULL ? m->root : getcwd(here, PATH_BYTES);
}

/* Why nothing is to be remembered or told where the client works. */
static const char *
why_off(const struct memory *m)
{
	char here[PATH_BYTES];
	const char *dir = directory(m, here), *off = off_why(dir != NULL ? dir : "");

	return off != NULL || m->who.project == NULL ? off : off_why(m->who.project);
}

int
memory_open(struct memory *m, bool for_writing, struct err *err)
{
	const char *off = why_off(m);

	if (off != NULL) {
		memory_close(m);
		return err_set(err, ERR_CONFIG, "%s", off);
	}
	if (m->store != NULL && (note_file(m) || (for_writing && !m->writes)))
		memory_close(m);
	if (clock_mono_us() - m->opened_us > ANSWER_LASTS_US)
		close_answer(m);
	if (m->store != NULL)
		return 0;
	m->writes = for_writing;
	if (store_open(conf_db(), for_writing ? STORE_CREATE : STORE_READ, &m->store, err) != 0) {
		if (err->code != ERR_NOINPUT || for_writing)
			return -1;
		err_clear(err);
		return 0;
	}
	note_file(m);
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

int
memory_scope(struct memory *m, const struct json *args, struct arena *a, struct scope *out,
	struct err *err)
{
	*out = m->who;
	if (memory_text(args, "session") != NULL)
		out->session = memory_text(args, "session");
	if (memory_open(m, false, err) != 0)
		return -1;
	const char *project = memory_text(args, "project");
	if (project == NULL)
		return 0;
	if (project_find(m->store, &m->who, project, a, &out->project, err) != 0)
		return -1;
	const char *off = off_why(out->project);
	return off != NULL ? err_set(err, ERR_CONFIG, "%s", off) : 0;
}

/* The project of the client's directory; "": none. */
static const char *
project_here(const struct memory *m, struct arena *a)
{
	const char *home = getenv("HOME"), *out, *dir;
	char here[PATH_BYTES];

	if ((dir = directory(m, here)) == NULL)
		return "";
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	project_of(dir, &b);
	out = strcmp(b.data, "/") == 0 || (home != NULL && strcmp(b.data, home) == 0)
	    ? "" : arena_strndup(a, b.data, b.len);
	return out;
}

int
memory_here(struct memory *m, const struct json *args, struct arena *a, struct scope *who,
	struct err *err)
{
	if (memory_scope(m, args, a, who, err) != 0)
		return -1;
	if (memory_text(args, "project") == NULL && (who->project == NULL || *who->project == '\0'))
		who->project = project_here(m, a);
	return 0;
}

int
memory_to_resume(struct memory *m, const struct json *args, struct arena *a,
	const struct session **out, struct err *err)
{
	struct scope all, here;
	size_t n = 1;

	*out = NULL;
	if (memory_scope(m, args, a, &all, err) != 0 || memory_here(m, args, a, &here, err) != 0)
		return -1;
	return m->store == NULL ? 0
	    : sessions_to_resume(m->store, &all, here.project, out, &n, a, err);
}

/* ---- blocks ---- */

const struct message *
memory_known(const struct fact *f, const struct decided *d, const char *name, struct arena *a)
{
	const char *shown = fact_shown(f, a);

	if (d != NULL)
		shown = decided_text(d, shown, a);
	const struct message m = { .session = f->head.session,
		.role = ROLE_ASSISTANT,
		.name = name,
		.content = shown,
		.content_len = strlen(shown),
		.source_id = f->head.source_id,
		.project = f->head.project,
		.time_us = f->head.time_us,
		.trust = f->head.trust };
	struct message *copy = context_keep(&m, a);

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
	{ "blame", blame_tool },
	{ "how", how_tool },
	{ "fix", fix_tool },
	{ "forget", forget_tool },
	{ "distil", distil_tool },
	{ NULL, NULL }
};

const struct mcp_prompt memory_prompts[] = {
	{ "recall", recall_as_prompt },
	{ "handoff", handoff_prompt },
	{ "distil", distil_prompt },
	{ NULL, NULL }
};
