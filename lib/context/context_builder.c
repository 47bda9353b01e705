/*
 * context_builder.c: candidates are first collected, from searches and from records, and only then
 * added to the block, because several questions share it: the first hit of each question comes
 * before the second of any.
 *
 * The block is filled in passes over the candidates, best first: the first hits, up to HIT_SHARE of
 * the budget; the turns that are needed to understand them; whole chunks in place of excerpts;
 * further hits; further chunks of messages that are in. Each pass uses what the one before it left.
 */
#include "context/context_builder.h"

#include <math.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/conf.h"
#include "base/order.h"
#include "base/utf8.h"
#include "context/context_text.h"
#include "context/excerpt.h"
#include "context/fact_items.h"
#include "search/ask.h"
#include "search/handed_hits.h"
#include "statement/cues.h"
#include "statement/sentence.h"

#define HIT_SHARE      0.95        /* share of the budget for hits, before any neighbouring turn */
/* so many hits are widened to whole chunks before any further hit is added */
#define FIRST_HITS     20
/* a reply of fewer characters says little without the turn that it replies to */
#define SHORT_CHARS    40
/* so many of what is left out are noted, of facts and of turns */
#define LEFT_MOST      32
#define ACKNOWLEDGED_BYTES 240     /* of a line that only says that something was done */
#define LEAST_HITS     20          /* so many are searched for, however few are wanted */
#define BEFORE_CHARS   250         /* characters of the turn before a reply, from its end */

struct pick {
	const struct message *m;
	struct excerpts parts;
	bool in;
	enum context_did did;              /* the last try of the hit */
	int64_t rank;
	size_t seq;
	size_t found;                      /* index in found + 1; 0: no search found it */
};

struct context_builder {
	struct store *store;
	struct search *search;
	bool opened;               /* search is our own, and is closed */
	struct context_builder_want want;
	struct pick *items;
	size_t n, cap;
	struct question why;
	struct fact_items *facts;         /* NULL: facts are not wanted */
	struct metric metric;
	/* what the searches found, and turns before replies; handed: these and facts, in the end */
	struct handed_list found, beside, handed;
	struct changes_hits hits;         /* the first of found, the refused ones, too */
	/* true when it was so for any of the questions; see struct metric */
	bool widened, dense, fallback;
	char flags[40];
	char without[500];
	struct arena arena;
};

int
context_builder_open(struct store *s, const struct context_builder_want *want,
	struct context_builder **out, struct err *err)
{
	struct context_builder *g = xcalloc(1, sizeof(*g));

	g->store = s;
	g->want = *want;
	g->search = want->search;
	if (s != NULL && g->search == NULL) {
		if (search_open(s, &g->search, err) < 0) {
			context_builder_close(g);
			return -1;
		}
		g->opened = true;
	}
	if (s != NULL && (want->facts || want->stored != NULL))
		g->facts = fact_items_new(s, &g->want.who, g->want.bank);
	*out = g;
	return 0;
}

void
context_builder_close(struct context_builder *g)
{
	if (g == NULL)
		return;
	if (g->opened)
		search_close(g->search);
	fact_items_free(g->facts);
	free(g->items);
	handed_release(&g->found);
	handed_release(&g->beside);
	handed_release(&g->handed);
	arena_release(&g->arena);
	free(g);
}

/* ---- messages ---- */

/* Whether m passes the search's filter; for messages that did not come from the search. */
static bool
passes_filter(const struct context_builder *g, const struct message *m)
{
	const struct message_filter *f = &g->want.query.filter;
	const char *session = g->want.who.session;

	if ((f->role >= 0 && (int)m->role != f->role) ||
	    !said_by_has(&f->said_by, m) || m->trust < f->min_trust)
		return false;
	if ((f->since_us != TIME_NONE && (m->time_us == TIME_NONE || m->time_us < f->since_us)) ||
	    (f->until_us != TIME_NONE && (m->time_us == TIME_NONE || m->time_us >= f->until_us)))
		return false;
	return g->want.query.scope != SEARCH_SESSION || session == NULL || *session == '\0' ||
	    strcmp(session, m->session) == 0;
}

