/*
 * facts_tool.c: facts that hold, newest first, a page at a time: it ends at the limit, or where the
 * block is full. A todo that was done holds no more. A cursor is the number of facts before it.
 */
#include "base/conf.h"
#include "base/off.h"
#include "mcp/memory_parts.h"
#include "facts/fact_record.h"
#include "hook/open_todo.h"
#include "records/filter.h"
#include "records/list.h"
#include "records/record.h"

#define LIMIT  50
#define BUDGET 2000

struct page {
	struct memory *m;
	const struct scope *who;
	struct search *search;             /* what looks whether a todo was done; NULL at first */
	struct index *index;               /* and what was said later of a decision; the same */
	bool past;                         /* what held then is asked for */
	struct err *err;
	struct context *c;
	struct buf *facts;                 /* JSON objects with commas between */
	struct arena *a;
	int64_t n_seen, first, limit;
	bool more;
};

static void
write_fact(struct buf *b, const struct fact *f, const struct decided *d)
{
	json_open(b);
	json_str(b, "id", f->head.id);
	json_str(b, "kind", fact_kind_names[f->kind]);
	record_text(b, "key", f->key);
	json_str(b, "bank", f->bank);
	json_str(b, "category", fact_root_names[f->category]);
	record_text(b, "project", f->head.project);
	json_num(b, "importance", f->importance);
	json_num(b, "confidence", f->confidence);
	if (f->valid_from_us != TIME_NONE)
		json_time(b, "valid_from", f->valid_from_us);
	if (f->valid_to_us != TIME_NONE)
		json_time(b, "valid_to", f->valid_to_us);
	record_sources(b, &f->head, NULL);
	decided_write(d, b);
	json_close(b);
}

static int
put_fact(void *arg, const struct fact *f)
{
	struct page *p = arg;
	const char *name = *f->key != '\0' ? arena_strdup(p->a, f->key) : fact_kind_names[f->kind];
	bool done = off_why(f->head.project) != NULL;
	struct decided d = { .n = 0 };

	if (!done && !p->past && todo_done(p->m->store, &p->search, p->who, f, &done, p->err) != 0)
		return -1;
	if (done)
		return 0;
	if (p->n_seen++ < p->first)
		return 0;
	if (!p->past && decided_read(p->m->store, &p->index, p->who, f, p->a, &d, p->err) != 0)
		return -1;
	if (p->n_seen > p->first + p->limit ||
	    memory_add(p->c, memory_known(f, &d, name, p->a)) == CONTEXT_FULL) {
		p->more = true;
		p->n_seen--;
		return 1;
	}
	json_next(p->facts);
	write_fact(p->facts, f, &d);
	return 0;
}

static int
read_want(const struct json *args, struct list_want *want, struct page *p, struct arena *a,
	struct err *err)
{
	const struct message_filter any = MESSAGE_FILTER_ANY;
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);
	const char *text, *cursor = memory_text(args, "cursor");
	int64_t now_us = clock_now_us();
	char *end = "";

	*want = (struct list_want){ .what = LIST_FACTS, .filter = any };
	want->filter.newest_first = true;
	p->limit = memory_int(args, "limit", LIMIT);
	p->first = cursor != NULL ? strtoll(cursor, &end, 10) : 0;
	if (p->first < 0 || *end != '\0' || (cursor != NULL && end == cursor))
		return err_set(err, ERR_DATA, "there is no such cursor");
	if ((text = memory_text(args, "bank")) != NULL &&
	    (f.bank = fact_bank_named(text, a)) == NULL)
		return err_set(err, ERR_DATA, "unknown bank '%.100s': %s", text,
		    conf_text("banks"));
	if ((text = memory_text(args, "category")) != NULL)
		f.category = fact_root_parse(text);
	if ((text = memory_text(args, "kind")) != NULL)
		f.kind = fact_kind_parse(text);
	if ((text = memory_text(args, "key")) != NULL)
		f.key = fact_key_clean(text, a);
	if (filter_moment("as_of", memory_text(args, "as_of"), now_us, &f.as_of_us, err) != 0 ||
	    filter_moment("known_at", memory_text(args, "known_at"), now_us, &f.known_us, err) != 0)
		return -1;
	want->records = f;
	return 0;
}

static void
write_result(struct page *p, const struct mcp_call *call)
{
	memory_block(p->c, "There is no such fact.\n", call->text);
	memory_record(p->c, call->structured);
	json_array(call->structured, "facts", p->facts);
	if (p->more) {
		char next[32];
		snprintf(next, sizeof(next), "%lld", (long long)p->n_seen);
		json_str(call->structured, "next", next);
		buf_addf(call->text, "There are more, behind cursor %s.\n", next);
	}
	json_close(call->structured);
}

int
facts_tool(void *arg, const struct mcp_call *call, struct err *err)
{
	struct memory *m = arg;
	struct scope who;
	struct context_limits limits = { .budget = (uint64_t)memory_int(call->args, "budget",
						 BUDGET),
		.twins = true, .ids = true };
	LOCAL(buf) facts = buf_of(conf_caps.output_bytes);
	LOCAL(context) c = { 0 };
	struct page p = { .m = m, .who = &who, .past = memory_text(call->args, "as_of") != NULL ||
		memory_text(call->args, "known_at") != NULL, .err = err,
		.c = &c, .facts = &facts, .a = call->arena };
	const struct list_fn fn = { .record = put_fact, .arg = &p };
	struct list_want want;

	context_init(&c, &limits);
	int rc = read_want(call->args, &want, &p, call->arena, err);
	if (rc == 0 && (rc = memory_scope(m, call->args, call->arena, &who, err)) == 0 &&
	    m->store != NULL)
		rc = list_walk(m->store, &who, &want, &fn, err);
	if (rc >= 0) {
		write_result(&p, call);
		rc = 0;
	}
	search_close(p.search);
	index_free(p.index);
	return rc;
}
