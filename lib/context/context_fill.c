/*
 * context_fill.c: fills a block with the candidates of its builder, and tells what became of each.
 * The block is filled in passes over the candidates, best first: the first hit and what follows it,
 * where it is likely to answer; the first hits, up to HIT_SHARE of the budget; the turns that are
 * needed to understand them; whole chunks in place of excerpts; further hits; further chunks of
 * messages that are in. Each pass uses what the one before it left.
 */
#include "context/context_builder_parts.h"

#include <math.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "context/context_text.h"
#include "statement/sentence.h"
#include "text/tokens.h"

#define HIT_SHARE      0.95        /* share of the budget for hits, before any neighbouring turn */
/* so many hits are widened to whole chunks before any further hit is added */
#define FIRST_HITS     20
/* a reply of fewer characters says little without the turn that it replies to */
#define SHORT_CHARS    40
/* so many of what is left out are noted, of facts and of turns */
#define LEFT_MOST      32
#define BEFORE_CHARS   250         /* characters of the turn before a reply, from its end */
#define NEXT_TURNS     2           /* turns after a first hit that is likely to answer; */
#define ALONE_TURNS    5           /* where the second hit is not; */
#define NEXT_SHARE     0.08        /* each of at most this share of the budget */

static int
compare_picks(const void *pa, const void *pb)
{
	const struct pick *a = pa, *b = pb;

	if (a->parts.code_first != b->parts.code_first)
		return a->parts.code_first ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->seq < b->seq ? -1 : 1;
}

static enum context_did
add_part(struct context *c, const struct message *m, const struct excerpt *s, uint64_t budget)
{
	return context_add(c, &(struct context_piece){ m, s->start, s->len, s->code, false },
	    budget);
}

/*
 * Adds the first n hits. A long message gives an excerpt at first and whole chunks later: at 1,000
 * tokens that brings .614 of the evidence of the bench beam-100k into the block and .550 of the
 * answers' words, where whole chunks at once bring .584 and .533. Code is added whole or not at
 * all.
 */
static void
add_hits(struct context_builder *g, struct context *c, size_t n, uint64_t budget)
{
	for (size_t i = 0; i < MIN(n, g->n); i++) {
		struct pick *h = &g->items[i];

		if (h->in || h->parts.n == 0)
			continue;
		if (h->parts.excerpt.len == 0 || h->parts.best[0].code)
			h->did = add_part(c, h->m, &h->parts.best[0], budget);
		h->in = h->did == CONTEXT_IN;
		if (!h->in && h->parts.excerpt.len > 0)
			h->did = add_part(c, h->m, &h->parts.excerpt, budget);
		h->in = h->did == CONTEXT_IN;
	}
}

/* Widens excerpts to whole chunks where there is room. */
static void
grow_hits(struct context_builder *g, struct context *c)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct pick *h = &g->items[i];
		const struct excerpt *s = &h->parts.best[0];

		if (h->in && h->parts.excerpt.len > 0 && !s->code)
			context_grow(c,
			    &(struct context_piece){ h->m, s->start, s->len, false, false });
	}
}

/* ---- the first hit ---- */

/* Notes a turn that no search found and that is in the block beside one that was found. */
static void
note_beside(struct context_builder *g, const struct context *c, const struct message *m)
{
	handed_add(&g->beside, &(struct handed){ .row = m->row, .did = HANDED_BESIDE,
		.tokens = context_tokens(c, m), .score = NAN, .p = NAN, .sim = NAN, .bm25 = NAN });
}

struct next { struct context_builder *g; struct context *c; int64_t row; };

static int
on_next(void *arg, const struct message *m)
{
	struct next *n = arg;
	struct excerpt all = { .len = m->content_len };

	if (m->row == n->row || m->role == ROLE_SYSTEM || context_has(n->c, m) ||
	    (double)tokens_estimate(m->content, m->content_len) >
		NEXT_SHARE * (double)n->c->limits.budget ||
	    !builder_passes(n->g, m) || builder_leaves_out(n->g, m, NAN))
		return 0;
	m = context_keep(m, &n->g->arena);
	if (add_part(n->c, m, &all, UINT64_MAX) == CONTEXT_IN)
		note_beside(n->g, n->c, m);
	return 0;
}