/* Whether a tool's result is a number alone, or one line that says that something was done. */
static bool
says_nothing(const struct message *m)
{
	const struct cues *cues = cues_of("schema/cues/acknowledged.txt");
	struct cue found;
	size_t n = 0;

	while (n < m->content_len && !ascii_is_letter(m->content[n]) &&
	    (unsigned char)m->content[n] < 0x80)
		n++;
	if (n == m->content_len)
		return true;
	return memchr(m->content, '\n', m->content_len) == NULL &&
	    m->content_len <= ACKNOWLEDGED_BYTES && cues != NULL &&
	    cues_find(cues, m->content, m->content_len, &found, 1, NULL) > 0;
}

static bool
left_out(const struct context_builder *g, const struct message *m, float p)
{
	if (m->role == ROLE_TOOL && g->want.query.filter.role != ROLE_TOOL &&
	    *m->tool_calls == '\0' && says_nothing(m))
		return true;
	return g->want.leaves_out != NULL && g->want.leaves_out(g->want.arg, m, p);
}

/* The scope without its session: an id may name a message of any session. */
static struct scope
all_sessions(const struct context_builder *g)
{
	struct scope who = g->want.who;

	who.session = NULL;
	return who;
}

/* ---- candidates ---- */

static int
add_pick(struct context_builder *g, const struct message *m, const struct question *q, int64_t rank,
	size_t wanted, struct err *err)
{
	struct scope who = all_sessions(g);
	struct pick *h;

	if (m->role == ROLE_SYSTEM || !passes_filter(g, m))
		return 0;
	xgrow(&g->items, &g->cap, g->n + 1, sizeof(*g->items));
	h = &g->items[g->n];
	*h = (struct pick){ .m = m, .did = CONTEXT_NOTHING, .rank = rank, .seq = g->n };
	if (excerpts_choose(g->store, &who, m, q, wanted, &h->parts, err) < 0)
		return -1;
	g->n++;
	return 0;
}

/* Sums up the figures of several questions that share one block: hits and times. */
static void
add_metric(struct context_builder *g, const struct search_query *query,
	const struct search_result *r)
{
	struct metric *m = &g->metric;

	m->time_us = clock_now_us();
	m->path = query->strategy;
	m->query_hash = hash64(query->text, query->len, 0) >> 1;
	m->query_bytes = (int64_t)query->len;
	m->n_hits += (int64_t)search_n_likely(r);
	m->n_candidates += (int64_t)r->n_candidates;
	m->top_score = r->n > 0 ? MAX(m->top_score, (double)r->hits[0].score) : m->top_score;
	m->us_text += r->us_text;
	m->us_vectors += r->us_vectors;
	m->us_rank += r->us_rank;
	m->us_fetch += r->us_fetch;
	g->widened |= r->widened;
	g->dense |= r->dense;
	g->fallback |= r->missing_model != NULL;
	snprintf(g->flags, sizeof(g->flags), "%s%s%s", g->widened ? ",widened" : "",
	    g->dense ? ",vectors" : "", g->fallback ? ",fallback" : "");
	m->flags = g->flags + (g->flags[0] == ',');
}

const char *
context_builder_without(const struct context_builder *g)
{
	return g->without;
}

/* Notes what the search found, as left out until it is in the block. */
static void
note_found(struct context_builder *g, const struct search_hit *hit, size_t rank,
	enum handed_did did)
{
	struct handed h = handed_said(hit, rank);
	float *x = arena_alloc(&g->arena, sizeof(hit->x));

	memcpy(x, hit->x, sizeof(hit->x));
	h.x = x;
	h.did = did;
	handed_add(&g->found, &h);
}

