/*
 * mem.c: the library's calls. Each is run by enter(): one call at a time in a process, with the
 * settings of its handle in use, and left in its midst where there is no memory. Such a handle is
 * spent, as any of its parts may be half done.
 */
#include "mem/mem.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "base/off.h"
#include "base/utf8.h"
#include "context/about_item.h"
#include "context/context_builder.h"
#include "facts/forget.h"
#include "facts/remember.h"
#include "hook/hook_forget.h"
#include "ingest/ingest_record.h"
#include "search/answer.h"
#include "search/ask.h"

#define PROGRAM "libmem"           /* in metrics */
/*
 * What a search found out when it was opened, such as the model of the vectors, may be changed by
 * other programs, so it does not get older than this.
 */
#define ANSWER_LASTS_US (60 * US_PER_S)
#define CANDIDATES      100        /* among which a block is chosen */

struct mem {
	struct conf *conf;
	struct store *store;
	struct answer *answer;             /* NULL: nothing was asked yet */
	struct answer_want want;
	struct answer_fn fn;
	int64_t opened_us;
	struct arena arena;                /* what the last call handed out */
	struct mem_hit *hits;              /* [n_hits] */
	size_t n_hits, cap_hits;
	bool spent;
};

/* ---- entering ---- */

static pthread_mutex_t entered = PTHREAD_MUTEX_INITIALIZER;

struct call {
	struct mem *m;
	int (*fn)(struct mem *m, void *arg, struct err *err);
	void *arg;
	struct err err;
	int rc;
};

static void
run_call(void *arg)
{
	struct call *c = arg;

	conf_use(c->m->conf);
	c->rc = c->fn(c->m, c->arg, &c->err);
}

static const struct err no_memory = { ERR_BUG, "out of memory" };

static int
tell(const struct err *err, struct mem_error *out)
{
	if (out != NULL) {
		out->code = err->code;
		snprintf(out->text, sizeof(out->text), "%s", err->msg);
	}
	return -1;
}

static int
enter(struct mem *m, int (*fn)(struct mem *m, void *arg, struct err *err), void *arg,
	struct mem_error *out)
{
	struct call c = { m, fn, arg, ERR_INIT, -1 };

	pthread_mutex_lock(&entered);
	if (m->spent || !alloc_try(run_call, &c)) {
		m->spent = true;
		c.err = no_memory;
		c.rc = -1;
	}
	conf_use(NULL);
	pthread_mutex_unlock(&entered);
	return c.rc == 0 ? 0 : tell(&c.err, out);
}

static struct scope
scope_of(void)
{
	return (struct scope){ conf_text("user"), conf_text("agent"), conf_text("project"), NULL };
}

static const char *
text_or(const char *text)
{
	return text != NULL ? text : "";
}

/* ---- opening and closing ---- */

struct opening { const char *path; const char *const *settings; };

static int
open_memory(struct mem *m, void *arg, struct err *err)
{
	const struct opening *o = arg;

	for (const char *const *s = o->settings; s != NULL && *s != NULL; s += 2)
		if (conf_set(s[0], text_or(s[1]), err) != 0)
			return -1;
	if (o->path != NULL && conf_set("db", o->path, err) != 0)
		return -1;
	return store_open(conf_db(), STORE_CREATE, &m->store, err);
}

static void
close_answer(struct mem *m)
{
	struct answer *a = m->answer;

	m->answer = NULL;
	answer_close(a);
}

static void
close_memory(void *arg)
{
	struct mem *m = arg;

	conf_use(m->conf);
	close_answer(m);
	store_close(m->store);
}

int
mem_open(const char *path, const char *const *settings, struct mem **out, struct mem_error *err)
{
	struct opening o = { path, settings };
	struct mem *m = calloc(1, sizeof(*m));
	int rc;

	*out = NULL;
	if (m == NULL)
		return tell(&no_memory, err);
	m->spent = (m->conf = conf_new()) == NULL;
	if ((rc = enter(m, open_memory, &o, err)) == 0)
		*out = m;
	else
		mem_close(m);
	return rc;
}

