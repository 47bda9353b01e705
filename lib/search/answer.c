/*
 * answer.c: a strategy that goes in steps searches all tiers itself; with the others the tiers
 * above the conversations come first, and ranks count on from tier to tier. Access times and
 * metrics are written after the hits are out, so that nobody waits for a write.
 */
#include "search/answer.h"

#include <math.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/hash.h"
#include "search/handed_hits.h"
#include "search/rerank_hits.h"
#include "search/stored.h"

/* Tiers that need a search of conversations. */
#define SEARCHES (1u << TIER_CONVERSATIONS | 1u << TIER_STORED)

struct answer {
	struct store *store;
	const struct answer_want *want;
	const struct answer_fn *fn;
	struct search *search;
	struct facts_search *tiers;
	/* orders the hits; NULL: not asked for */
	struct llm *llm;
	struct arena arena;                /* holds the model's answer to one question */
	struct search_query query;         /* the question at hand */
	size_t n_distilled;                /* its hits that are summaries or reflections */
	size_t n_found;                    /* its hits that are likely to answer */
	enum rerank_did reranked;          /* what the last call of the model came to */
	size_t n_likely;                   /* of all questions so far */
	/* hits of the question at hand, for its row of metrics */
	struct handed_list handed;
	bool told;                         /* it was said that vectors cannot be used */
};

int
answer_open(struct store *s, const struct answer_want *want, const struct answer_fn *fn,
	struct answer **out, struct err *err)
{
	struct answer *a = xcalloc(1, sizeof(*a));

	*out = NULL;
	a->store = s;
	a->want = want;
	a->fn = fn;
	if (search_open(s, &a->search, err) != 0) {
		answer_close(a);
		return -1;
	}
	a->tiers = facts_search_new(s);
	if (want->by_model)
		a->llm = llm_new(s, want->who.user, want->program, NULL);
	*out = a;
	return 0;
}

void
answer_close(struct answer *a)
{
	if (a == NULL)
		return;
	llm_free(a->llm);
	facts_search_free(a->tiers);
	search_close(a->search);
	handed_list_release(&a->handed);
	arena_release(&a->arena);
	free(a);
}

size_t
answer_n_likely(const struct answer *a)
{
	return a->n_likely;
}

/* ---- what is told, and written ---- */

static void
tell_reranked(struct answer *a, const struct reranked *r, enum rerank_did did)
{
	a->reranked = MAX(a->reranked, did);
	if (a->fn->reranked != NULL)
		a->fn->reranked(a->fn->arg, r, did);
}

static void
tell_without(struct answer *a, const char *why)
{
	if (!a->told && a->fn->without != NULL)
		a->fn->without(a->fn->arg, why);
	a->told = true;
}

static void
tell_missing(struct answer *a, const struct search_result *r)
{
	char text[500];

	if (search_without(r, text, sizeof(text)))
		tell_without(a, text);
}

/*
 * Says why facts were searched without vectors, where no conversation was searched, whose result
 * would have said it.
 */
static void
tell_facts_without(struct answer *a)
{
	const char *why = facts_search_down(a->tiers);
	char text[500];

	if (why == NULL)
		return;
	snprintf(text, sizeof(text), "no vectors: %s; searching by words alone", why);
	tell_without(a, text);
}

static void
note_handed(struct answer *a, struct handed h)
{
	if (a->want->touch)
		handed_add(&a->handed, &h);
}

/* Writes the row of metrics; n: hits of all tiers. */
static void
note_metric(const struct answer *a, const struct search_result *r, size_t n, double top,
	int64_t us_all)
{
	static const char *const by[] = { [RERANK_NOTHING] = "",
		[RERANK_SPARED] = ",rerank_spared",
		[RERANK_DONE] = ",reranked",
		[RERANK_FAILED] = ",rerank_failed" };
	char flags[100], near[24] = "";
	double sim = NAN;
	struct metric m = {
		.time_us = clock_now_us(),
		.program = a->want->program,
		.path = a->want->in & SEARCHES ? a->query.strategy : "known",
		.query_hash = hash64(a->query.text, a->query.len, 0) >> 1,
		.query_bytes = (int64_t)a->query.len,
		.n_hits = (int64_t)a->n_found,
		.n_candidates = (int64_t)r->n_candidates,
		.top_score = top,
		.us_open = a->want->us_open,
		.us_text = r->us_text,
		.us_vectors = r->us_vectors,
		.us_rank = r->us_rank,
		.us_fetch = r->us_fetch,
		.us_all = us_all,
		.flags = flags,
		.handed = a->handed.items,
		.n_handed = a->handed.n,
	};

	if (!a->want->touch)
		return;
	for (size_t i = 0; i < r->n; i++)
		sim = isnan(sim) || (double)r->hits[i].sim > sim ? (double)r->hits[i].sim : sim;
	if (!isnan(sim))
		snprintf(near, sizeof(near), ",sim=%.3f", sim);
	snprintf(flags, sizeof(flags), "%s%s%s%s%s%s", r->widened ? ",widened" : "",
	    r->dense ? ",vectors" : "", r->missing_model != NULL ? ",fallback" : "",
	    n > 0 && a->n_distilled == n ? ",distilled" : "", by[a->reranked], near);
	m.flags += flags[0] == ',';
	metrics_put(a->store, &a->want->who, &m);
}

