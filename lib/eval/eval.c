/*
 * eval.c: the relevant ids of a question are resolved to rows; then every strategy answers the
 * question in turn, so that all see the same store in the same state and none profits more than
 * others from warm caches. A relevant message counts once: a second hit on it finds nothing new.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/id.h"
#include "eval/eval.h"
#include "json/ndjson.h"
#include "search/ask.h"
#include "search/search_steps.h"

/* The messages that the relevant ids of a question name. */
struct relevant {
	int64_t *rows;             /* [n] distinct rows */
	bool *is_found;            /* [n] whether a better hit of the current strategy found it */
	size_t n, cap;
	size_t n_unknown;          /* distinct ids that are not in the store */
};

struct eval {
	struct store *store;
	struct eval_want want;
	struct scores **scores;    /* [n_strategies] */
	struct eval_counts counts;
	struct search *search;
	struct facts_search *tiers;
	struct relevant relevant;
	uint32_t *found;           /* [n_hits] */
	struct arena arena;
};

struct labelled {
	const char *text, *category, *user;
	const struct json *relevant;
	int64_t now_us;
};

static size_t
n_hits(const struct eval *e)
{
	return e->want.k[e->want.n_k - 1];
}

int
eval_open(struct store *s, const struct eval_want *want, struct eval **out, struct err *err)
{
	struct eval *e;

	*out = NULL;
	for (size_t i = 0; i < want->n_strategies; i++)
		if (!search_knows(want->strategies[i]))
			return ask_no_strategy(want->strategies[i], err);
	e = xcalloc(1, sizeof(*e));
	if (search_open(s, &e->search, err) != 0) {
		free(e);
		return -1;
	}
	e->store = s;
	e->tiers = facts_search_new(s);
	e->want = *want;
	e->scores = xcalloc(want->n_strategies, sizeof(struct scores *));
	for (size_t i = 0; i < want->n_strategies; i++)
		e->scores[i] = scores_new(want->k, want->n_k);
	e->found = xcalloc(n_hits(e), sizeof(*e->found));
	e->relevant.cap = 8;
	e->relevant.rows = xcalloc(e->relevant.cap, sizeof(*e->relevant.rows));
	e->relevant.is_found = xcalloc(e->relevant.cap, sizeof(*e->relevant.is_found));
	*out = e;
	return 0;
}

void
eval_close(struct eval *e)
{
	if (e == NULL)
		return;
	search_close(e->search);
	facts_search_free(e->tiers);
	for (size_t i = 0; i < e->want.n_strategies; i++)
		scores_free(e->scores[i]);
	free(e->scores);
	free(e->relevant.rows);
	free(e->relevant.is_found);
	free(e->found);
	arena_release(&e->arena);
	free(e);
}

struct eval_counts
eval_counts(const struct eval *e)
{
	return e->counts;
}

const struct scores *
eval_scores(const struct eval *e, size_t i)
{
	return e->scores[i];
}

/* ---- reading a question ---- */

/*
 * The text at key, NULL when it is missing or null; a number is returned as it is written. Returns
 * -1 for any other value.
 */
static int
text_of(const struct json *v, const char *key, struct arena *a, const char **out, struct err *err)
{
	const struct json *x = json_get(v, key);

	*out = NULL;
	if (x == NULL || x->kind == JSON_NULL)
		return 0;
	if (x->kind == JSON_STRING)
		*out = x->u.string;
	else if (x->kind == JSON_NUMBER)
		*out = arena_printf(a, "%.17g", x->u.number);
	else
		return err_set(err, ERR_DATA, "'%s' is no text", key);
	return 0;
}