static int
add_hit(struct context_builder *g, const struct search_hit *hit, const struct question *q,
	size_t rank, struct err *err)
{
	const struct message *m = context_keep(hit->message, &g->arena);
	size_t n = g->n;
	bool refused = left_out(g, m, hit->p);

	note_found(g, hit, rank, HANDED_REFUSED);
	changes_hit(&g->hits, m);
	if (refused)
		return 0;
	if (add_pick(g, m, q, (int64_t)rank, SIZE_MAX, err) < 0)
		return -1;
	if (g->n > n)
		g->items[n].found = g->found.n;
	return 0;
}

/* The search; *n_all hits: those beyond its limit may only change what the others say. */
static int
search_for(struct context_builder *g, const struct search_query *query, struct search_result *r,
	size_t *n_all, struct err *err)
{
	struct search_query wider = *query;

	wider.limit = MAX(query->limit, LEAST_HITS);
	if (search_run(g->search, &g->want.who, &wider, r, err) < 0)
		return -1;
	*n_all = r->n;
	r->n = MIN(r->n, (size_t)MAX(query->limit, 0));
	return 0;
}

static int
add_found(struct context_builder *g, const struct search_query *query, struct err *err)
{
	struct search_result r;
	size_t n_all;
	bool wanted;

	if (g->store == NULL)
		return 0;
	if (search_for(g, query, &r, &n_all, err) < 0)
		return -1;
	add_metric(g, query, &r);
	if (g->without[0] == '\0')
		search_without(&r, g->without, sizeof(g->without));
	wanted = !g->want.likely || search_n_likely(&r) > 0;
	for (size_t i = 0; i < r.n; i++) {
		if (!wanted)
			note_found(g, &r.hits[i], i + 1, HANDED_UNLIKELY);
		else if (add_hit(g, &r.hits[i], r.question, i + 1, err) < 0)
			return -1;
	}
	for (size_t i = r.n; wanted && i < n_all; i++)
		changes_hit(&g->hits, context_keep(r.hits[i].message, &g->arena));
	if (g->want.stored != NULL && search_has_p(query->strategy) &&
	    fact_items_stored(g->facts, g->want.stored, g->search, query, &r, g->want.leaves_out,
		g->want.arg, err) < 0)
		return -1;
	return g->facts == NULL || !g->want.facts
	    ? 0
	    : fact_items_ask(g->facts, query->text, query->len, &query->filter, err);
}

int
context_builder_question(struct context_builder *g, const char *text, size_t len, struct err *err)
{
	struct search_query query = g->want.query;
	struct search_word added[FOLLOWUP_WORDS];
	struct rewritten q;

	query.text = text;
	query.len = len;
	if (g->want.rewriter->has_talk) {
		rewriter_text(g->want.rewriter, text, len, &q);
		rewriter_query(&q, &query, added);
	}
	return add_found(g, &query, err);
}

/*
 * Adds the hits for a record of type query: a question, what mem-rewrite made of one, or one with
 * the conversation before it.
 */
static int
add_query(struct context_builder *g, const struct json *v, struct err *err)
{
	struct search_query query = g->want.query;
	struct search_word added[FOLLOWUP_WORDS];
	struct rewritten q;
	int rc = rewriter_record(g->want.rewriter, v, false, &q, err);

	if (rc < 0 || ask_moment(v, &query.now_us, err) != 0)
		return -1;
	query.text = q.query;
	query.len = q.query_len;
	if (rc == 1 || g->want.rewriter->has_talk)
		rewriter_query(&q, &query, added);
	return add_found(g, &query, err);
}

/* Reads the terms by which a hit says it was found, as a question. */
static const struct question *
read_why(struct context_builder *g, const struct json *v)
{
	const struct json *why = json_get(v, "why");
	struct buf text;

	if (why == NULL || why->kind != JSON_ARRAY || why->len == 0)
		return NULL;
	buf_init(&text, conf_caps.query_bytes);
	for (size_t i = 0; i < why->len; i++) {
		if (why->u.items[i].kind != JSON_STRING)
			continue;
		buf_add(&text, why->u.items[i].u.string, why->u.items[i].len);
		buf_addc(&text, ' ');
	}
	question_read(&g->why, text.data, text.len, TIME_NONE, CAP_QUERY_TERMS);
	buf_release(&text);
	return &g->why;
}

