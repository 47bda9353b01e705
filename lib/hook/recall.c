/*
 * recall.c: both blocks are made by lib/context, which fences stored text as data; here it is
 * decided what may go in.
 */
#include "hook/recall.h"

#include <math.h>

#include "base/ascii.h"
#include "base/conf.h"
#include "base/utf8.h"
#include "context/context_builder.h"
#include "context/history.h"
#include "facts/subject.h"
#include "search/ask.h"
#include "statement/cues.h"
#include "store/records.h"
#include "text/words.h"

#define HITS        20         /* looked at for a prompt */
#define FACTS       10         /* of a kind, told at a start */
#define ELSEWHERE   0.75       /* share of the doubt that is allowed in the project */
#define REPLY_BYTES 600        /* of the turn behind a question */
#define REPLY_TURNS 60         /* behind it that are looked at */
#define KNOWN       "this session has what answers already"
/* percent of the block that facts leave to the summary of the last session */
#define SUMMARY_SHARE 50

void
recalled_release(struct recalled *r)
{
	context_release(&r->block);
	context_builder_close(r->builder);
	search_close(r->search);
	arena_release(&r->arena);
}

static void
begin(const struct recall_want *want, struct recalled *r)
{
	*r = (struct recalled){ .p = NAN, .why = "nothing is stored" };
	context_init(&r->block, &(struct context_limits){ .budget = want->tokens });
}

/* Hosts may name no session. */
static bool
is_running(const struct recall_want *want, const char *session)
{
	return *want->session != '\0' && strcmp(session, want->session) == 0;
}

/* ---- a start ---- */