static int
line_read(struct eval *e, const struct json *v, struct labelled *q, struct err *err)
{
	if (v->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "not a JSON object");
	if (text_of(v, "query", &e->arena, &q->text, err) != 0 ||
	    text_of(v, "category", &e->arena, &q->category, err) != 0 ||
	    text_of(v, "user", &e->arena, &q->user, err) != 0)
		return -1;
	if (q->text == NULL)
		return err_set(err, ERR_DATA, "no key 'query' with a text");
	q->now_us = clock_now_us();
	if (ask_moment(v, &q->now_us, err) != 0)
		return -1;
	q->relevant = json_get(v, "relevant");
	if (q->relevant != NULL && q->relevant->kind != JSON_ARRAY &&
	    q->relevant->kind != JSON_NULL)
		return err_set(err, ERR_DATA, "'relevant' is no array of ids");
	if (q->user == NULL || *q->user == '\0')
		q->user = e->want.who.user;
	else if (!e->want.multi_user && strcmp(q->user, e->want.who.user) != 0)
		return err_set(err, ERR_DATA, "the user is '%s', not '%s' (--multi-user takes any)",
		    q->user, e->want.who.user);
	return 0;
}

/* ---- what is relevant ---- */

static void
relevant_add(struct relevant *r, int64_t row)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->rows[i] == row)
			return;
	if (r->n == r->cap) {
		r->cap *= 2;
		r->rows = xreallocarray(r->rows, r->cap, sizeof(*r->rows));
		r->is_found = xreallocarray(r->is_found, r->cap, sizeof(*r->is_found));
	}
	r->rows[r->n++] = row;
}

/*
 * Looks the id up as a source's own id first, because a source may number its messages in a form
 * like ours.
 */
static int
find_message(struct eval *e, const struct scope *who, const char *id, const struct message **m,
	struct err *err)
{
	uint8_t bytes[ID_BYTES];
	bool is_source = strncmp(id, "source:", 7) == 0;

	if (messages_find(e->store, who, is_source ? id : arena_printf(&e->arena, "source:%s", id),
		&e->arena, m, err) != 0)
		return -1;
	if (*m == NULL && !is_source && id_parse(id, strlen(id), bytes) == 0)
		return messages_find(e->store, who, id, &e->arena, m, err);
	return 0;
}

/* Whether the id at index at stands earlier in ids: it counts once, whether it is known or not. */
static bool
stands_before(const struct json *ids, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (ids->u.items[i].kind == ids->u.items[at].kind &&
		    ids->u.items[i].len == ids->u.items[at].len &&
		    (ids->u.items[i].kind == JSON_STRING
			    ? strcmp(ids->u.items[i].u.string, ids->u.items[at].u.string) == 0
			    : ids->u.items[i].u.number == ids->u.items[at].u.number))
			return true;
	return false;
}

static int
relevant_resolve(struct eval *e, const struct scope *who, const struct json *ids, struct err *err)
{
	const struct message *m;

	e->relevant.n = e->relevant.n_unknown = 0;
	for (size_t i = 0; ids != NULL && ids->kind == JSON_ARRAY && i < ids->len; i++) {
		const struct json *x = &ids->u.items[i];
		if (x->kind != JSON_STRING && x->kind != JSON_NUMBER)
			return err_set(err, ERR_DATA, "'relevant' holds something that is no id");
		if (stands_before(ids, i))
			continue;
		const char *id = x->kind == JSON_STRING ? x->u.string
					    : arena_printf(&e->arena, "%.17g", x->u.number);
		if (find_message(e, who, id, &m, err) != 0)
			return -1;
		if (m != NULL)
			relevant_add(&e->relevant, m->row);
		else
			e->relevant.n_unknown++;
	}
	return 0;
}

/* Returns 1 when row is relevant and no better hit found it, else 0. */
static uint32_t
claim_row(struct relevant *r, int64_t row)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->rows[i] == row && !r->is_found[i]) {
			r->is_found[i] = true;
			return 1;
		}
	return 0;
}

/* ---- answering ---- */