/*
 * Adds a hit that is a fact, a reflection or a summary; it is left out where these are not wanted.
 * *is_record becomes false when id is none of these.
 */
static int
add_fact_hit(struct context_builder *g, const struct json *v, const char *id, int64_t rank,
	bool *is_record, struct err *err)
{
	struct scope who = all_sessions(g);
	const struct fact *r;

	if (records_find(g->store, &who, id, &g->arena, &r, err) < 0)
		return -1;
	*is_record = r != NULL;
	if (r != NULL && g->facts != NULL && g->want.facts)
		fact_items_add(g->facts, r, json_get_number(v, "score", 1 / (double)rank),
		    &g->want.query.filter);
	return 0;
}

static int
err_not_stored(const struct json *v, const char *id, const char *own, struct err *err)
{
	const char *user = json_text(v, "user");

	if (*user != '\0' && strcmp(user, own) != 0)
		return err_set(err, ERR_DATA, ERR_OTHER_USER, user, own);
	return err_set(err, ERR_DATA, "no message and no record '%s' in this memory", id);
}

static int
add_stored(struct context_builder *g, const struct json *v, const char *id, int64_t rank,
	struct err *err)
{
	const struct json *chunk = json_is(v, "type", "chunk") ? v : json_get(v, "chunk");
	struct scope who = all_sessions(g);
	const struct message *m = NULL;
	bool is_record = false;
	double start = chunk != NULL ? json_get_number(chunk, "start", -1) : -1;

	if (g->store != NULL && messages_find(g->store, &who, id, &g->arena, &m, err) < 0)
		return -1;
	if (m == NULL &&
	    (json_is(v, "kind", "category") ||
		(g->store != NULL && add_fact_hit(g, v, id, rank, &is_record, err) < 0)))
		return err->code != 0 ? -1 : 0;
	if (m == NULL && !is_record)
		return err_not_stored(v, id, who.user, err);
	if (m == NULL)
		return 0;
	return add_pick(g, m, read_why(g, v), rank,
	    start >= 0 && start < 1e15 ? (size_t)start : SIZE_MAX, err);
}

/* Adds a message that is not stored. Its trust is at most that of the origin it claims. */
static int
add_given(struct context_builder *g, const struct json *v, const char *content, size_t len,
	int64_t rank, struct err *err)
{
	const char *role = json_get_string(v, "role", NULL),
		   *time = json_get_string(v, "time", NULL),
		   *origin = json_get_string(v, "origin", NULL);
	struct message m = { .role = role != NULL ? role_parse(role) : ROLE_OTHER,
		.content = content,
		.content_len = len,
		.time_us = TIME_NONE };
	int from = origin != NULL ? origin_parse(origin) : -1;
	double trust;

	if (from < 0)
		from = m.role == ROLE_USER ? ORIGIN_USER
		    : m.role == ROLE_TOOL  ? ORIGIN_TOOL
					   : ORIGIN_ASSISTANT;
	m.origin = (enum origin)from;
	trust = json_get_number(v, "trust", origin_trust(m.origin));
	m.trust = trust >= 0 && trust <= 3 ? (int)trust : 0;
	if (time != NULL && time_parse(time, strlen(time), &m.time_us, NULL) != 0)
		return err_set(err, ERR_DATA, "no time: '%s'", time);
	m.session = json_text(v, "session");
	m.name = json_text(v, "name");
	m.source_id = json_text(v, "source_id");
	return add_pick(g, context_keep(&m, &g->arena), NULL, rank, SIZE_MAX, err);
}

static bool
is_taken(const char *type)
{
	static const char *const types[] = { "hit", "message", "query", "chunk", "fact", "summary",
		"reflection", "work" };

	return text_index(type, types, NELEM(types)) >= 0;
}