struct start {
	const struct recall_want *want;
	struct recalled *r;
	const char *name;          /* what stands before a fact */
	const char *session;       /* the last one */
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
	if (*f->summarized != '\0' || is_running(v->want, h->session) ||
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

static int
on_session(void *arg, const struct session *x)
{
	struct start *v = arg;

	if (is_running(v->want, x->id) || x->n_messages == 0)
		return 0;
	v->session = arena_strdup(&v->r->arena, x->id);
	return 1;
}

/* By what there is: 1 todos, 2 decisions, 4 a session. */
static const char *const told[] = { "nothing is known of this project", "open todos", "decisions",
	"open todos, decisions", "the last session", "open todos, the last session",
	"decisions, the last session", "open todos, decisions, the last session" };

int
recall_start(struct store *s, const struct recall_want *want, struct recalled *r, struct err *err)
{
	struct start v = { .want = want, .r = r };
	struct scope last = want->who;
	struct message_filter f = MESSAGE_FILTER_ANY;
	size_t n_todos, n_facts;

	begin(want, r);
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
	    sessions_by_time(s, &want->who, true, TIME_NONE, on_session, &v, err) < 0)
		return -1;
	n_facts = r->block.n;
	last.session = v.session;
	if (v.session != NULL && history_summary(s, &last, &f, &r->block, &r->arena, err) < 0)
		return -1;
	r->why = told[(n_todos > 0) + 2 * (n_facts > n_todos) + 4 * (r->block.n > n_facts)];
	return 0;
}

/* ---- a prompt ---- */

/* Whether the word names a file: a path, or a name with an ending. */
static int
names_file(void *arg, const struct word *w)
{
	const char *prompt = arg;

	for (uint32_t i = w->start + 1; w->kind == WORD_WHOLE && i + 1 < w->end; i++)
		if (prompt[i] == '/' || (prompt[i] == '.' && ascii_is_letter(prompt[i + 1])))
			return 1;
	return 0;
}

/* Whether a prompt asks for what tools print: a command, a file, an error. */
static bool
asks_for_tools(const char *prompt, size_t len)
{
	const struct cues *cues = cues_of("schema/cues/tools.txt");
	struct cue found;

	return (cues != NULL && cues_find(cues, prompt, len, &found, 1, NULL) > 0) ||
	    words_each(prompt, len, names_file, (char *)(uintptr_t)prompt) != 0;
}

struct chooser {
	const struct recall_want *want;
	struct recalled *r;
	bool tools;
	/* the least p of a hit; of those behind one that is likely, half of it */
	float least;
	bool answered;             /* there was one */
	bool known;                /* a likely hit was left out, as the session has it already */
};

/* The callback leaves_out of the block's builder. */
static bool
leaves_out(void *arg, const struct message *m, float p)
{
	struct chooser *c = arg;
	const struct recall_want *want = c->want;

	if (!c->tools && (m->role == ROLE_TOOL || m->content_len == 0))
		return true;
	if (is_running(want, m->session) || hook_given_has(want->given, want->session, m)) {
		c->known |= p >= c->least;
		return true;
	}
	if (isnan(p))
		return false;
	c->r->p = fmax(isnan(c->r->p) ? 0 : c->r->p, (double)p);
	c->answered |= p >= c->least;
	return p < (c->answered ? c->least / 2 : c->least);
}

/*
 * The least p of a hit that is told: the setting likely for a prompt that surely asks for the past,
 * and nearer to 1 the less surely it does. What was said elsewhere must be surer.
 */
static double
least_p(double gate, bool elsewhere)
{
	return 1 - gate * (1 - conf_real("likely")) * (elsewhere ? ELSEWHERE : 1);
}

/* ---- replies ---- */

/*
 * said: an assistant's last words before the user goes on, which after calls of tools say what came
 * of them; NULL: none so far.
 */
struct reply { struct chooser *c; int64_t row; bool asked; struct message *said; };

/* The turn behind a question, or what an assistant said in the end. */
static int
on_reply(void *arg, const struct message *m)
{
	struct reply *v = arg;
	struct recalled *r = v->c->r;
	struct message *copy;
	bool spoken = m->role != ROLE_ASSISTANT;

	if (m->row <= v->row || m->role == ROLE_SYSTEM || m->role == ROLE_TOOL ||
	    m->content_len == 0)
		return 0;
	if ((spoken && (v->said != NULL || !v->asked)) || leaves_out(v->c, m, NAN))
		return spoken;
	copy = v->said = arena_alloc(&r->arena, sizeof(*copy));
	*copy = *m;
	copy->session = arena_strdup(&r->arena, m->session);
	copy->name = arena_strdup(&r->arena, m->name);
	copy->content = arena_strndup(&r->arena, m->content, m->content_len);
	copy->source_id = copy->agent = copy->project = "";
	copy->tool_calls = copy->tool_call_id = copy->extra = "";
	return spoken;
}

/* Adds its beginning. */
static void
add_reply(struct reply *v)
{
	struct recalled *r = v->c->r;
	struct message *m = v->said;

	if (m != NULL && !context_has(&r->block, m))
		context_add(&r->block,
		    &(struct context_piece){ m, 0, utf8_clip(m->content, m->content_len,
			REPLY_BYTES), false, false }, UINT64_MAX);
}

static bool
is_question(const struct message *m)
{
	size_t len = m->content_len;

	while (len > 0 && ascii_is_space(m->content[len - 1]))
		len--;
	return len > 0 && (m->content[len - 1] == '?' ||
	    (len >= 3 && memcmp(m->content + len - 3, "\xef\xbc\x9f", 3) == 0));
}

/* What a user asked or reported before says little without its reply. */
static int
add_replies(struct store *s, struct chooser *c, struct err *err)
{
	struct scope who = { .user = c->want->who.user, .agent = c->want->who.agent };
	size_t n = c->r->block.n;

	for (size_t i = 0; i < n; i++) {
		const struct message *m = context_item(&c->r->block, i);
		struct reply v = { c, m->row, is_question(m), NULL };

		if (m->row <= 0 || (!v.asked && m->role != ROLE_USER))
			continue;
		if (messages_around(s, &who, m->row, 0, REPLY_TURNS, on_reply, &v, err) < 0)
			return -1;
		add_reply(&v);
	}
	return 0;
}

/* ---- the search ---- */

static int
search_in(struct store *s, const struct recall_want *want, const struct scope *who,
	bool elsewhere, struct recalled *r, struct err *err)
{
	struct chooser c = { .want = want, .r = r, .least = (float)least_p(want->gate, elsewhere),
		.tools = asks_for_tools(want->prompt, want->prompt_len) };
	struct context_builder_want w = { .who = *who, .search = r->search,
		.leaves_out = leaves_out, .arg = &c };
	struct filter_words none = { .role = NULL };
	struct rewriter alone = { .has_talk = false };

	if (ask_options(who, NULL, &none, &w.query, err) != 0)
		return -1;
	w.query.limit = HITS;
	w.query.scope = SEARCH_USER;
	w.rewriter = &alone;
	context_builder_close(r->builder);
	r->builder = NULL;
	if (context_builder_open(s, &w, &r->builder, err) != 0 ||
	    context_builder_question(r->builder, want->prompt, want->prompt_len, err) != 0)
		return -1;
	if (c.known)
		r->why = KNOWN;
	if (context_builder_fill(r->builder, &r->block, err) != 0)
		return -1;
	return add_replies(s, &c, err);
}

static int
on_any(void *arg, const struct session *x)
{
	bool *any = arg;

	(void)x;
	*any = true;
	return 1;
}

int
recall_prompt(struct store *s, const struct recall_want *want, struct recalled *r, struct err *err)
{
	struct scope who = want->who;
	bool in_project = who.project != NULL && *who.project != '\0';
	bool any = false;

	begin(want, r);
	if (s == NULL)
		return 0;
	if (search_open(s, &r->search, err) < 0)
		return -1;
	who.session = NULL;
	r->why = "no hit is likely enough to answer";
	/* where there is no session of the project, a search in it would cost as much as any */
	if (in_project && sessions_by_time(s, &who, true, TIME_NONE, on_any, &any, err) < 0)
		return -1;
	if (any && search_in(s, want, &who, false, r, err) < 0)
		return -1;
	if (r->block.n > 0) {
		r->why = "from this project";
		return 0;
	}
	if (strcmp(r->why, KNOWN) == 0)
		return 0;
	who.project = NULL;
	if (search_in(s, want, &who, in_project, r, err) < 0)
		return -1;
	if (r->block.n > 0)
		r->why = in_project ? "from elsewhere" : "found";
	return 0;
}
