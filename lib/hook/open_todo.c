/*
 * open_todo.c: what may close a todo are turns that have its words, and facts and notes. What each
 * says of it, statement/task.h tells. An assistant that calls tools and speaks of doing it does it,
 * and so closes it, but not with its first reply.
 */
#include "hook/open_todo.h"

#include "base/me.h"
#include "context/context.h"
#include "search/ask.h"
#include "statement/cues.h"
#include "statement/reading.h"
#include "statement/statement.h"
#include "statement/task.h"

#define TABLE      "schema/cues/todo.txt"
#define LATER      20          /* turns, and as many records, that are looked at */
#define REPLY      2           /* turns behind it in which a reply repeats it */

struct todo {
	const char *text;
	size_t len;
	struct task task;
	struct todo_turn said;
	int64_t open_us, doubt_us;         /* the newest that says so; TIME_NONE: none does */
	const struct message *doubt;       /* the newest, borrowed from the search; NULL: none */
};

static bool
is_later(const struct todo *t, const struct message *m)
{
	return m->row != t->said.row &&
	    (t->said.row > 0 && strcmp(m->session, t->said.session) == 0
		    ? m->turn > t->said.turn
		    : m->time_us == TIME_NONE ? m->stored_us > t->said.time_us
					      : m->time_us >= t->said.time_us);
}

/*
 * Whether a turn may be about it: what others say is where they say it in its session or project,
 * and in another chat of a matter of its own.
 */
static bool
is_near(const struct todo *t, const struct message *m)
{
	const char *project = t->said.project;

	return m->role != ROLE_USER || me_speaks(m->name) ||
	    (t->said.row > 0 && strcmp(m->session, t->said.session) == 0) ||
	    (project != NULL && *project != '\0' && strcmp(m->project, project) == 0);
}

/* Whether a later turn closes it; else what it says of it is noted. */
static bool
closes(struct todo *t, const struct message *m)
{
	bool near = t->said.row > 0 && strcmp(m->session, t->said.session) == 0,
	     reply = near && m->turn <= t->said.turn + REPLY;
	enum task_says says;

	if (!is_later(t, m) || !is_near(t, m))
		return false;
	says = task_heard(&t->task, m->content, m->content_len);
	if (m->role != ROLE_USER && says != TASK_DONE)
		return !reply && *m->tool_calls != '\0' &&
		    task_spoken(&t->task, m->content, m->content_len);
	if (says == TASK_OPEN)
		t->open_us = MAX(t->open_us, MAX(m->time_us, t->said.time_us));
	if (says == TASK_DOUBT && MAX(m->time_us, t->said.time_us) >= t->doubt_us) {
		t->doubt_us = MAX(m->time_us, t->said.time_us);
		t->doubt = m;
	}
	return says == TASK_DONE;
}

static int
on_statement(void *arg, const struct statement *s)
{
	*(bool *)arg = s->read.kind == READ_TODO;
	return *(bool *)arg;
}

bool
todo_said(const char *text, size_t len)
{
	enum reading_kind kind = READ_FACT;
	bool said = false, named = statement_label(text, len, &kind) > 0 && kind == READ_TODO;

	if (!cues_has(TABLE, "not", text, len) && (named || !cues_has(TABLE, "if", text, len)))
		statements_each(text, len, on_statement, &said);
	return said;
}

/* Whether what begins at a byte of the message is a task of a list that is not ticked. */
static bool
is_in_box(const struct message *m, int64_t start)
{
	return start >= 4 && (size_t)start <= m->content_len &&
	    memcmp(m->content + start - 4, "[ ] ", 4) == 0;
}

/* ---- what was said and stored later ---- */

static int
any_turn(struct store *s, struct search **search, const struct scope *who, struct todo *t,
	enum todo_state *state, struct err *err)
{
	struct search_result r;

	task_read(&t->task, t->text, t->len);
	t->open_us = t->doubt_us = TIME_NONE;
	*state = TODO_OPEN;
	if (ask_words(s, search, who, t->text, t->len, LATER, &r, err) < 0)
		return -1;
	for (size_t i = 0; i < r.n && *state != TODO_CLOSED; i++)
		*state = closes(t, r.hits[i].message) ? TODO_CLOSED
		    : t->doubt_us > t->open_us        ? TODO_DOUBTFUL
						      : TODO_OPEN;
	return 0;
}

int
todo_later(struct store *s, struct search **search, const struct scope *who, const char *text,
	size_t len, const struct todo_turn *said, enum todo_state *state, struct err *err)
{
	struct todo t = { .text = text, .len = len, .said = *said };

	return any_turn(s, search, who, &t, state, err);
}

