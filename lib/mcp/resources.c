/*
 * resources.c: sessions and summaries by name, newest first, and the prompt that hands a session
 * over. A cursor is the kind and how many of it came before: "session:100".
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/conf.h"
#include "base/off.h"
#include "context/context_text.h"
#include "context/history.h"
#include "hook/open_todo.h"
#include "mcp/memory_parts.h"
#include "records/list.h"
#include "records/title.h"

#define SESSION        "mem://session/"
#define SUMMARY        "mem://summary/"
#define PAGE           100
#define READ_TOKENS    20000
#define HANDOFF_TOKENS 3000
#define OPEN_TOKENS    600                 /* of the hand-over: what is to be done, and decided */
#define NAME_BYTES     100

/* ---- names ---- */

/* Writes a name into a URI: all but letters, digits and -._~ as %XX (RFC 3986). */
static void
write_escaped(struct buf *b, const char *name)
{
	for (; *name != '\0'; name++)
		if (ascii_is_alnum(*name) || strchr("-._~", *name) != NULL)
			buf_addc(b, *name);
		else
			buf_addf(b, "%%%02X", (unsigned)(unsigned char)*name);
}

/* The name in the rest of a URI; NULL: an escape is wrong. */
static const char *
read_escaped(const char *p, struct arena *a)
{
	char *out = arena_alloc(a, strlen(p) + 1), *to = out;
	unsigned byte;
	int n;

	for (; *p != '\0'; p++) {
		if (*p != '%') {
			*to++ = *p;
			continue;
		}
		if (sscanf(p, "%%%2x%n", &byte, &n) != 1 || n != 3 || byte == 0)
			return NULL;
		*to++ = (char)byte;
		p += 2;
	}
	*to = '\0';
	return out;
}

/* Keeps the directory that a root names: "file:///srv/shop". */
void
memory_root(void *arg, const char *uri)
{
	struct memory *m = arg;
	LOCAL(arena) a = ARENA_INIT;
	const char *path = strncmp(uri, "file://", 7) == 0 ? strchr(uri + 7, '/') : NULL;

	if (path != NULL && (path = read_escaped(path, &a)) != NULL) {
		free(m->root);
		m->root = xstrdup(path);
	}
}

/* ---- the list ---- */

struct page {
	struct memory *m;
	struct buf *items, scratch, line;
	int64_t n_seen, first, n;
	bool more;
};

/* Whether the record at hand, of a project, is on the page; counts it where memory is on there. */
static bool
is_on_page(struct page *p, const char *project)
{
	if (off_why(project) != NULL || p->n_seen++ < p->first)
		return false;
	p->more = p->n == PAGE;
	p->n += !p->more;
	return !p->more;
}

static void
write_item(struct page *p, const char *base, const char *name, const char *title,
	const char *description)
{
	struct buf *b = p->items;

	json_object_open(b, NULL);
	buf_reset(&p->scratch);
	buf_adds(&p->scratch, base);
	write_escaped(&p->scratch, name);
	json_str(b, "uri", p->scratch.data);
	buf_reset(&p->line);
	context_clean(&p->line, title, MIN(strlen(title), (size_t)NAME_BYTES), CONTEXT_ONE_LINE,
	    &p->scratch);
	json_str(b, "name", name);
	json_str(b, "title", p->line.len > 0 ? p->line.data : "session");
	json_str(b, "description", description);
	json_str(b, "mimeType", "text/plain");
	json_close(b);
}

/* What a session is called; its name where that cannot be read. */
static const char *
title_of(struct page *p, const struct session *v, struct arena *a)
{
	const char *title;

	return session_title(p->m->store, &p->m->who, v, a, &title, NULL) == 0 ? title : v->id;
}

static int
put_session(void *arg, const struct session *v)
{
	struct page *p = arg;
	LOCAL(arena) a = ARENA_INIT;
	char day[TIME_TEXT], text[100];

	if (!is_on_page(p, v->project))
		return p->more;
	snprintf(text, sizeof(text), "a session of %lld message%s, the last of %s",
	    (long long)v->n_messages, PLURAL(v->n_messages),
	    v->updated_us != TIME_NONE ? time_format_day(v->updated_us, day) : "an unknown day");
	write_item(p, SESSION, v->id, title_of(p, v, &a), text);
	return 0;
}

