/*
 * context_builder.c: candidates are first collected, from searches and from records, and only then
 * added to the block, because several questions share it: the first hit of each question comes
 * before the second of any.
 */
#include "context/context_builder_parts.h"

#include <math.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/order.h"
#include "search/ask.h"
#include "statement/silence.h"


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
	handed_list_release(&g->found);
	handed_list_release(&g->beside);
	handed_list_release(&g->handed);
	arena_release(&g->arena);
	free(g);
}

const char *
context_builder_without(const struct context_builder *g)
{
	return g->without;
}

/* ---- messages ---- */

bool
builder_passes(const struct context_builder *g, const struct message *m)
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

bool
builder_leaves_out(const struct context_builder *g, const struct message *m, float p)
{
	if (m->role == ROLE_TOOL && g->want.query.filter.role != ROLE_TOOL &&
	    *m->tool_calls == '\0' && silence_of_tool(m->content, m->content_len))
		return true;
	return g->want.leaves_out != NULL && g->want.leaves_out(g->want.arg, m, p);
}

struct scope
builder_scope(const struct context_builder *g)
{
	struct scope who = g->want.who;

	who.session = NULL;
	return who;
}

/* ---- candidates ---- */

static int
add_pick(struct context_builder *g, const struct message *m, const struct question *q, int64_t rank,
	double p, size_t wanted, struct err *err)
{
	struct scope who = builder_scope(g);

	if (m->role == ROLE_SYSTEM || !builder_passes(g, m) ||
	    (!isnan(p) && m->role <= ROLE_ASSISTANT &&
		silence_of_talk(m->content, m->content_len)))
		return 0;
	xgrow(&g->items, &g->cap, g->n + 1, sizeof(*g->items));
	struct pick *h = &g->items[g->n];
	*h = (struct pick){ .m = m,
		.did = CONTEXT_NOTHING,
		.rank = rank,
		.seq = g->n,
		.likely = p >= conf_real("likely") };
	if (excerpts_choose(g->store, &who, m, q, wanted, &h->parts, err) < 0)
		return -1;
	g->n++;
	changes_hit(&g->hits, m);
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
	bool refused = builder_leaves_out(g, m, hit->p);

	note_found(g, hit, rank, HANDED_REFUSED);
	if (refused)
		return 0;
	if (add_pick(g, m, q, (int64_t)rank, (double)hit->p, SIZE_MAX, err) < 0)
		return -1;
	if (g->n > n)
		g->items[n].found = g->found.n;
	return 0;
}

static int
add_found(struct context_builder *g, const struct search_query *query, struct err *err)
{
	struct search_result r;

	if (g->store == NULL)
		return 0;
	if (search_run(g->search, &g->want.who, query, &r, err) < 0) {
		if (g->want.program != NULL)
			search_failed(g->search, &g->want.who, g->want.program, err);
		return -1;
	}
	add_metric(g, query, &r);
	if (g->without[0] == '\0')
		search_without(&r, g->without, sizeof(g->without));
	bool wanted = !g->want.likely || search_n_likely(&r) > 0;
	for (size_t i = 0; i < r.n; i++) {
		if (!wanted)
			note_found(g, &r.hits[i], i + 1, HANDED_UNLIKELY);
		else if (add_hit(g, &r.hits[i], r.question, i + 1, err) < 0)
			return -1;
	}
	if (g->want.stored != NULL && search_has_p(query->strategy) &&
	    fact_items_stored(g->facts, g->want.stored, g->search, query, &r, g->want.leaves_out,
		g->want.arg, err) < 0)
		return -1;
	return g->facts == NULL || !g->want.facts
	    ? 0
	    : fact_items_ask(g->facts, query->text, query->len, g->want.likely,
		  &query->filter, err);
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

	if (why == NULL || why->kind != JSON_ARRAY || why->len == 0)
		return NULL;
	LOCAL(buf) text = buf_of(conf_caps.query_bytes);
	for (size_t i = 0; i < why->len; i++) {
		if (why->u.items[i].kind != JSON_STRING)
			continue;
		buf_add(&text, why->u.items[i].u.string, why->u.items[i].len);
		buf_addc(&text, ' ');
	}
	question_read(&g->why, text.data, text.len, TIME_NONE, CAP_QUERY_TERMS);
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
	struct scope who = builder_scope(g);
	const struct fact *r;

	if (records_find(g->store, &who, id, &g->arena, &r, err) < 0)
		return -1;
	*is_record = r != NULL;
	if (r != NULL && g->facts != NULL && g->want.facts)
		fact_items_add(g->facts, r, json_get_number(v, "score", 1 / (double)rank),
		    &g->want.query);
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
	struct scope who = builder_scope(g);
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
	return add_pick(g, m, read_why(g, v), rank, json_get_number(v, "p", NAN),
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

	if (from < 0)
		from = m.role == ROLE_USER ? ORIGIN_USER
		    : m.role == ROLE_TOOL  ? ORIGIN_TOOL
					   : ORIGIN_ASSISTANT;
	m.origin = (enum origin)from;
	double trust = json_get_number(v, "trust", origin_trust(m.origin));
	m.trust = trust >= 0 && trust <= 3 ? (int)trust : 0;
	if (time != NULL && time_parse(time, strlen(time), &m.time_us, NULL) != 0)
		return err_set(err, ERR_DATA, "no time: '%s'", time);
	m.session = json_text(v, "session");
	m.name = json_text(v, "name");
	m.source_id = json_text(v, "source_id");
	return add_pick(g, context_keep(&m, &g->arena), NULL, rank, NAN, SIZE_MAX, err);
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