static int
any_record(struct store *s, const struct scope *who, const struct fact *f, const struct todo *t,
	enum record_type type, enum todo_state *state, struct err *err)
{
	struct record_filter filter = RECORD_FILTER_ANY(type);
	struct record_match found[LATER];
	LOCAL(arena) a = ARENA_INIT;
	const struct fact *x = NULL;
	size_t n = 0;
	int rc = records_match(s, who, &filter, t->text, t->len, LATER, found, &n, err);

	for (size_t i = 0; i < n && rc == 0 && *state != TODO_CLOSED; i++) {
		rc = records_by_row(s, who, found[i].row, TIME_NONE, &a, &x, err);
		if (rc == 0 && x != NULL && x->head.row != f->head.row &&
		    (type != RECORD_FACT || x->kind != FACT_TODO) &&
		    (x->head.time_us == TIME_NONE ? x->head.stored_us : x->head.time_us) >=
			t->said.time_us &&
		    task_heard(&t->task, x->head.content, x->head.content_len) == TASK_DONE)
			*state = TODO_CLOSED;
	}
	return rc;
}

/* What rests on no turn the user has stored as a todo himself, or an agent for him. */
static bool
is_stored_so(const struct record_head *h)
{
	return h->origin == ORIGIN_USER || h->origin == ORIGIN_ASSISTANT;
}

int
open_todo(struct store *s, struct search **search, const struct scope *who, const struct fact *f,
	enum todo_state *state, struct todo_doubt *doubt, struct err *err)
{
	const struct record_head *h = &f->head;
	struct scope all = { .user = who->user, .agent = who->agent };
	struct todo t = { .text = h->content, .len = h->content_len,
		.said = { .time_us = h->time_us, .project = h->project } };
	const struct message *m = NULL;
	LOCAL(arena) a = ARENA_INIT;
	bool open;
	int rc = 0;

	*state = TODO_CLOSED;
	open = *f->summarized == '\0' && (h->n_sources > 0 || is_stored_so(h));
	if (open && h->n_sources > 0) {
		rc = messages_find(s, &all, h->sources[0].id, &a, &m, err);
		open = m != NULL && m->role == ROLE_USER && me_speaks(m->name) &&
		    (todo_said(t.text, t.len) || is_in_box(m, h->sources[0].start));
	}
	if (m != NULL)
		t.said = (struct todo_turn){ m->row, m->turn, h->time_us, m->session, h->project };
	if (rc == 0 && open) {
		rc = any_turn(s, search, &all, &t, state, err);
		if (rc == 0 && doubt != NULL && *state == TODO_DOUBTFUL)
			doubt->by = context_keep(t.doubt, doubt->arena);
		if (rc == 0 && *state != TODO_CLOSED)
			rc = any_record(s, &all, f, &t, RECORD_FACT, state, err);
		if (rc == 0 && *state != TODO_CLOSED)
			rc = any_record(s, &all, f, &t, RECORD_REFLECTION, state, err);
	}
	return rc < 0 ? -1 : 0;
}

bool
todo_ended(const struct fact *f)
{
	const struct record_head *h = &f->head;
	const struct reading_by by = { "", h->project, h->time_us, NULL };
	struct reading r;

	if (f->valid_to_us == TIME_NONE || f->valid_to_us > clock_now_us())
		return false;
	reading_of(h->content, h->content_len, &by, &r);
	return *f->superseded_by != '\0' || r.to_us != f->valid_to_us;
}

int
todo_done(struct store *s, struct search **search, const struct scope *who, const struct fact *f,
	bool *done, struct err *err)
{
	const struct record_head *h = &f->head;
	const struct scope all = { .user = who->user, .agent = who->agent };
	enum todo_state state = TODO_OPEN;
	const struct message *m = NULL;
	LOCAL(arena) a = ARENA_INIT;
	int rc = 0;

	if (f->kind == FACT_TODO && h->n_sources == 0 && is_stored_so(h))
		rc = open_todo(s, search, who, f, &state, NULL, err);
	else if (f->kind == FACT_TODO && h->n_sources > 0)
		rc = messages_find(s, &all, h->sources[0].id, &a, &m, err);
	if (rc == 0 && m != NULL)
		rc = todo_later(s, search, &all, h->content, h->content_len,
		    &(struct todo_turn){ m->row, m->turn, h->time_us, m->session, h->project },
		    &state, err);
	*done = rc == 0 && state == TODO_CLOSED;
	return rc < 0 ? -1 : 0;
}
