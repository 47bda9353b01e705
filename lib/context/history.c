/*
 * history.c: the turns are read once, oldest first. What must be in the block is added first, each
 * part within its share of the budget; then the last turns, from the newest back. The summary comes
 * at the end, because only then is it known which turns it has to cover; its share is kept free for
 * it.
 */
#include "context/history.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "context/excerpt.h"
#include "facts/important.h"
#include "statement/statement.h"
#include "summary/summary.h"

/* Percentages of the budget: for system messages, and as much again for important turns. */
#define KEPT_SHARE     25
#define SUMMARY_SHARE  15
#define LINE_TOKENS    16                  /* tokens of the summary's line besides its text */
#define LEAST_TOKENS   20                  /* a summary with less room is not worth making */

struct history {
	struct store *store;
	struct scope who;
	struct context *c;
	struct arena *a;
	const struct message **turns;      /* [n], oldest first */
	size_t n, cap;
	const char *session;
	uint64_t marked_budget;            /* what must not be exceeded by marked turns */
};

/* ---- reading ---- */

static int
on_newest(void *arg, const struct message *m)
{
	struct history *h = arg;

	if (m->role == ROLE_DOCUMENT)
		return 0;
	h->session = arena_strdup(h->a, m->session);
	return 1;
}

static int
on_turn(void *arg, const struct message *m)
{
	struct history *h = arg;

	*xpush(h->turns, h->n, h->cap) = context_keep(m, h->a);
	return 0;
}

static int
read_turns(struct history *h, const struct message_filter *filter, struct err *err)
{
	struct message_filter f = *filter;

	if (h->who.session == NULL || *h->who.session == '\0') {
		f.newest_first = true;
		f.limit = 0;
		if (messages_each(h->store, &h->who, &f, on_newest, h, err) < 0)
			return -1;
		h->who.session = h->session;
	} else {
		h->session = arena_strdup(h->a, h->who.session);
	}
	f.newest_first = false;
	f.limit = 0;
	return h->session == NULL ? 0 : messages_each(h->store, &h->who, &f, on_turn, h, err);
}

/* ---- turns ---- */

static enum context_did
add_turn(struct history *h, const struct message *m, uint64_t budget)
{
	struct excerpt p = excerpt_opening(m);

	return context_add(h->c, &(struct context_piece){ m, p.start, p.len, p.code, false },
	    budget);
}

static uint64_t
budget_with_share(const struct history *h, unsigned share)
{
	return (h->c->quarters + 3) / 4 + h->c->limits.budget * share / 100;
}

static int
on_statement(void *arg, const struct statement *s)
{
	struct importance *v = arg;

	if (s->read.importance > v->weight)
		*v = (struct importance){ s->read.importance, s->start, s->len };
	return v->weight >= HISTORY_IMPORTANT;
}

/* Who somebody is, or what was decided, weighs most. */
struct importance
message_importance(const struct message *m)
{
	struct importance v = { 0, 0, 0 };

	if (m->role == ROLE_USER)
		statements_each(m->content, m->content_len, on_statement, &v);
	return v;
}

/* Adds the turn that a mark rests on (facts/important.h). */
static int
on_mark(void *arg, const struct fact *f)
{
	struct history *h = arg;

	for (size_t k = 0; k < f->head.n_sources; k++)
		for (size_t i = h->n; i-- > 0;)
			if (strcmp(h->turns[i]->id, f->head.sources[k].id) == 0)
				add_turn(h, h->turns[i], h->marked_budget);
	return 0;
}

/* Adds the turns that were marked by hand, those that were marked last first. */
static int
add_marked(struct history *h, struct err *err)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_REFLECTION);
	const struct scope who = { h->who.user, h->who.agent, NULL, NULL };

	h->marked_budget = budget_with_share(h, KEPT_SHARE);
	f.tag = "\"" IMPORTANT_TAG "\"";
	f.newest_first = true;
	return records_each(h->store, &who, &f, on_mark, h, err) < 0 ? -1 : 0;
}

static void
add_kept(struct history *h)
{
	uint64_t budget = budget_with_share(h, KEPT_SHARE);

	for (size_t i = 0; i < h->n; i++)
		if (h->turns[i]->role == ROLE_SYSTEM)
			add_turn(h, h->turns[i], budget);
	budget = budget_with_share(h, KEPT_SHARE);
	for (size_t i = h->n; i-- > 0;)
		if (message_importance(h->turns[i]).weight >= HISTORY_IMPORTANT)
			add_turn(h, h->turns[i], budget);
}

/*
 * Adds the last turns, newest first, at most most of them, until one does not fit. Returns how many
 * of the turns are older than those added.
 */
static size_t
add_last(struct history *h, size_t most, uint64_t budget)
{
	size_t i = h->n, n = 0;

	for (; i > 0 && n < most; i--) {
		const struct message *m = h->turns[i - 1];
		if (m->role == ROLE_SYSTEM)
			continue;
		/*
		 * One block of code that is too long, as code is not cut, must not hide the turns
		 * before it.
		 */
		if (add_turn(h, m, budget) == CONTEXT_FULL && !excerpt_opening(m).code)
			break;
		n++;
	}
	return i;
}