static int
put_summary(void *arg, const struct fact *f)
{
	struct page *p = arg;
	LOCAL(arena) a = ARENA_INIT;
	const struct session *of = NULL;
	char day[TIME_TEXT], text[100];

	if (!is_on_page(p, f->head.project))
		return p->more;
	if (*f->head.session != '\0')
		sessions_find(p->m->store, &p->m->who, f->head.session, &a, &of, NULL);
	snprintf(text, sizeof(text), "a summary of %s", f->head.time_us != TIME_NONE
		? time_format_day(f->head.time_us, day) : "an unknown day");
	write_item(p, SUMMARY, f->head.id, of != NULL ? title_of(p, of, &a) : f->head.id, text);
	return 0;
}

static int
list_kind(struct page *p, enum list_what what, struct err *err)
{
	const struct list_fn fn = { .session = put_session, .record = put_summary, .arg = p };
	const struct message_filter any = MESSAGE_FILTER_ANY;
	const struct record_filter summaries = RECORD_FILTER_ANY(RECORD_SUMMARY);
	struct list_want want = { what, any, summaries };

	want.filter.newest_first = true;
	return list_walk(p->m->store, &p->m->who, &want, &fn, err) < 0 ? -1 : 0;
}

int
memory_list(void *arg, const char *cursor, struct buf *items, struct buf *next, struct err *err)
{
	struct page p = { .m = arg, .items = items };
	bool summaries = cursor != NULL && strncmp(cursor, "summary:", 8) == 0;
	char end = '\0';
	int rc = 0;

	if (cursor != NULL &&
	    (sscanf(cursor, summaries ? "summary:%15lld%c" : "session:%15lld%c",
		 (long long *)&p.first, &end) != 1 || p.first < 0))
		return err_set(err, ERR_DATA, "there is no such cursor");
	if (memory_open(arg, false, err) != 0 || p.m->store == NULL)
		return p.m->store == NULL && err->code == 0 ? 0 : -1;
	buf_init(&p.scratch, conf_caps.output_bytes);
	buf_init(&p.line, conf_caps.output_bytes);
	if (!summaries) {
		rc = list_kind(&p, LIST_SESSIONS, err);
		if (rc == 0 && p.more)
			buf_addf(next, "session:%lld", (long long)(p.first + p.n));
	}
	if (rc == 0 && !p.more) {
		p.first = summaries ? p.first : 0;
		p.n_seen = 0;
		int64_t before = p.n;
		rc = list_kind(&p, LIST_SUMMARIES, err);
		if (rc == 0 && p.more)
			buf_addf(next, "summary:%lld", (long long)(p.first + p.n - before));
	}
	buf_release(&p.scratch);
	buf_release(&p.line);
	return rc;
}

/* ---- one of them ---- */

struct reading {
	struct context *c;
	struct arena *a;
	bool full;
	/* of what is open: the memory, and what finds where a todo was closed */
	struct memory *m;
	struct search *search;
	struct index *index;               /* what finds what was said later of a decision */
	struct err *err;
};

static int
add_turn(void *arg, const struct message *m)
{
	struct reading *r = arg;

	if (m->role != ROLE_SYSTEM)
		r->full = memory_add(r->c, context_keep(m, r->a)) == CONTEXT_FULL;
	return r->full;
}

static int
read_session(struct memory *m, const char *name, struct context *c, struct arena *a,
	struct err *err)
{
	const struct message_filter all = MESSAGE_FILTER_ANY;
	struct reading r = { .c = c, .a = a };
	struct scope in = m->who;
	const struct session *v;

	if (sessions_find(m->store, &m->who, name, a, &v, err) != 0)
		return -1;
	if (v == NULL)
		return err_set(err, ERR_NOINPUT, "there is no session '%.200s'", name);
	in.session = v->id;
	return messages_each(m->store, &in, &all, add_turn, &r, err) < 0 ? -1 : 0;
}

static int
read_summary(struct memory *m, const char *id, struct context *c, struct arena *a, struct err *err)
{
	const struct fact *f;

	if (records_find(m->store, &m->who, id, a, &f, err) != 0)
		return -1;
	if (f == NULL || f->head.type != RECORD_SUMMARY)
		return err_set(err, ERR_NOINPUT, "there is no summary '%.200s'", id);
	memory_add(c, memory_known(f, NULL, "summary", a));
	return 0;
}