void
mem_close(struct mem *m)
{
	if (m == NULL)
		return;
	pthread_mutex_lock(&entered);
	alloc_try(close_memory, m);
	conf_use(NULL);
	pthread_mutex_unlock(&entered);
	arena_release(&m->arena);
	free(m->hits);
	conf_free(m->conf);
	free(m);
}

/* ---- putting ---- */

struct putting { struct mem_message *messages; size_t n; };

/* Reads a message as mem-ingest reads a record, so that it is cleaned in the same way. */
static int
read_message(struct record_reader *r, const struct mem_message *v, struct arena *a,
	struct record *out, struct err *err)
{
	struct record_rules rules = { conf_text("user"), conf_text("agent"), conf_text("project"),
		"", false, conf_bool("keep_secrets") };
	const struct json *json;
	int rc;

	LOCAL(buf) b = buf_of(conf_caps.line_bytes);
	json_open(&b);
	json_str(&b, "type", "message");
	json_str(&b, "session", text_or(v->session));
	json_str(&b, "role", text_or(v->role));
	json_str(&b, "name", text_or(v->name));
	json_str(&b, "content", text_or(v->content));
	if (v->project != NULL)
		json_str(&b, "project", v->project);
	if (v->source_id != NULL)
		json_str(&b, "source_id", v->source_id);
	json_time(&b, "time", v->time_us != 0 ? v->time_us : clock_now_us());
	json_close(&b);
	if (b.full)
		rc = err_set(err, ERR_DATA, "a message is over line_bytes (%zu bytes)", b.max);
	else if ((rc = json_parse(arena_strndup(a, b.data, b.len), b.len, a, &json, err)) == 0)
		rc = record_read(r, json, false, &rules, a, out, err);
	if (rc == 0 && text_or(v->session)[0] == '\0')
		rc = err_set(err, ERR_DATA, "a message without a session");
	if (rc == 0 && !utf8_valid(text_or(v->content), strlen(text_or(v->content))))
		rc = err_set(err, ERR_DATA, "a message whose content is no UTF-8");
	if (rc == 0 && off_why(out->message.project) != NULL)
		rc = err_set(err, ERR_CONFIG, "%s", off_why(out->message.project));
	return rc;
}

static int
put_all(struct mem *m, struct record *records, struct putting *p, struct err *err)
{
	const struct scope who = { .user = conf_text("user") };

	if (store_begin_user(m->store, who.user, err) != 0)
		return -1;
	for (size_t i = 0; i < p->n; i++) {
		struct message *v = &records[i].message;
		enum put_did did;

		if (records[i].kind != RECORD_MESSAGE)
			continue;
		v->stored_us = clock_now_us();
		if (messages_put(m->store, &who, v, &did, err) != 0)
			return store_end(m->store, -1, err);
		if (did != PUT_PRUNED)
			memcpy(p->messages[i].id, v->id, sizeof(v->id));
	}
	return store_commit(m->store, err);
}

static int
put(struct mem *m, void *arg, struct err *err)
{
	struct putting *p = arg;
	struct record_reader *r = record_reader_new();
	struct record *records;
	int rc = 0;

	arena_reset(&m->arena);
	records = arena_zalloc(&m->arena, (p->n + 1) * sizeof(*records));
	for (size_t i = 0; rc == 0 && i < p->n; i++) {
		p->messages[i].id[0] = '\0';
		rc = read_message(r, &p->messages[i], &m->arena, &records[i], err);
	}
	if (rc == 0)
		rc = put_all(m, records, p, err);
	record_reader_free(r);
	return rc;
}

int
mem_put(struct mem *m, struct mem_message *messages, size_t n, struct mem_error *err)
{
	int rc = enter(m, put, &(struct putting){ messages, n }, err);

	/* what was put before an error is taken back, so it has no id */
	for (size_t i = 0; rc != 0 && i < n; i++)
		messages[i].id[0] = '\0';
	return rc;
}

/* ---- searching ---- */