int
context_builder_record(struct context_builder *g, const struct json *v, struct err *err)
{
	const char *type = json_get_string(v, "type", NULL), *id = json_get_string(v, "id", NULL),
		   *text;
	double rank = json_get_number(v, "rank", (double)g->n + 1);
	size_t len;

	if (v->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "not a JSON object");
	if (type != NULL && !is_taken(type))
		return err_set(err, ERR_DATA, "a record of type '%.100s' has no text of its own",
		    type);
	if (json_is(v, "type", "chunk"))
		id = json_get_string(v, "message", NULL);
	if (json_get_string(v, "rewritten", NULL) != NULL ||
	    json_get_string(v, "query", NULL) != NULL)
		return add_query(g, v, err);
	rank = rank >= 1 ? MIN(rank, 1e15) : 1e15;
	if (id != NULL)
		return add_stored(g, v, id, (int64_t)rank, err);
	if ((text = json_get_string(v, "content", &len)) != NULL)
		return add_given(g, v, text, len, (int64_t)rank, err);
	return err_set(err, ERR_DATA, "no key 'id', 'content' or 'query' with a text");
}

/* ---- filling the block ---- */

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

/* ---- the turn before a reply ---- */

/* Notes a turn that no search found and that is in the block beside one that was found. */
static void
note_beside(struct context_builder *g, const struct context *c, const struct message *m)
{
	handed_add(&g->beside, &(struct handed){ .row = m->row, .did = HANDED_BESIDE,
		.tokens = context_tokens(c, m), .score = NAN, .p = NAN, .sim = NAN, .bm25 = NAN });
}

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
	struct scope who = all_sessions(g);
	struct excerpt s = { .start = 0 };

	if (m->row <= 0 || m->turn == 0)
		return 0;
	if (messages_around(g->store, &who, m->row, 1, 0, on_neighbour, &b, err) < 0)
		return -1;
	if (b.m == NULL || b.m->role == ROLE_SYSTEM || !passes_filter(g, b.m) ||
	    context_has(c, b.m) || left_out(g, b.m, NAN))
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
	int64_t *rows = xreallocarray(NULL, g->n + 1, 2 * sizeof(*rows));
	struct scope who = all_sessions(g);
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
	free(rows);
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

	return !passes_filter(g, m) || left_out(g, m, NAN);
}

static int
add_changes(struct context_builder *g, struct context *c, struct err *err)
{
	const struct changes_want want = { g->search, g->want.who, &g->hits, not_wanted, g,
		&g->arena };
	size_t n = c->n;

	if (changes_add(&want, c, 0, err) < 0)
		return -1;
	for (; n < c->n; n++)
		note_beside(g, c, context_item(c, n));
	return 0;
}

const struct changes_hits *
context_builder_hits(const struct context_builder *g)
{
	return &g->hits;
}

int
context_builder_fill(struct context_builder *g, struct context *c, struct err *err)
{
	if (g->facts != NULL)
		fact_items_fill(g->facts, c, g->n == 0);
	if (g->n > 0)
		qsort(g->items, g->n, sizeof(*g->items), compare_picks);
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
	struct handed_list facts = { NULL, 0, 0 };

	if (g->metric.path == NULL)
		return NULL;
	note_picks(g, c);
	if (g->facts != NULL)
		fact_items_handed(g->facts, c, &facts);
	g->handed.n = 0;
	note_all(&g->handed, &facts);
	note_all(&g->handed, &g->found);
	note_all(&g->handed, &g->beside);
	handed_release(&facts);
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
	struct excerpt s;

	/* a document is no turn of what was said last, but of itself */
	if (m->role == ROLE_SYSTEM ||
	    (m->role == ROLE_DOCUMENT && (session == NULL || *session == '\0')))
		return 0;
	m = context_keep(m, &r->g->arena);
	s = excerpt_opening(m);
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
