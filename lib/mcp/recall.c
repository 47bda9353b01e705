/*
 * recall.c: the hits of a question, as mem-search finds them, and the block that mem-context makes
 * of such hits. A hit is written as JSON once: for the client, and for the block.
 */
#include <math.h>

#include "base/conf.h"
#include "base/off.h"
#include "context/context_builder.h"
#include "hook/recall.h"
#include "hook/resume.h"
#include "hook/turns.h"
#include "mcp/memory_parts.h"
#include "records/record.h"
#include "search/ask.h"
#include "search/hit.h"

#define LIMIT  10
#define BUDGET 1000

struct hits {
	struct buf json;                   /* the hits as a JSON array */
	const struct json *list;           /* the same, read */
	int64_t n;
	bool answered;                     /* one was likely to answer */
	char without[500];                 /* what could not be used, "": nothing */
};

/* ---- hits ---- */

static struct buf *
begin_hit(struct hits *h, const char *kind, const char *id, double score)
{
	h->n++;
	json_object_open(&h->json, NULL);
	json_str(&h->json, "id", id);
	json_str(&h->json, "kind", kind);
	json_int(&h->json, "rank", h->n);
	json_num(&h->json, "score", score);
	return &h->json;
}

static void
write_place(struct buf *b, const char *session, const char *project, int64_t time_us)
{
	record_text(b, "session", session);
	record_text(b, "project", project);
	if (time_us != TIME_NONE)
		json_time(b, "time", time_us);
}

/* As a hook decides: nothing, until one is likely to answer; of those behind it half as likely. */
static bool
is_likely(struct hits *h, float p)
{
	double least = conf_real("likely");

	if (isnan(p))
		return true;
	h->answered |= (double)p >= least;
	return (double)p >= (h->answered ? least / 2 : least);
}

static int
put_said(void *arg, const struct search_hit *h, const struct question *asked, size_t rank,
	const struct rewritten *q, struct err *err)
{
	struct memory *m = arg;
	const struct message *v = h->message;
	struct hit_view view;

	(void)rank;
	(void)q;
	if (off_why(v->project) != NULL || !is_likely(m->hits, h->p))
		return 0;
	if (hit_look(m->store, &m->want.who, asked, h, &view, err) < 0)
		return -1;
	struct buf *b = begin_hit(m->hits, "message", v->id, (double)h->score);
	if (!isnan(h->p))
		json_num(b, "p", (double)h->p);
	write_place(b, v->session, v->project, v->time_us);
	json_int(b, "turn", v->turn);
	json_str(b, "role", role_names[v->role]);
	record_text(b, "name", v->name);
	json_array_open(b, "why");
	for (size_t i = 0; i < view.n_found; i++)
		json_item(b, view.found[i], view.found_len[i]);
	json_array_close(b);
	if (view.chunk.len > 0) {
		json_object_open(b, "chunk");
		json_int(b, "start", (int64_t)view.chunk.start);
		json_int(b, "length", (int64_t)view.chunk.len);
		json_close(b);
	}
	json_close(b);
	return 0;
}

/* Facts, notes and summaries come first, so only those that are likely to answer are taken. */
static void
put_known(void *arg, enum tier in, const struct tier_hit *h, size_t rank)
{
	static const char *const kinds[] = { [RECORD_FACT] = "fact",
		[RECORD_SUMMARY] = "summary",
		[RECORD_REFLECTION] = "reflection" };
	struct memory *m = arg;
	const struct record_head *r = &h->record->head;

	(void)in;
	(void)rank;
	if (off_why(r->project) != NULL || !tier_hit_is_likely(h))
		return;
	struct buf *b = begin_hit(m->hits, kinds[r->type], r->id, h->score);
	write_place(b, r->session, r->project, r->time_us);
	json_close(b);
}

static void
put_without(void *arg, const char *why)
{
	struct memory *m = arg;

	snprintf(m->hits->without, sizeof(m->hits->without), "%s", why);
}

static int
open_answer(struct memory *m, struct err *err)
{
	m->put = (struct answer_fn){ .said = put_said, .known = put_known, .without = put_without,
		.arg = m };
	m->opened_us = clock_mono_us();
	m->want.program = m->program;
	m->want.touch = conf_bool("touch");
	m->want.in = TIERS_ALL | 1u << TIER_STORED;
	m->want.known = (struct record_filter)RECORD_FILTER_ANY(RECORD_FACT);
	return answer_open(m->store, &m->want, &m->put, &m->answer, err);
}

/* Searches, and fills h. */
static int
find(struct memory *m, const struct json *args, struct hits *h, struct arena *a, struct err *err)
{
	const struct filter_words words = { .since = memory_text(args, "since"),
		.until = memory_text(args, "until") };
	struct search_query *q = &m->want.query;

	m->hits = h;
	if (memory_scope(m, args, a, &m->want.who, err) != 0 ||
	    ask_options(&m->want.who, NULL, &words, q, err) != 0)
		return -1;
	q->limit = memory_int(args, "limit", LIMIT);
	q->text = json_get_string(args, "question", &q->len);
	if (q->len > conf_caps.query_bytes)
		return err_set(err, ERR_DATA, "the question is too long");
	m->want.shown = (size_t)q->limit;
	m->want.known.since_us = q->filter.since_us;
	m->want.known.until_us = q->filter.until_us;
	json_array_open(&h->json, NULL);
	if (m->store != NULL &&
	    ((m->answer == NULL && open_answer(m, err) != 0) ||
		answer_question(m->answer, q, NULL, err) < 0))
		return -1;
	json_array_close(&h->json);
	return json_parse(h->json.data, h->json.len, a, &h->list, err);
}