/* Adds a hit with copies of its texts, which live shorter than it. */
static void
add_hit(struct mem *m, const char *kind, const char *id, const struct mem_message *v, size_t len,
	double p)
{
	xgrow(&m->hits, &m->cap_hits, m->n_hits + 1, sizeof(*m->hits));
	m->hits[m->n_hits] = (struct mem_hit){ kind, *v, p };
	struct mem_message *to = &m->hits[m->n_hits++].message;
	memcpy(to->id, id, sizeof(to->id));
	to->session = arena_strdup(&m->arena, v->session);
	to->name = arena_strdup(&m->arena, v->name);
	to->content = arena_strndup(&m->arena, v->content, len);
	to->project = arena_strdup(&m->arena, v->project);
	to->source_id = arena_strdup(&m->arena, v->source_id);
	to->time_us = v->time_us == TIME_NONE ? 0 : v->time_us;
}

static int
put_said(void *arg, const struct search_hit *h, const struct question *asked, size_t rank,
	const struct rewritten *q, struct err *err)
{
	const struct message *v = h->message;

	(void)asked;
	(void)rank;
	(void)q;
	(void)err;
	add_hit(arg, "message", v->id, &(struct mem_message){ v->session, role_names[v->role],
	    v->name, v->content, v->project, v->source_id, v->time_us, "" }, v->content_len,
	    (double)h->p);
	return 0;
}

static void
put_known(void *arg, enum tier in, const struct tier_hit *h, size_t rank)
{
	static const char *const kinds[] = { [RECORD_FACT] = "fact",
		[RECORD_SUMMARY] = "summary", [RECORD_REFLECTION] = "reflection" };
	const struct record_head *r = &h->record->head;

	(void)in;
	(void)rank;
	add_hit(arg, kinds[r->type], r->id, &(struct mem_message){ r->session, "", "", r->content,
	    r->project, r->source_id, r->time_us, "" }, r->content_len, h->p);
}

static int
open_answer(struct mem *m, struct err *err)
{
	if (m->answer != NULL && clock_mono_us() - m->opened_us < ANSWER_LASTS_US)
		return 0;
	close_answer(m);
	m->fn = (struct answer_fn){ .said = put_said, .known = put_known, .arg = m };
	m->opened_us = clock_mono_us();
	return answer_open(m->store, &m->want, &m->fn, &m->answer, err);
}

struct asking {
	const char *question;
	size_t limit;                      /* hits, or tokens */
	const char *text;
};

static int
check_question(const struct asking *q, struct err *err)
{
	return strlen(q->question) <= conf_caps.query_bytes
	    ? 0 : err_set(err, ERR_DATA, "the question is too long");
}

static int
search(struct mem *m, void *arg, struct err *err)
{
	const struct filter_words none = { .since = NULL };
	const struct asking *a = arg;
	struct search_query *q = &m->want.query;

	m->n_hits = 0;
	arena_reset(&m->arena);
	m->want.who = scope_of();
	m->want.in = 1u << TIER_CONVERSATIONS | 1u << TIER_STORED;
	m->want.known = (struct record_filter)RECORD_FILTER_ANY(RECORD_FACT);
	m->want.program = PROGRAM;
	m->want.touch = conf_bool("touch");
	m->want.shown = a->limit;
	if (check_question(a, err) != 0 || ask_options(&m->want.who, NULL, &none, q, err) != 0)
		return -1;
	if (a->limit == 0)
		return 0;
	q->limit = (int64_t)a->limit;
	q->text = a->question;
	q->len = strlen(a->question);
	return open_answer(m, err) != 0 || answer_question(m->answer, q, NULL, err) < 0 ? -1 : 0;
}

int
mem_search(struct mem *m, const char *question, size_t limit, const struct mem_hit **hits,
	size_t *n, struct mem_error *err)
{
	struct asking a = { question, MIN(limit, 1000000), NULL };
	int rc = enter(m, search, &a, err);

	*hits = m->hits;
	*n = rc == 0 ? m->n_hits : 0;
	return rc;
}

static int
fill_context(struct mem *m, struct context_builder *g, const struct scope *who,
	const struct asking *q, struct context *c, struct err *err)
{
	return about_item(m->store, who, c, &m->arena, err) != 0 ||
	    context_builder_pinned(g, c, err) != 0 ||
	    context_builder_question(g, q->question, strlen(q->question), err) != 0 ||
	    context_builder_fill(g, c, err) != 0 ? -1 : 0;
}

