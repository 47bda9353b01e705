/*
 * recall.c: both blocks are made by lib/context, which fences stored text as data; here it is
 * decided what may go in.
 */
#include "hook/recall.h"

#include <math.h>

#include "base/ascii.h"
#include "base/conf.h"
#include "context/changed.h"
#include "context/context_builder.h"
#include "hook/resume.h"
#include "hook/turns.h"
#include "search/ask.h"
#include "search/stored.h"
#include "statement/cues.h"
#include "statement/silence.h"
#include "text/words.h"

#define HITS        20         /* looked at for a prompt */
#define SAYS_WORDS  2          /* of content, of a turn that is told for itself: not "rename it" */
#define REPLIES     85         /* percent of the block that these may fill */
#define ELSEWHERE   0.75       /* share of the doubt that is allowed in the project */
#define STORED      "what was stored on purpose"
#define KNOWN       "this session has what answers already"

void
recalled_release(struct recalled *r)
{
	context_release(&r->block);
	context_builder_close(r->builder);
	search_close(r->search);
	arena_release(&r->arena);
}

void
recall_begin(const struct recall_want *want, struct recalled *r)
{
	*r = (struct recalled){ .p = NAN, .why = "nothing is stored" };
	context_init(&r->block, &(struct context_limits){ .budget = want->tokens,
	    .even_off = want->even_off, .ids = want->ids });
}

bool
recall_is_running(const struct recall_want *want, const char *session)
{
	return *want->session != '\0' && strcmp(session, want->session) == 0;
}

/* Whether the running session has the turn before it: said in it since it was last shortened. */
static bool
is_present(const struct recall_want *want, const struct message *m)
{
	int64_t shortened = want->given->compacted_us;

	return recall_is_running(want, m->session) &&
	    (shortened == TIME_NONE || m->time_us == TIME_NONE || m->time_us > shortened);
}

struct walk { const struct recall_want *want; struct recalled *r; struct recall_last *last; };

static int
on_session(void *arg, const struct session *x)
{
	struct walk *v = arg;

	if (session_is_document(x))
		return 0;
	v->last->any = true;
	if (recall_is_running(v->want, x->id) || x->n_messages == 0)
		return 0;
	v->last->session = arena_strdup(&v->r->arena, x->id);
	return 1;
}

int
recall_last(struct store *s, const struct recall_want *want, struct recalled *r,
	struct recall_last *last, struct err *err)
{
	struct walk v = { want, r, last };
	struct scope who = want->who;

	who.session = NULL;
	*last = (struct recall_last){ .any = false };
	return sessions_by_time(s, &who, true, TIME_NONE, on_session, &v, err);
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
	return cues_has("schema/cues/tools.txt", NULL, prompt, len) ||
	    words_each(prompt, len, names_file, (char *)(uintptr_t)prompt) != 0;
}

struct chooser {
	const struct recall_want *want;
	struct recalled *r;
	bool tools;
	const char *session;       /* alone of which turns are told; NULL: of any */
	/* the least p of a hit; of those behind one that is likely, half of it */
	float least;
	float stored;              /* the least p of what was stored on purpose */
	bool answered;             /* there was one */
	bool known;                /* a likely hit was left out, as the session has it already */
};

/* What was stored for no project, on purpose, is for all of them; it has no row of a turn. */
static bool
is_for_others(const struct recall_want *want, const struct message *m)
{
	return m->row == 0 && *m->project != '\0' && want->who.project != NULL &&
	    *want->who.project != '\0' && strcmp(m->project, want->who.project) != 0;
}