static struct search_query
query_of(const struct eval *e, const struct labelled *q, const char *strategy)
{
	return (struct search_query){
		.text = q->text,
		.len = strlen(q->text),
		.strategy = strategy,
		.limit = (int64_t)n_hits(e),
		.filter = MESSAGE_FILTER_ANY,
		.now_us = q->now_us,
		.as_kind = e->want.as_kind,
		.kind = e->want.kind,
	};
}

/*
 * Answers a question by one strategy. found [*n] receives how many relevant messages each hit
 * finds, *ms the time from question to hits, *best the highest probability of a hit.
 */
static int
ask_strategy(struct eval *e, const struct scope *who, const struct labelled *q,
	const char *strategy, size_t *n, double *ms, double *best, struct err *err)
{
	struct search_query query = query_of(e, q, strategy);
	int64_t start = clock_mono_us();
	struct search_result r;

	if (search_run(e->search, who, &query, &r, err) != 0)
		return -1;
	*ms = (double)(clock_mono_us() - start) / 1000;
	memset(e->relevant.is_found, 0, e->relevant.n * sizeof(*e->relevant.is_found));
	*n = MIN(r.n, n_hits(e));
	*best = 0;
	for (size_t i = 0; i < *n; i++) {
		e->found[i] = claim_row(&e->relevant, r.hits[i].row);
		*best = MAX(*best, (double)r.hits[i].p);
	}
	return 0;
}

/*
 * Counts the relevant messages among the sources of a derived record; for a summary of facts, among
 * the sources of those facts.
 */
static int
find_sources(struct eval *e, const struct scope *who, const struct record_head *h, bool deeper,
	uint32_t *n, struct err *err)
{
	const struct message *m;
	const struct fact *f;

	for (size_t i = 0; i < h->n_sources; i++) {
		if (messages_find(e->store, who, h->sources[i].id, &e->arena, &m, err) != 0)
			return -1;
		if (m != NULL)
			*n += claim_row(&e->relevant, m->row);
		else if (deeper &&
		    (records_find(e->store, who, h->sources[i].id, &e->arena, &f, err) != 0 ||
			(f != NULL && find_sources(e, who, &f->head, false, n, err) != 0)))
			return -1;
	}
	return 0;
}

/* The same for a strategy that searches tier by tier; its hits have no probability. */
static int
ask_steps(struct eval *e, const struct scope *who, const struct labelled *q, const char *strategy,
	size_t *n, double *ms, struct err *err)
{
	static const struct record_filter any = RECORD_FILTER_ANY(RECORD_FACT);
	const struct search_query query = query_of(e, q, strategy);
	const struct steps_in in = { e->store, e->search, e->tiers, &query, &any, TIERS_ALL };
	int64_t start = clock_mono_us();
	struct steps_result r;

	if (steps_run(&in, who, &e->arena, &r, err) != 0)
		return -1;
	*ms = (double)(clock_mono_us() - start) / 1000;
	memset(e->relevant.is_found, 0, e->relevant.n * sizeof(*e->relevant.is_found));
	*n = r.n;
	for (size_t i = 0; i < r.n; i++) {
		const struct step_hit *h = &r.hits[i];
		e->found[i] = 0;
		if (h->category != NULL)
			continue;
		if (h->known.record == NULL)
			e->found[i] = claim_row(&e->relevant, h->said.row);
		else if (find_sources(e, who, &h->known.record->head, true, &e->found[i], err) != 0)
			return -1;
	}
	return 0;
}

static int
teach(struct eval *e, const struct scope *who, const struct labelled *q, struct err *err)
{
	struct search_query query = query_of(e, q, "fused");
	struct search_features f;
	struct learn_weights *const learners[] = { e->want.learner, e->want.hybrid };
	uint32_t *targets;
	size_t i, n = 0;

	query.exact = true;
	if (search_signals(e->search, who, &query, &f, err) != 0)
		return -1;
	targets = arena_alloc(&e->arena, (e->relevant.n + 1) * sizeof(*targets));
	memset(e->relevant.is_found, 0, e->relevant.n * sizeof(*e->relevant.is_found));
	for (i = 0; i < f.n; i++)
		if (claim_row(&e->relevant, f.rows[i]))
			targets[n++] = (uint32_t)i;
	for (i = 0; i < NELEM(learners); i++)
		if (learners[i] != NULL)
			learn_weights_add(learners[i], who->user, q->category, &f, targets, n,
			    e->relevant.n + e->relevant.n_unknown);
	return 0;
}