/*
 * Adds the first hit where it is likely to answer: its whole chunk, where that takes at most half
 * of the budget, and the next turns, where they are short, as the answer to a question and what
 * makes an answer whole stand there. More of them where no second hit is likely: what would fill
 * the block else answers less (at 1,000 tokens .739 and .734 of the answers' words of two sets are
 * in it, .730 and .729 with two turns).
 */
static int
add_first(struct context_builder *g, struct context *c, struct err *err)
{
	struct pick *h = g->items;
	struct scope who = builder_scope(g);
	struct next next = { g, c, 0 };

	if (g->n == 0 || !h->likely || h->parts.n == 0)
		return 0;
	const struct excerpt *s = &h->parts.best[0];
	if (2 * (uint64_t)tokens_estimate(h->m->content + s->start, s->len) <= c->limits.budget)
		h->did = add_part(c, h->m, s, UINT64_MAX);
	h->in = h->did == CONTEXT_IN;
	add_hits(g, c, 1, UINT64_MAX);
	next.row = h->m->row;
	return h->in && next.row > 0 && g->want.next_turns
	    ? messages_around(g->store, &who, next.row, 0,
		g->n > 1 && g->items[1].likely ? NEXT_TURNS : ALONE_TURNS, on_next, &next, err)
	    : 0;
}

/* ---- the turn before a reply ---- */

struct before { struct context_builder *g; int64_t row; const struct message *m; };

static int
on_neighbour(void *arg, const struct message *m)
{
	struct before *b = arg;

	if (m->row < b->row)
		b->m = context_keep(m, &b->g->arena);
	return 0;
}

/*
 * Adds the turn before m, where m is short or answers a question and so cannot be understood alone.
 */
static int
add_before(struct context_builder *g, struct context *c, const struct message *m, struct err *err)
{
	struct before b = { g, m->row, NULL };
	struct scope who = builder_scope(g);
	struct excerpt s = { .start = 0 };

	if (m->row <= 0 || m->turn == 0)
		return 0;
	if (messages_around(g->store, &who, m->row, 1, 0, on_neighbour, &b, err) < 0)
		return -1;
	if (b.m == NULL || b.m->role == ROLE_SYSTEM || !builder_passes(g, b.m) ||
	    context_has(c, b.m) || builder_leaves_out(g, b.m, NAN))
		return 0;
	if (utf8_count(m->content, m->content_len) >= SHORT_CHARS &&
	    !sentence_asks(b.m->content, b.m->content_len))
		return 0;
	s.start = context_tail(b.m->content, b.m->content_len, BEFORE_CHARS);
	s.len = b.m->content_len - s.start;
	if (add_part(c, b.m, &s, UINT64_MAX) == CONTEXT_IN)
		note_beside(g, c, b.m);
	return 0;
}

/* Declares the turns that are in the block, and those before them. */
static int
want_before(struct context_builder *g, struct err *err)
{
	FREED int64_t *rows = xreallocarray(NULL, g->n + 1, 2 * sizeof(*rows));
	struct scope who = builder_scope(g);
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct message *m = g->items[i].m;

		if (!g->items[i].in || m->row <= 0 || m->turn == 0)
			continue;
		rows[n++] = m->row - 1;
		rows[n++] = m->row;
	}
	if (n > 0)
		rc = messages_rows_want(g->store, &who, rows, n, err);
	return rc;
}

static int
add_all_before(struct context_builder *g, struct context *c, struct err *err)
{
	bool own = false;
	int rc = 0;

	if (g->store != NULL && ((rc = store_gather(g->store, &own, err)) < 0 ||
	    (rc = want_before(g, err)) < 0))
		goto out;
	for (size_t i = 0; rc == 0 && i < g->n; i++)
		if (g->items[i].in)
			rc = add_before(g, c, g->items[i].m, err);
out:
	if (g->store != NULL)
		store_gather_end(g->store, own);
	return rc;
}

/* ---- what changed since ---- */

/* The callback leaves_out of changes_add. */
static bool
not_wanted(void *arg, const struct message *m)
{
	const struct context_builder *g = arg;

	return !builder_passes(g, m) || builder_leaves_out(g, m, NAN);
}