int
memory_read(void *arg, const char *uri, struct buf *text, struct arena *a, struct err *err)
{
	struct memory *m = arg;
	const struct context_limits limits = { .budget = READ_TOKENS, .twins = true };
	bool summary = strncmp(uri, SUMMARY, strlen(SUMMARY)) == 0;
	const char *name = NULL;
	LOCAL(context) c = { 0 };

	if (summary || strncmp(uri, SESSION, strlen(SESSION)) == 0)
		name = read_escaped(uri + strlen(SESSION), a);
	if (memory_open(m, false, err) != 0)
		return -1;
	if (name == NULL || *name == '\0' || m->store == NULL)
		return err_set(err, ERR_NOINPUT, "there is no resource '%.200s'", uri);
	context_init(&c, &limits);
	int rc = summary ? read_summary(m, name, &c, a, err) : read_session(m, name, &c, a, err);
	if (rc == 0)
		memory_block(&c, "", text);
	if (rc == 0 && c.truncated)
		buf_adds(text, "The session goes on; timeline shows what is around a turn.\n");
	return rc;
}

/* ---- the hand-over ---- */

static int
add_open(void *arg, const struct fact *f)
{
	struct reading *r = arg;
	enum todo_state state = TODO_OPEN;
	struct decided d;
	bool open = f->kind == FACT_TODO || f->kind == FACT_DECISION;

	if (f->kind == FACT_TODO
		? todo_ended(f)
		: f->valid_to_us != TIME_NONE && f->valid_to_us <= clock_now_us())
		return 0;
	if ((f->kind == FACT_TODO &&
	     open_todo(r->m->store, &r->search, &r->m->who, f, &state, NULL, r->err) != 0) ||
	    decided_read(r->m->store, &r->index, &r->m->who, f, r->a, &d, r->err) != 0)
		return -1;
	r->full = open && state == TODO_OPEN &&
	    memory_add(r->c, memory_known(f, &d, fact_kind_names[f->kind], r->a)) ==
	    CONTEXT_FULL;
	return r->full;
}

/* Names the session that is told in who, and in in that of which project what is open is told. */
static int
choose(struct memory *m, const struct json *args, struct scope *who, struct scope *in,
	struct buf *text, struct arena *a, struct err *err)
{
	bool named = who->session != NULL && *who->session != '\0';
	const struct session *v = NULL;
	struct scope here = *who;

	if (!named && (memory_here(m, args, a, &here, err) != 0 ||
		memory_to_resume(m, args, a, &v, err) != 0))
		return -1;
	if (named && m->store != NULL &&
	    sessions_find(m->store, who, who->session, a, &v, err) != 0)
		return -1;
	if (v != NULL) {
		who->session = v->id;
		if (v->project != NULL && *v->project != '\0')
			in->project = v->project;
	}
	if (v != NULL && !named && *here.project != '\0' && strcmp(v->project, here.project) != 0)
		buf_addf(text, "Nothing is stored of %s: this is the newest session of all.\n",
		    here.project);
	return 0;
}

int
handoff_prompt(void *arg, const struct json *args, struct buf *text, struct arena *a,
	struct err *err)
{
	struct memory *m = arg;
	struct scope who, all;
	const struct message_filter any = MESSAGE_FILTER_ANY;
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);
	const struct context_limits of_turns = { .budget = HANDOFF_TOKENS,
		.sessions = true,
		.twins = true };
	const struct context_limits of_open = { .budget = OPEN_TOKENS };
	LOCAL(context) turns = { 0 }, open = { 0 };
	struct reading r = { .c = &open, .a = a, .m = m, .err = err };
	int rc = memory_scope(m, args, a, &who, err);

	if (rc != 0)
		return -1;
	all = who;
	all.session = NULL;
	if (choose(m, args, &who, &all, text, a, err) != 0)
		return -1;
	f.newest_first = true;
	f.as_of_us = clock_now_us();
	f.also = RECORDS_ENDED;
	context_init(&turns, &of_turns);
	context_init(&open, &of_open);
	if (m->store != NULL && ((who.session != NULL && history_fill(m->store, &who, &any,
		HISTORY_SUMMARY, &turns, a, err) < 0) ||
		records_each(m->store, &all, &f, add_open, &r, err) < 0))
		rc = -1;
	if (rc == 0) {
		buf_adds(text, "Go on with the work of this session. It ended like this:\n\n");
		memory_block(&turns, "Nothing was said yet.\n", text);
		if (open.n > 0)
			buf_adds(text, "\nWhat is decided, and to be done:\n\n");
		memory_block(&open, "", text);
	}
	search_close(r.search);
	index_free(r.index);
	return rc;
}