/*
 * Scores one question with every strategy. ERR_DATA: the record is no question, or one of its ids
 * is ambiguous.
 */
static int
score_question(struct eval *e, const struct json *v, struct err *err)
{
	struct scope who = e->want.who;
	struct labelled q;
	double ms, best = 0;
	size_t i, n;

	arena_reset(&e->arena);
	if (line_read(e, v, &q, err) != 0)
		return -1;
	who.user = q.user;
	if (relevant_resolve(e, &who, q.relevant, err) != 0)
		return -1;
	e->counts.n_unknown += e->relevant.n_unknown;
	bool is_answerable = e->relevant.n + e->relevant.n_unknown > 0;
	for (i = 0; i < e->want.n_strategies; i++) {
		bool has_p = search_has_p(e->want.strategies[i]);
		if (!is_answerable && !has_p)
			continue;
		if (search_in_steps(e->want.strategies[i])
			? ask_steps(e, &who, &q, e->want.strategies[i], &n, &ms, err)
			: ask_strategy(e, &who, &q, e->want.strategies[i], &n, &ms, &best, err))
			return -1;
		if (has_p)
			scores_add_best(e->scores[i], is_answerable, best);
		if (is_answerable)
			scores_add(e->scores[i], q.category, e->found, n,
			    e->relevant.n + e->relevant.n_unknown, ms);
	}
	if (!is_answerable) {
		e->counts.n_left_out++;
		return 0;
	}
	e->counts.n_asked++;
	return e->want.learner != NULL || e->want.hybrid != NULL ? teach(e, &who, &q, err) : 0;
}

/* ---- files ---- */

struct lines {
	struct eval *eval;
	struct from *map;                  /* NULL: each line is a question */
	struct from_place place;
	eval_bad_fn *bad;
	void *arg;
	struct err fault; /* an error that is not one of the line and ends the reading */
};

static void
bad_line(void *arg, const struct ndjson_line *l, const char *why)
{
	struct lines *r = arg;

	r->bad(r->arg, l->name, l->number, why);
}

/*
 * Scores one question that the map made of a line. A line may make several; a bad one does not stop
 * the others.
 */
static int
score_made(void *arg, const struct json *v)
{
	struct lines *r = arg;
	struct err e = ERR_INIT;

	if (score_question(r->eval, v, &e) == 0)
		return 0;
	if (e.code == ERR_DATA) {
		r->bad(r->arg, r->place.name, r->place.line, e.msg);
		return 0;
	}
	r->fault = e;
	return 1;
}

static int
score_line(void *arg, const struct ndjson_line *l, struct err *err)
{
	struct lines *r = arg;
	const struct json *v;

	if (r->map == NULL)
		return json_parse(l->text, l->len, l->arena, &v, err) != 0
		    ? -1
		    : score_question(r->eval, v, err);
	r->place.name = l->name;
	r->place.line = l->number;
	if (from_run(r->map, &r->place, l->text, l->len, l->arena, score_made, r, err) != 0)
		return -1;
	*err = r->fault;
	return r->fault.code != 0 ? -1 : 0;
}

int
eval_read(struct eval *e, const char *path, struct from *map, eval_bad_fn *fn, void *arg,
	struct err *err)
{
	struct lines lines = { .eval = e, .map = map, .bad = fn, .arg = arg };

	from_place_init(&lines.place);
	lines.place.session = "";
	int rc = ndjson_each(path, &(struct ndjson_fn){ &lines, score_line, bad_line, NULL }, err);
	from_place_release(&lines.place);
	return rc;
}