static int
add_changes(struct context_builder *g, struct context *c, struct err *err)
{
	const struct changes_want want = { g->store, g->search, g->want.who, &g->hits,
		not_wanted, g, &g->arena };
	size_t n = c->n;

	if (changes_add(&want, c, 0, err) < 0)
		return -1;
	for (; n < c->n; n++)
		note_beside(g, c, context_item(c, n));
	return 0;
}

int
context_builder_fill(struct context_builder *g, struct context *c, struct err *err)
{
	if (g->facts != NULL)
		fact_items_fill(g->facts, c, g->n == 0);
	if (g->n > 0)
		qsort(g->items, g->n, sizeof(*g->items), compare_picks);
	if (add_first(g, c, err) < 0)
		return -1;
	add_hits(g, c, FIRST_HITS, (uint64_t)((double)c->limits.budget * HIT_SHARE));
	if (add_changes(g, c, err) < 0)
		return -1;
	if (add_all_before(g, c, err) < 0)
		return -1;
	grow_hits(g, c);
	add_hits(g, c, g->n, UINT64_MAX);
	grow_hits(g, c);
	for (size_t k = 1; k < EXCERPTS_MAX; k++)
		for (size_t i = 0; i < g->n; i++)
			if (g->items[i].in && k < g->items[i].parts.n &&
			    g->items[i].parts.best[k].score > 0)
				add_part(c, g->items[i].m, &g->items[i].parts.best[k], UINT64_MAX);
	return 0;
}

/* ---- what became of each ---- */

/* Appends what is in the block, and the first of what is not. */
static void
note_all(struct handed_list *to, const struct handed_list *from)
{
	size_t n_left = 0;

	for (size_t i = 0; i < from->n; i++)
		if (handed_is_out(&from->items[i]) || n_left++ < LEFT_MOST)
			handed_add(to, &from->items[i]);
}

static void
note_picks(struct context_builder *g, const struct context *c)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct pick *h = &g->items[i];
		struct handed *of = h->found > 0 ? &g->found.items[h->found - 1] : NULL;

		if (of == NULL)
			continue;
		of->did = context_handed(h->did);
		of->tokens = h->in ? context_tokens(c, h->m) : 0;
	}
}

const struct metric *
context_builder_metric(struct context_builder *g, const struct context *c)
{
	LOCAL(handed_list) facts = { NULL, 0, 0 };

	if (g->metric.path == NULL)
		return NULL;
	note_picks(g, c);
	if (g->facts != NULL)
		fact_items_handed(g->facts, c, &facts);
	g->handed.n = 0;
	note_all(&g->handed, &facts);
	note_all(&g->handed, &g->found);
	note_all(&g->handed, &g->beside);
	g->metric.handed = g->handed.items;
	g->metric.n_handed = g->handed.n;
	return &g->metric;
}

/* ---- the last turns ---- */

struct recent { struct context_builder *g; struct context *c; };

static int
on_recent(void *arg, const struct message *m)
{
	struct recent *r = arg;
	const char *session = r->g->want.who.session;

	/* a document is no turn of what was said last, but of itself */
	if (m->role == ROLE_SYSTEM ||
	    (m->role == ROLE_DOCUMENT && (session == NULL || *session == '\0')))
		return 0;
	m = context_keep(m, &r->g->arena);
	struct excerpt s = excerpt_opening(m);
	/*
	 * One block of code that is too long, as code is not cut, must not end the listing of older
	 * turns.
	 */
	return add_part(r->c, m, &s, UINT64_MAX) == CONTEXT_FULL && !s.code;
}

int
context_builder_recent(struct context_builder *g, struct context *c, struct err *err)
{
	struct message_filter f = g->want.query.filter;
	struct recent r = { g, c };
	struct scope who = g->want.who;

	if (g->store == NULL)
		return 0;
	if (g->want.query.scope == SEARCH_USER)
		who.session = NULL;
	f.newest_first = true;
	f.limit = 0;
	return messages_each(g->store, &who, &f, on_recent, &r, err);
}

/* ---- protected facts ---- */

int
context_builder_pinned(struct context_builder *g, struct context *c, struct err *err)
{
	return g->facts == NULL || !g->want.facts
	    ? 0
	    : fact_items_pinned(g->facts, &g->want.query.filter, c, err);
}