/* Fills c with what was found; its texts live until *g is closed. */
static int
fill(const struct memory *m, const struct hits *h, struct context *c, struct context_builder **g,
	struct err *err)
{
	struct rewriter none = { .llm = NULL };
	const struct context_builder_want want = { .who = m->want.who,
		.query = m->want.query,
		.rewriter = &none,
		.facts = true };

	if (context_builder_open(m->store, &want, g, err) != 0)
		return -1;
	for (size_t i = 0; i < h->list->len; i++)
		if (context_builder_record(*g, &h->list->u.items[i], err) != 0)
			return -1;
	return context_builder_fill(*g, c, err);
}

static bool
leaves_none_out(void *arg, const struct message *m)
{
	(void)arg;
	(void)m;
	return false;
}

/*
 * What a user asked says little without what was answered, and an answer that asks without what the
 * user said to it: these go where there is room. A question that asks only where work was left is
 * answered by the last turns of the session to go on with.
 */
static int
add_turns(struct memory *m, const struct json *args, struct context *c, struct arena *a,
	struct err *err)
{
	const struct turns t = { m->store, { .user = m->want.who.user, .agent = m->want.who.agent },
		c, a, leaves_none_out, NULL };
	const struct session *last;
	size_t len;

	if (m->store == NULL || memory_text(args, "until") != NULL)
		return 0;
	if (c->n > 0)
		return turns_add_replies(&t, err);
	const char *question = json_get_string(args, "question", &len);
	if (resume_asked(question, len) != RESUME_LAST)
		return 0;
	if (memory_to_resume(m, args, a, &last, err) != 0)
		return -1;
	return last == NULL ? 0 : turns_add_last(&t, last->id, err);
}

/*
 * What asks what is open is answered as a prompt is (hook/recall.h): by the todos of the project
 * that the client works in, and by nothing of another one. r's block gets it.
 */
static int
tell_open(struct memory *m, const struct json *args, const struct context_limits *limits,
	struct recalled *r, struct arena *a, struct err *err)
{
	const struct hook_given none = { .compacted_us = TIME_NONE };
	struct recall_want want = { .session = "", .given = &none, .tokens = limits->budget,
		.ids = limits->ids, .gate = 1 };

	want.prompt = json_get_string(args, "question", &want.prompt_len);
	if (memory_here(m, args, a, &want.who, err) != 0)
		return -1;
	return recall_prompt(m->store, &want, r, err);
}

static bool
asks_what_is_open(const struct json *args)
{
	size_t len;
	const char *question = json_get_string(args, "question", &len);

	return memory_text(args, "since") == NULL && memory_text(args, "until") == NULL &&
	    resume_asked(question, len) >= RESUME_OPEN;
}

/* Writes the block c and the hits. */
static void
write_found(struct context *c, const struct hits *h, struct buf *text, struct buf *structured)
{
	memory_block(c, "Nothing was found.\n", text);
	if (structured == NULL)
		return;
	memory_record(c, structured);
	json_raw(structured, "hits", h->json.data, h->json.len);
	if (h->without[0] != '\0')
		json_str(structured, "without", h->without);
	json_close(structured);
}

/* Writes the block, with ids where structured, which gets the result, is not NULL. */
static int
recall(struct memory *m, const struct json *args, struct buf *text, struct buf *structured,
	struct arena *a, struct err *err)
{
	struct hits h = { .n = 0 };
	struct context_limits limits = { .budget = (uint64_t)memory_int(args, "budget", BUDGET),
		.ids = structured != NULL };
	struct context_builder *g = NULL;
	struct recalled open = { .p = NAN };
	LOCAL(context) c = { 0 };
	int rc;

	buf_init(&h.json, conf_caps.output_bytes);
	context_init(&c, &limits);
	if (asks_what_is_open(args)) {
		buf_adds(&h.json, "[]");
		if ((rc = tell_open(m, args, &limits, &open, a, err)) == 0)
			write_found(&open.block, &h, text, structured);
	} else if ((rc = find(m, args, &h, a, err)) == 0 && (rc = fill(m, &h, &c, &g, err)) == 0 &&
	    (rc = add_turns(m, args, &c, a, err)) == 0) {
		write_found(&c, &h, text, structured);
	}
	context_builder_close(g);
	recalled_release(&open);
	buf_release(&h.json);
	return rc;
}

int
recall_tool(void *arg, const struct mcp_call *call, struct err *err)
{
	return recall(arg, call->args, call->text, call->structured, call->arena, err);
}

int
recall_as_prompt(void *arg, const struct json *args, struct buf *text, struct arena *a,
	struct err *err)
{
	buf_addf(text, "Answer this question. What was said about it before stands below; use it "
		       "where it helps.\n\n%s\n\n",
	    memory_text(args, "question"));
	return recall(arg, args, text, NULL, a, err);
}
