/*
 * recall_start.c: what is told as open must be open: an agent that is told otherwise would start
 * over what is done.
 */
#include "base/ascii.h"
#include "base/utf8.h"
#include "context/history.h"
#include "facts/subject.h"
#include "hook/open_todo.h"
#include "hook/recall.h"
#include "search/decided.h"
#include "statement/ended.h"
#include "statement/sentence.h"
#include "statement/statement.h"
#include "store/index.h"
#include "store/records.h"
#include "text/words.h"

#define FACTS         10       /* of a kind, told at a start */
#define LOOKED        30       /* todos */
#define OUTCOME_BYTES 240
#define SINCE_BYTES   160      /* of a turn that a todo is told with */
#define OUTCOME_WORDS 2        /* of content, so that "Ok" is none */
#define LAST_LOOKED   200      /* turns of the last session */
/*
 * percent of the block: that facts leave to the summary of the last session, and that todos fill
 * before the decisions; what each leaves is for the others
 */
#define SUMMARY_SHARE 50
#define TODO_SHARE    25

/* By what there is: 1 todos, 2 decisions, 4 a session. */
static const char *const told[] = { "nothing is known of this project", "open todos", "decisions",
	"open todos, decisions", "the last session", "open todos, the last session",
	"decisions, the last session", "open todos, decisions, the last session" };

struct start {
	struct store *store;
	const struct recall_want *want;
	struct recalled *r;
	const char *name;          /* what stands before a fact */
	size_t n, looked;
	struct message *todos[FACTS];          /* [n_todos] as they are told; NULL: in the block */
	size_t n_todos;
	bool acted;                        /* tools were called behind the turn at hand */
	/* [n] as they were said */
	struct said_fact { const char *text; size_t len; } told[FACTS];
	struct index *index;
	bool full;                             /* there was no room for a decision */
	bool sure;                             /* only todos of which nothing was said since */
	struct err *err;
};

/* Adds a line of its own, under the name; false: there is no room. */
static bool
add_line(struct start *v, const struct message *m, uint64_t room)
{
	return context_add(&v->r->block,
		    &(struct context_piece){ m, 0, m->content_len, false, true }, room) ==
	    CONTEXT_IN;
}

/*
 * Adds a decision with what was said of its thing since, or that alone where it ends it: nobody may
 * go by a decision that was taken back. False: it is not told.
 */
static bool
add_decision(struct start *v, struct message *m, const struct decided *d, uint64_t room)
{
	for (size_t i = 0; i < d->n; i++)
		if (recall_is_running(v->want, d->later[i].m->session))
			return false;
	if (d->ended) {
		const struct decided_said *s = &d->later[0];

		context_add(&v->r->block, &(struct context_piece){ s->m,
			(size_t)(s->text - s->m->content), s->len, false, false }, room);
		return false;
	}
	for (size_t i = 0; i < d->n; i++)
		m->trust = MIN(m->trust, d->later[i].m->trust);
	m->content = decided_text(d, arena_printf(&v->r->arena, "%s%s", m->content, d->rest),
	    &v->r->arena);
	m->content_len = strlen(m->content);
	v->full = !add_line(v, m, room);
	return !v->full;
}

static uint64_t
room_of(const struct start *v, unsigned percent)
{
	return v->want->tokens * percent / 100;
}

/*
 * Keeps a todo; one of whose thing the user spoke since with that turn, as it may say, in words
 * that nobody foresaw, that it was done.
 */
static bool
keep_todo(struct start *v, struct message *m, enum todo_state state, const struct message *by)
{
	bool doubtful = state == TODO_DOUBTFUL;
	struct decided d = { .n = 1 };

	if (state == TODO_CLOSED ||
	    (doubtful && (v->sure || recall_is_running(v->want, by->session))))
		return false;
	if (doubtful) {
		d.later[0] = (struct decided_said){ by, by->content,
			utf8_clip(by->content, by->content_len, SINCE_BYTES) };
		m->trust = MIN(m->trust, by->trust);
		m->content = decided_text(&d, m->content, &v->r->arena);
		m->content_len = strlen(m->content);
	}
	v->todos[v->n_todos++] = m;
	return true;
}

/* Adds those of the todos that fit, as far as the block is filled to that percent. */
static void
add_todos(struct start *v, unsigned percent)
{
	for (size_t i = 0; i < v->n_todos; i++)
		if (v->todos[i] != NULL && add_line(v, v->todos[i], room_of(v, percent)))
			v->todos[i] = NULL;
}

/* Whether a newer one that is told says that the decision holds no more. */
static bool
is_replaced(const struct start *v, const struct fact *f)
{
	for (size_t i = 0; i < v->n; i++)
		if (ended_text(f->head.content, f->head.content_len, v->told[i].text,
			v->told[i].len))
			return true;
	return false;
}

/* The words of a fact; what the line's name and the block say already, "Todo: ", is left out. */
static const char *
shown_of(const struct start *v, const struct fact *f)
{
	const char *shown = fact_shown_in(f, v->want->who.project, &v->r->arena);

	return shown + statement_label(shown, strlen(shown), NULL);
}

