/*
 * recall_start.c: what is told as open must be open: an agent that is told otherwise would start
 * over what is done.
 */
#include "context/history.h"
#include "facts/subject.h"
#include "hook/recall.h"
#include "store/records.h"

#define FACTS         10       /* of a kind, told at a start */
/* percent of the block that facts leave to the summary of the last session */
#define SUMMARY_SHARE 50

struct start {
	const struct recall_want *want;
	struct recalled *r;
	const char *name;          /* what stands before a fact */
	size_t n;
};

static int
on_fact(void *arg, const struct fact *f)
{
	struct start *v = arg;
	const struct record_head *h = &f->head;
	struct message *m = arena_zalloc(&v->r->arena, sizeof(*m));
	const char *shown = fact_shown(f, &v->r->arena);
	uint64_t room = v->want->tokens * (100 - SUMMARY_SHARE) / 100;

	*m = (struct message){ .session = "open",
		.role = ROLE_ASSISTANT,
		.name = v->name,
		.content = shown,
		.content_len = strlen(shown),
		.time_us = h->time_us,
		.trust = h->trust };
	memcpy(m->id, h->id, sizeof(m->id));
	if (*f->summarized != '\0' || recall_is_running(v->want, h->session) ||
	    hook_given_has(v->want->given, v->want->session, m))
		return 0;
	v->n += context_add(&v->r->block,
		    &(struct context_piece){ m, 0, m->content_len, false, true }, room) ==
	    CONTEXT_IN;
	return v->n >= FACTS;
}

static int
add_facts(struct store *s, struct start *v, enum fact_kind kind, const char *name, struct err *err)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);

	f.kind = (int)kind;
	f.newest_first = true;
	f.as_of_us = clock_now_us();
	v->name = name;
	v->n = 0;
	return records_each(s, &v->want->who, &f, on_fact, v, err);
}

/* By what there is: 1 todos, 2 decisions, 4 a session. */
static const char *const told[] = { "nothing is known of this project", "open todos", "decisions",
	"open todos, decisions", "the last session", "open todos, the last session",
	"decisions, the last session", "open todos, decisions, the last session" };

int
recall_start(struct store *s, const struct recall_want *want, struct recalled *r, struct err *err)
{
	struct start v = { .want = want, .r = r };
	struct scope who = want->who;
	struct recall_last last;
	struct message_filter f = MESSAGE_FILTER_ANY;
	size_t n_todos, n_facts;

	recall_begin(want, r);
	if (s == NULL)
		return 0;
	if (want->given->started) {
		r->why = "this session was told at its start";
		return 0;
	}
	if (want->who.project == NULL || *want->who.project == '\0') {
		r->why = "the host names no directory";
		return 0;
	}
	if (add_facts(s, &v, FACT_TODO, "open todo", err) < 0)
		return -1;
	n_todos = r->block.n;
	if (add_facts(s, &v, FACT_DECISION, "decision", err) < 0 ||
	    recall_last(s, want, r, &last, err) < 0)
		return -1;
	n_facts = r->block.n;
	who.session = last.session;
	if (last.session != NULL && history_summary(s, &who, &f, &r->block, &r->arena, err) < 0)
		return -1;
	r->why = told[(n_todos > 0) + 2 * (n_facts > n_todos) + 4 * (r->block.n > n_facts)];
	return 0;
}