/* The callback leaves_out of the block's builder. */
static bool
leaves_out(void *arg, const struct message *m, float p)
{
	struct chooser *c = arg;
	const struct recall_want *want = c->want;
	float least = m->row == 0 ? c->stored : c->least;

	if ((!c->tools && (m->role == ROLE_TOOL || m->content_len == 0)) ||
	    is_for_others(want, m) || (c->session != NULL && strcmp(m->session, c->session) != 0))
		return true;
	if (is_present(want, m) || hook_given_has(want->given, want->session, m)) {
		c->known |= p >= least;
		return true;
	}
	if (isnan(p))
		return false;
	if (m->row != 0 &&
	    (want->stored_only || !words_say(m->content, m->content_len, SAYS_WORDS) ||
		silence_shares(want->prompt, want->prompt_len, m->content, m->content_len)))
		return true;
	c->r->p = fmax(isnan(c->r->p) ? 0 : c->r->p, (double)p);
	if (m->row == 0)
		return p < least;
	c->answered |= p >= least;
	return p < (c->answered ? least / 2 : least);
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

/* The callback leaves_out of turns that were not found themselves. */
static bool
not_told(void *arg, const struct message *m)
{
	return leaves_out(arg, m, NAN);
}

/* ---- of which project ---- */

struct elsewhere { struct store *store; const struct recall_want *want; struct arena *a; };

/* The name of the session's project, where it is another one; the callback head of a block. */
static const char *
other_project(void *arg, const char *session)
{
	const struct elsewhere *v = arg;
	struct scope who = { .user = v->want->who.user };
	const struct session *x = NULL;
	struct err ignored = ERR_INIT;
	const char *slash;

	if (sessions_find(v->store, &who, session, v->a, &x, &ignored) != 0 || x == NULL ||
	    x->project == NULL || *x->project == '\0' ||
	    strcmp(x->project, v->want->who.project) == 0)
		return "";
	slash = strrchr(x->project, '/');
	return arena_printf(v->a, "of another project, %s:",
	    slash != NULL && slash[1] != '\0' ? slash + 1 : x->project);
}

/* ---- the search ---- */

/* Adds replies, and then, with the room that is kept for it, what changes what they say. */
static int
add_replies(struct store *s, struct chooser *c, const struct scope *who, struct err *err)
{
	struct recalled *r = c->r;
	struct turns turns = { s, { .user = who->user, .agent = who->agent }, &r->block, &r->arena,
		not_told, c };
	const struct changes_want changes = { s, r->search, *who, NULL, not_told, c,
		&r->arena };
	uint64_t budget = r->block.limits.budget;
	size_t n = r->block.n;

	r->block.limits.budget = budget * REPLIES / 100;
	if (turns_add_replies(&turns, err) != 0)
		return -1;
	r->block.limits.budget = budget;
	return changes_add(&changes, &r->block, n, err);
}

static int
search_in(struct store *s, const struct recall_want *want, const struct scope *who,
	const char *session, double least, struct recalled *r, struct err *err)
{
	const struct scope all = { .user = who->user, .agent = who->agent };
	struct chooser c = { .want = want, .r = r, .least = (float)least,
		.stored = (float)fmax(least_p(want->gate, false), STORED_SURE),
		.tools = asks_for_tools(want->prompt, want->prompt_len), .session = session };
	struct context_builder_want w = { .who = *who, .search = r->search,
		.stored = &all, .leaves_out = leaves_out, .arg = &c };
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
	return add_replies(s, &c, who, err);
}

/* Whether the block begins with what was stored on purpose. */
static bool
is_stored(const struct recalled *r)
{
	return r->block.n > 0 && context_item(&r->block, 0)->row == 0;
}

/* In all that the user has; what was said in another project stands behind its name. */
static int
search_all(struct store *s, const struct recall_want *want, double least, struct recalled *r,
	struct err *err)
{
	bool in_project = want->who.project != NULL && *want->who.project != '\0';
	struct scope who = want->who;
	struct elsewhere *other = arena_alloc(&r->arena, sizeof(*other));

	who.session = NULL;
	who.project = NULL;
	*other = (struct elsewhere){ s, want, &r->arena };
	r->block.limits.head = in_project ? other_project : NULL;
	r->block.limits.arg = other;
	if (search_in(s, want, &who, NULL, least, r, err) < 0)
		return -1;
	if (r->block.n > 0)
		r->why = is_stored(r) ? STORED : in_project ? "from elsewhere" : "found";
	return 0;
}

/*
 * The project first, and all that the user has where it does not answer. What is open only the last
 * session of the project tells: an older one, what was open then.
 */
static int
search_both(struct store *s, const struct recall_want *want, const struct recall_last *last,
	bool open, struct recalled *r, struct err *err)
{
	bool in_project = want->who.project != NULL && *want->who.project != '\0';
	struct scope who = want->who;

	if (r->search == NULL && search_open(s, &r->search, err) < 0)
		return -1;
	who.session = NULL;
	r->why = "no hit is likely enough to answer";
	if (in_project && want->of_asker && !open) {
		if (search_all(s, want, fmax(least_p(want->gate, false), STORED_SURE), r, err) < 0)
			return -1;
		if (r->block.n > 0 || strcmp(r->why, KNOWN) == 0)
			return 0;
	}
	/* where there is no session of the project, a search in it would cost as much as any */
	if (last->any &&
	    search_in(s, want, &who, open ? last->session : NULL, least_p(want->gate, false), r,
		err) < 0)
		return -1;
	if (r->block.n > 0) {
		r->why = is_stored(r) ? STORED : "from this project";
		return 0;
	}
	if (strcmp(r->why, KNOWN) == 0 || (open && in_project))
		return 0;
	return search_all(s, want, least_p(want->gate, in_project), r, err);
}

/* Fills the block, in place of what was found, with the last turns of the session. */
static int
tell_last(struct store *s, const struct recall_want *want, const char *session, struct recalled *r,
	struct err *err)
{
	const struct context_limits limits = r->block.limits;
	struct chooser c = { .want = want, .r = r };
	struct turns t = { s, { .user = want->who.user, .agent = want->who.agent }, &r->block,
		&r->arena, not_told, &c };

	context_release(&r->block);
	context_init(&r->block, &limits);
	if (turns_add_last(&t, session, err) < 0)
		return -1;
	r->why = r->block.n > 0 ? "where work was left" : KNOWN;
	return 0;
}

/*
 * The session of the project that the work is named in: of the turns found by words the one with
 * most of those that name it, more than half of them, and of such the newest. That a turn is likely
 * to answer is not asked, as such a prompt asks nothing that a turn says.
 */
static int
find_named(struct store *s, const struct recall_want *want, struct recalled *r,
	const char **session, struct err *err)
{
	struct scope who = want->who;
	int64_t newest_us = TIME_NONE;
	size_t n, has, most = 0;
	struct search_result found;

	who.session = NULL;
	if (ask_words(s, &r->search, &who, want->prompt, want->prompt_len, HITS, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < found.n; i++) {
		const struct message *m = found.hits[i].message;

		if (m->role == ROLE_TOOL || m->role == ROLE_DOCUMENT ||
		    recall_is_running(want, m->session))
			continue;
		has = resume_names(want->prompt, want->prompt_len, m->content, m->content_len, &n);
		if (2 * has > n && (has > most || (has == most && m->time_us > newest_us))) {
			most = has;
			newest_us = m->time_us;
			*session = arena_strdup(&r->arena, m->session);
		}
	}
	return 0;
}

int
recall_prompt(struct store *s, const struct recall_want *want, struct recalled *r, struct err *err)
{
	enum resume resume = resume_asked(want->prompt, want->prompt_len);
	bool in_project = want->who.project != NULL && *want->who.project != '\0';
	struct recall_last last = { .any = false };
	const char *found = NULL;

	recall_begin(want, r);
	if (s == NULL)
		return 0;
	if (in_project && recall_last(s, want, r, &last, err) < 0)
		return -1;
	if (resume == RESUME_LAST && last.session != NULL)
		return tell_last(s, want, last.session, r, err);
	if (resume >= RESUME_OPEN && (recall_open(s, want, r, err) != 0 || r->block.n > 0))
		return err->code != 0 ? -1 : 0;
	if (search_both(s, want, &last, resume == RESUME_OPEN, r, err) != 0)
		return -1;
	if (resume != RESUME_NAMED)
		return 0;
	if (r->block.n > 0)
		found = arena_strdup(&r->arena, context_item(&r->block, 0)->session);
	else if (last.any && find_named(s, want, r, &found, err) != 0)
		return -1;
	return found == NULL ? 0 : tell_last(s, want, found, r, err);
}