static int
on_fact(void *arg, const struct fact *f)
{
	struct start *v = arg;
	const struct record_head *h = &f->head;
	struct message *m = arena_zalloc(&v->r->arena, sizeof(*m));
	const char *shown = shown_of(v, f);
	struct decided d;
	enum todo_state state = TODO_OPEN;
	struct todo_doubt doubt = { &v->r->arena, NULL };

	*m = (struct message){ .session = "open",
		.role = ROLE_ASSISTANT,
		.name = v->name,
		.content = shown,
		.content_len = strlen(shown),
		.project = arena_strdup(&v->r->arena, h->project),
		.time_us = h->time_us,
		.trust = h->trust };
	memcpy(m->id, h->id, sizeof(m->id));
	if (*f->summarized != '\0' || (f->kind == FACT_TODO && todo_ended(f)) ||
	    recall_is_running(v->want, h->session) ||
	    hook_given_has(v->want->given, v->want->session, m))
		return 0;
	v->looked++;
	if (f->kind == FACT_DECISION && is_replaced(v, f))
		return 0;
	if (f->kind == FACT_TODO &&
	    open_todo(v->store, &v->r->search, &v->want->who, f, &state, &doubt, v->err) != 0)
		return -1;
	if (decided_read(v->store, &v->index, &v->want->who, f, &v->r->arena, &d, v->err) != 0)
		return -1;
	if (f->kind == FACT_DECISION ? add_decision(v, m, &d, room_of(v, 100 - SUMMARY_SHARE))
				     : keep_todo(v, m, state, doubt.by))
		v->told[v->n++] = (struct said_fact){ arena_strndup(&v->r->arena, h->content,
		    h->content_len), h->content_len };
	return v->n >= FACTS || v->full || (f->kind == FACT_TODO && v->looked >= LOOKED);
}

static int
add_facts(struct start *v, enum fact_kind kind, const char *name, struct err *err)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);

	f.kind = (int)kind;
	f.newest_first = true;
	f.as_of_us = clock_now_us();
	f.also = kind == FACT_TODO ? RECORDS_ENDED : 0;
	v->name = name;
	v->n = v->looked = 0;
	return records_each(v->store, &v->want->who, &f, on_fact, v, err);
}

int
recall_open(struct store *s, const struct recall_want *want, struct recalled *r, struct err *err)
{
	struct start v = { .store = s, .want = want, .r = r, .sure = true, .err = err };

	if (add_facts(&v, FACT_TODO, "open todo", err) < 0)
		return -1;
	add_todos(&v, 100);
	r->why = r->block.n > 0 ? told[1] : r->why;
	return 0;
}

/* ---- the last session ---- */

/* Whether the turn says nothing, as "Ok.", or only what is done next: "Let me look at the log:". */
static bool
announces(const struct message *m)
{
	size_t end = ascii_end(m->content, m->content_len);

	return !words_say(m->content, end, OUTCOME_WORDS) || *m->tool_calls != '\0' ||
	    m->content[end - 1] == ':' ||
	    (end >= 3 && sentence_mark(m->content + end - 3, 3, "：") > 0);
}

static int
on_outcome(void *arg, const struct message *m)
{
	struct start *v = arg;
	size_t end = m->content_len, cut;
	struct message *copy;

	v->acted |= *m->tool_calls != '\0';
	if (++v->looked > LAST_LOOKED || announces(m))
		return v->looked > LAST_LOOKED;
	/* its first paragraph; the last one is often an offer */
	for (cut = 0; cut < end && m->content[cut] != '\n'; cut++)
		continue;
	cut = utf8_clip(m->content, cut, OUTCOME_BYTES);
	/* a text of its own, so that who asks later is told all of the turn */
	copy = arena_zalloc(&v->r->arena, sizeof(*copy));
	*copy = (struct message){ .session = "outcome",
		.role = ROLE_ASSISTANT,
		/* before what was done then, it is what was meant to be done */
		.name = v->acted ? "last said" : "last outcome",
		.content = arena_strndup(&v->r->arena, m->content, cut),
		.content_len = cut,
		.time_us = m->time_us,
		.trust = m->trust };
	add_line(v, copy, UINT64_MAX);
	return 1;
}

/* What an assistant said last in the session, in one line. */
static int
add_outcome(struct start *v, const struct scope *who, struct err *err)
{
	struct message_filter f = MESSAGE_FILTER_ANY;

	f.newest_first = true;
	f.limit = LAST_LOOKED;
	f.role = ROLE_ASSISTANT;
	v->looked = 0;
	v->acted = false;
	return messages_each(v->store, who, &f, on_outcome, v, err);
}

int
recall_start(struct store *s, const struct recall_want *want, struct recalled *r, struct err *err)
{
	struct start v = { .store = s, .want = want, .r = r, .err = err };
	struct scope who = want->who;
	struct recall_last last;
	struct message_filter f = MESSAGE_FILTER_ANY;
	size_t n_todos, n_decided, n_facts;
	int rc;

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
	if (add_facts(&v, FACT_TODO, "open todo", err) < 0)
		return -1;
	add_todos(&v, TODO_SHARE);
	n_todos = r->block.n;
	rc = add_facts(&v, FACT_DECISION, "decision", err);
	index_free(v.index);
	n_decided = r->block.n - n_todos;
	add_todos(&v, 100 - SUMMARY_SHARE);
	if (rc < 0 || recall_last(s, want, r, &last, err) < 0)
		return -1;
	n_facts = r->block.n;
	who.session = last.session;
	if (last.session != NULL && (add_outcome(&v, &who, err) < 0 ||
	    history_summary(s, &who, &f, &r->block, &r->arena, err) < 0))
		return -1;
	r->why = told[(n_facts > n_decided) + 2 * (n_decided > 0) + 4 * (r->block.n > n_facts)];
	add_todos(&v, 100);
	return 0;
}