static void
note_found(const struct answer *a, const int64_t *rows, size_t n)
{
	if (a->want->touch)
		records_touch_soon(a->store, &a->want->who, rows, n);
}

static int
all_out(const struct answer *a)
{
	return a->fn->out != NULL && a->fn->out(a->fn->arg) != 0;
}

/* ---- the tiers above the conversations ---- */

/* Only where hits have a probability it can be told which of them stored texts go before. */
static bool
finds_stored(const struct answer *a)
{
	return a->want->in & 1u << TIER_STORED && search_has_p(a->query.strategy);
}

static struct rerank_hits
rerank_of(const struct answer *a, struct arena *arena)
{
	return (struct rerank_hits){ a->llm, a->search, a->store, &a->want->who, &a->query,
		a->want->shown, arena };
}

/* Hands out hits of one tier; their ranks follow *rank. */
static int
hand_out_known(struct answer *a, enum tier t, const struct tier_hit *hits, size_t n,
	struct arena *arena, size_t *rank)
{
	int64_t *rows = arena_alloc(arena, (n + 1) * sizeof(*rows));

	for (size_t i = 0; i < n; i++) {
		rows[i] = hits[i].record->head.row;
		a->fn->known(a->fn->arg, t, &hits[i], ++*rank);
		note_handed(a, handed_known(&hits[i], *rank));
		a->n_found += tier_hit_is_likely(&hits[i]);
	}
	if (all_out(a))
		return 1;
	note_found(a, rows, n);
	return 0;
}

/* Searches one tier above the conversations. What is stored on purpose is found by one alone. */
static int
answer_tier(struct answer *a, enum tier t, struct arena *arena, size_t *rank, struct err *err)
{
	struct tier_query q = { .text = a->query.text,
		.len = a->query.len,
		.limit = (size_t)a->query.limit,
		.min_score = a->query.min_score,
		.filter = a->want->known };
	struct tier_hit *hits;
	size_t n;

	if (finds_stored(a))
		q.filter.made = MADE_DISTILLED;
	if (facts_search_run(a->tiers, &a->want->who, t, &q, arena, &hits, &n, err) < 0)
		return -1;
	if (a->llm != NULL && n > 0) {
		const struct rerank_hits by = rerank_of(a, arena);
		enum rerank_did did;
		rerank_known(&by, hits, &n, &did);
		tell_reranked(a, &hits[0].again, did);
	}
	a->n_distilled += t != TIER_INSIGHTS ? n : 0;
	return hand_out_known(a, t, hits, n, arena, rank);
}

static int
answer_known(struct answer *a, size_t *rank, struct err *err)
{
	LOCAL(arena) arena = ARENA_INIT;
	int rc = 0;

	for (enum tier t = TIER_INSIGHTS; t < TIER_CONVERSATIONS && rc == 0; t++)
		if (a->want->in & 1u << t)
			rc = answer_tier(a, t, &arena, rank, err);
	return rc;
}

/* ---- step by step ---- */

static bool
is_likely(const struct step_hit *h)
{
	if (h->category != NULL)
		return true;
	if (h->known.record != NULL)
		return tier_hit_is_likely(&h->known);
	/* the newest messages of the ladder have no p */
	return !isnan(h->said.p) && search_hit_is_likely(&h->said);
}

/*
 * Hands out the hits of all steps. rows gets the rows of those that are records, *n_known their
 * number.
 */
static int
hand_out_steps(struct answer *a, const struct steps_result *r, const struct rewritten *made_of,
	int64_t *rows, size_t *n_known, struct err *err)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct step_hit *h = &r->hits[i];
		if (h->known.record != NULL) {
			rows[(*n_known)++] = h->known.record->head.row;
			a->n_distilled += h->tier == TIER_REFLECTIONS;
			a->fn->known(a->fn->arg, h->tier, &h->known, i + 1);
			note_handed(a, handed_known(&h->known, i + 1));
		} else if (h->category != NULL) {
			if (a->fn->category != NULL)
				a->fn->category(a->fn->arg, h, i + 1);
		} else if (a->fn->said(a->fn->arg, &h->said, r->said.question, i + 1, made_of,
			       err) < 0) {
			return -1;
		} else {
			note_handed(a, handed_said(&h->said, i + 1));
		}
		a->n_found += is_likely(h);
	}
	return 0;
}