static int
context(struct mem *m, void *arg, struct err *err)
{
	const struct filter_words none = { .since = NULL };
	struct asking *q = arg;
	struct scope who = scope_of();
	struct rewriter rewriter;
	struct context_builder_want want = { .who = who, .rewriter = &rewriter, .facts = true,
		.stored = &who };
	struct context_builder *g = NULL;
	LOCAL(context) c = { 0 };
	int rc = -1;

	arena_reset(&m->arena);
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	context_init(&c, &(struct context_limits){
	    .budget = MIN(q->limit, conf_caps.context_tokens), .even_off = true });
	if (rewriter_open(&rewriter, NULL, NULL, NULL, err) == 0 && check_question(q, err) == 0 &&
	    ask_options(&who, NULL, &none, &want.query, err) == 0) {
		want.query.limit = CANDIDATES;
		if (context_builder_open(m->store, &want, &g, err) == 0)
			rc = fill_context(m, g, &who, q, &c, err);
	}
	if (rc == 0) {
		context_print(&c, &b);
		q->text = arena_strndup(&m->arena, b.data, b.len);
	}
	context_builder_close(g);
	rewriter_close(&rewriter);
	return rc;
}

int
mem_context(struct mem *m, const char *question, unsigned tokens, const char **text,
	struct mem_error *err)
{
	struct asking a = { question, tokens, "" };
	int rc = enter(m, context, &a, err);

	*text = a.text;
	return rc;
}

/* ---- remembering and forgetting ---- */

struct remembering { const char *text, *key; char *id; struct err bad; };

static void
put_verdict(void *arg, const struct verdict *v, const struct fact *f)
{
	struct remembering *r = arg;

	(void)v;
	memcpy(r->id, f->head.id, sizeof(f->head.id));
}

static void
put_bad(void *arg, uint64_t line, const char *text, size_t len, const char *why)
{
	struct remembering *r = arg;

	(void)line;
	(void)text;
	(void)len;
	err_set(&r->bad, ERR_DATA, "%s", why);
}

/* Adds the text as it is: what looks like a record is a text, too. */
static int
add_text(struct remember *r, const char *text, struct err *err)
{
	if (text[strspn(text, " \t\r\n")] != '{')
		return remember_add(r, text, strlen(text), 0, err);
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	json_open(&b);
	json_str(&b, "content", text);
	json_close(&b);
	return remember_add(r, b.data, b.len, 0, err);
}

static int
remember(struct mem *m, void *arg, struct err *err)
{
	struct remembering *v = arg;
	const struct scope who = scope_of();
	struct fact_rules rules = fact_rules_of(&who,
	    v->key != NULL ? RECORD_FACT : RECORD_REFLECTION);
	const struct remember_fn fn = { .verdict = put_verdict, .bad = put_bad, .arg = v };
	struct remember *r = NULL;

	rules.key = text_or(v->key);
	rules.keep_secrets = conf_bool("keep_secrets");
	int rc = remember_open(m->store, &who, &rules, &fn, &r, err) == 0 &&
	    add_text(r, v->text, err) == 0 &&
	    remember_commit(r, err) == 0 ? 0 : -1;
	remember_close(r);
	if (rc == 0 && v->bad.code != 0) {
		*err = v->bad;
		rc = -1;
	}
	return rc;
}

int
mem_remember(struct mem *m, const char *text, const char *key, char id[MEM_ID],
	struct mem_error *err)
{
	struct remembering r = { text, key, id, ERR_INIT };

	id[0] = '\0';
	return enter(m, remember, &r, err);
}

static int
forget(struct mem *m, void *arg, struct err *err)
{
	const char *const *id = arg;
	struct forget_want want = { .ids = id, .n_ids = 1, .filter = MESSAGE_FILTER_ANY };
	struct scope who = scope_of();

	who.project = NULL;
	close_answer(m);                       /* nor is it left in what a search keeps */
	arena_reset(&m->arena);
	hook_forget_with(m->store, NULL);
	struct forget *f = forget_new(&who, &want);
	int rc = forget_do(m->store, f, err);
	forget_free(f);
	if (rc != 0)
		return -1;
	return hook_forget(m->store, NULL, NULL, err) < 0 ? -1 : store_settle(m->store, err);
}

int
mem_forget(struct mem *m, const char *id, struct mem_error *err)
{
	return enter(m, forget, &id, err);
}