/* ---- the summary of turns [0, n) ---- */

struct stored { struct history *h; int64_t first, last; struct message *m; };

static int
on_summary(void *arg, const struct fact *f)
{
	struct stored *v = arg;

	if (f->summary.first > v->first || f->summary.last < v->last ||
	    strcmp(f->head.session, v->h->session) != 0)
		return 0;
	v->m->content = arena_strndup(v->h->a, f->head.content, f->head.content_len);
	v->m->content_len = f->head.content_len;
	v->m->trust = f->head.trust;
	memcpy(v->m->id, f->head.id, sizeof(v->m->id));
	return 1;
}

static bool
make_summary(struct history *h, size_t n, uint64_t tokens, struct message *m)
{
	FREED struct summary_said *said = xcalloc(n + 1, sizeof(*said));
	struct summary_made made = { .len = 0 };
	size_t n_said = 0;

	for (size_t i = 0; i < n; i++) {
		const struct message *t = h->turns[i];
		if (t->role != ROLE_USER && t->role != ROLE_ASSISTANT && t->role != ROLE_OTHER)
			continue;
		said[n_said] = (struct summary_said){ .text = t->content,
			.len = t->content_len,
			.speaker = message_by(t),
			.turn = t->turn,
			.time_us = t->time_us,
			.trust = t->trust,
			.is_user = t->role != ROLE_ASSISTANT };
		memcpy(said[n_said].id, t->id, sizeof(said[n_said].id));
		n_said++;
	}
	bool any = n_said > 0 &&
	    summary_make(SUMMARY_OF_SESSION, said, n_said,
		(struct summary_room){ (unsigned)tokens, UINT32_MAX }, NULL, h->a, &made);
	m->content = made.content;
	m->content_len = made.len;
	m->trust = made.trust;
	return any && made.len > 0;
}

static int
add_summary(struct history *h, size_t n, struct err *err)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_SUMMARY);
	struct message *m = arena_zalloc(h->a, sizeof(*m));
	struct stored v = { .h = h, .m = m };
	uint64_t free_tokens =
		     h->c->limits.budget - MIN(h->c->limits.budget, (h->c->quarters + 3) / 4),
		 tokens;
	size_t n_said = 0;

	for (size_t i = 0; i < n; i++) {
		if (h->turns[i]->role == ROLE_SYSTEM)
			continue;
		v.first = n_said++ == 0 ? h->turns[i]->turn : v.first;
		v.last = h->turns[i]->turn;
	}
	if (n_said == 0)
		return 0;
	*m = (struct message){ .session = h->session,
		.role = ROLE_ASSISTANT,
		.name = "summary",
		.time_us = h->turns[n - 1]->time_us };
	f.kind = SUMMARY_SESSION;
	f.newest_first = true;
	if (records_each(h->store, &h->who, &f, on_summary, &v, err) < 0)
		return -1;
	if (m->content != NULL &&
	    context_add(h->c, &(struct context_piece){ m, 0, m->content_len, false, false },
		UINT64_MAX) != CONTEXT_FULL)
		return 0;
	m->id[0] = '\0';
	tokens = MIN((uint64_t)conf_int("summarize_tokens"),
	    free_tokens > LINE_TOKENS ? free_tokens - LINE_TOKENS : 0);
	for (; tokens >= LEAST_TOKENS && make_summary(h, n, tokens, m); tokens = tokens * 3 / 4)
		if (context_add(h->c, &(struct context_piece){ m, 0, m->content_len, false, false },
			UINT64_MAX) != CONTEXT_FULL)
			break;
	return 0;
}

int
history_fill(struct store *s, const struct scope *who, const struct message_filter *f,
	enum history_kind kind, struct context *c, struct arena *a, struct err *err)
{
	struct history h = { .store = s, .who = *who, .c = c, .a = a };
	uint64_t reserved = MIN((uint64_t)conf_int("summarize_tokens") + LINE_TOKENS,
	    c->limits.budget * SUMMARY_SHARE / 100);
	size_t most = c->limits.max_turns > 0 ? c->limits.max_turns
	    : kind == HISTORY_SUMMARY	      ? HISTORY_TURNS
					      : SIZE_MAX;

	c->limits.max_turns = 0; /* summary and system messages do not count as turns */
	int rc = read_turns(&h, f, err);
	if (rc == 0 && kind == HISTORY_HYBRID && (rc = add_marked(&h, err)) == 0)
		add_kept(&h);
	if (rc == 0 && h.n > 0) {
		size_t n_older = add_last(&h, most, c->limits.budget - reserved);
		if (n_older > 0)
			rc = add_summary(&h, n_older, err);
	}
	free(h.turns);
	return rc;
}

int
history_summary(struct store *s, const struct scope *who, const struct message_filter *f,
	struct context *c, struct arena *a, struct err *err)
{
	struct history h = { .store = s, .who = *who, .c = c, .a = a };
	int rc = read_turns(&h, f, err);

	if (rc == 0 && h.n > 0)
		rc = add_summary(&h, h.n, err);
	free(h.turns);
	return rc;
}