static int
answer_steps(struct answer *a, const struct rewritten *made_of, struct err *err)
{
	const struct steps_in in = { a->store, a->search, a->tiers, &a->query, &a->want->known,
		a->want->in };
	LOCAL(arena) arena = ARENA_INIT;
	struct steps_result r;
	int64_t start = clock_mono_us(), *rows;
	size_t n_known = 0;
	int rc = steps_run(&in, &a->want->who, &arena, &r, err);

	if (rc == 0 && a->llm != NULL && r.n > 0) {
		const struct rerank_hits by = rerank_of(a, &arena);
		enum rerank_did did;
		if ((rc = rerank_steps(&by, &r, &did, err)) == 0)
			tell_reranked(a, &r.hits[0].known.again, did);
	}
	rows = arena_alloc(&arena, (r.n + 1) * sizeof(*rows));
	if (rc == 0 && (rc = hand_out_steps(a, &r, made_of, rows, &n_known, err)) == 0) {
		tell_missing(a, &r.said);
		tell_facts_without(a);
		if (a->fn->steps != NULL)
			a->fn->steps(a->fn->arg, &r);
		rc = all_out(a);
	}
	if (rc == 0) {
		note_found(a, rows, n_known);
		note_metric(a, &r.said, r.n, r.n > 0 ? r.hits[0].score : 0,
		    clock_mono_us() - start);
	}
	return rc;
}

/* ---- messages ---- */

static int
rerank_messages(struct answer *a, struct search_result *r, struct err *err)
{
	const struct rerank_hits by = rerank_of(a, &a->arena);
	enum rerank_did did;

	if (a->llm == NULL || r->n == 0)
		return 0;
	arena_reset(&a->arena);
	if (rerank_said(&by, r, &did, err) < 0)
		return -1;
	tell_reranked(a, &r->hits[0].again, did);
	return 0;
}

/* What was stored on purpose, before the messages of r. */
static int
answer_stored(struct answer *a, const struct search_result *r, size_t *rank, struct err *err)
{
	LOCAL(arena) arena = ARENA_INIT;
	struct tier_hit *hits;
	size_t n;
	int rc = 0;

	if (finds_stored(a) && (rc = stored_find(a->tiers, a->search, &a->want->who, &a->query, r,
	    &a->want->known, &arena, &hits, &n, err)) == 0)
		rc = hand_out_known(a, TIER_STORED, hits, n, &arena, rank);
	return rc;
}

static int
answer_messages(struct answer *a, const struct rewritten *made_of, size_t rank, int64_t start_us,
	struct err *err)
{
	struct search_result r;
	int rc;

	if (search_run(a->search, &a->want->who, &a->query, &r, err) < 0 ||
	    rerank_messages(a, &r, err) < 0)
		return -1;
	if ((rc = answer_stored(a, &r, &rank, err)) != 0)
		return rc;
	if (!(a->want->in & 1u << TIER_CONVERSATIONS))
		r.n = 0;
	for (size_t i = 0; i < r.n; i++) {
		if (a->fn->said(a->fn->arg, &r.hits[i], r.question, rank + i + 1, made_of, err) < 0)
			return -1;
		note_handed(a, handed_said(&r.hits[i], rank + i + 1));
		a->n_found += search_hit_is_likely(&r.hits[i]);
	}
	tell_missing(a, &r);
	if (all_out(a))
		return 1;
	note_metric(a, &r, rank + r.n, r.n > 0 ? (double)r.hits[0].score : 0,
	    clock_mono_us() - start_us);
	return 0;
}

static int
answer_tiers(struct answer *a, const struct rewritten *made_of, struct err *err)
{
	int64_t start = clock_mono_us();
	size_t rank = 0;
	int rc;

	if ((rc = answer_known(a, &rank, err)) != 0)
		return rc;
	if (a->want->in & SEARCHES)
		return answer_messages(a, made_of, rank, start, err);
	tell_facts_without(a);
	note_metric(a, &(struct search_result){ .n = 0 }, rank, 0, clock_mono_us() - start);
	return 0;
}

int
answer_question(struct answer *a, const struct search_query *q, const struct rewritten *made_of,
	struct err *err)
{
	int rc;

	a->query = *q;
	a->n_distilled = a->n_found = a->handed.n = 0;
	a->reranked = RERANK_NOTHING;
	rc = search_in_steps(q->strategy) ? answer_steps(a, made_of, err)
					  : answer_tiers(a, made_of, err);
	if (rc < 0 && a->want->touch)
		search_failed(a->search, &a->want->who, a->want->program, err);
	a->n_likely += rc < 0 ? 0 : a->n_found;
	return rc;
}
