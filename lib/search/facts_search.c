/*
 * facts_search.c: merges two short lists: records that have the question's words, and records near
 * it in meaning. There are few facts beside messages, so both lists are exact.
 */
#include "search/facts_search.h"

#include <math.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/conf.h"
#include "base/order.h"
#include "facts/fact_record.h"
#include "facts/neighbours.h"
#include "json/json.h"
#include "records/record.h"
#include "search/fact_rank.h"
#include "search/search.h"

#define FOUND_MOST 1000                                /* records of one type found by words */
#define NEAR_MOST  512
#define TURNS_MOST 60                                  /* turns whose facts are looked at */
#define NAMES_MOST 32                                  /* words that are tried as names */
/* calibrated similarity; below it a record has nothing to do with the question */
#define NEAR_MIN   .2
/* a share of the question's words, or a similarity, from which on a record answers it */
#define LIKELY     .5

const char *const tier_names[] = { "insights", "reflections", "conversations", "stored" };

struct facts_search {
	struct store *store;
	struct neighbours *alike;
	/* the user whose vectors are open; NULL: none yet */
	char *user;
	struct search *turns;          /* finds the turns that facts rest on; NULL: not yet used */
	double best[FACT_TURNS];       /* [n_best] p of the best of them */
	size_t n_best;
};

struct found {
	int64_t row;
	double bm25, share, sim, turn;
	unsigned rests;                /* as in struct tier_hit */
};
struct finds { struct found *items; size_t n, cap; };

unsigned
tiers_parse(const char *text)
{
	unsigned all = 0;

	if (strcmp(text, "all") == 0)
		return TIERS_ALL;
	for (const char *p = text;;) {
		size_t len = strcspn(p, ","), i = 0;
		while (i < N_TIERS &&
		    (strlen(tier_names[i]) != len || memcmp(tier_names[i], p, len) != 0))
			i++;
		if (i == N_TIERS)
			return 0;
		all |= 1u << i;
		if (p[len] == '\0')
			return all;
		p += len + 1;
	}
}

struct facts_search *
facts_search_new(struct store *s)
{
	struct facts_search *t = xcalloc(1, sizeof(*t));

	t->store = s;
	return t;
}

void
facts_search_free(struct facts_search *t)
{
	if (t == NULL)
		return;
	neighbours_close(t->alike);
	search_close(t->turns);
	free(t->user);
	free(t);
}

bool
facts_search_dense(const struct facts_search *t)
{
	return t->alike != NULL && neighbours_down(t->alike) == NULL;
}

const char *
facts_search_down(const struct facts_search *t)
{
	return t->alike == NULL ? NULL : neighbours_down(t->alike);
}

size_t
facts_search_turns(const struct facts_search *t, double p[FACT_TURNS])
{
	memcpy(p, t->best, t->n_best * sizeof(*p));
	return t->n_best;
}

bool
tier_hit_is_likely(const struct tier_hit *h)
{
	if (!isnan(h->p))
		return h->p >= conf_real("likely");
	return h->share >= LIKELY || h->sim >= LIKELY;         /* NAN compares false */
}

static struct found *
find_or_add(struct finds *f, int64_t row)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->items[i].row == row)
			return &f->items[i];
	xgrow(&f->items, &f->cap, f->n + 1, sizeof(*f->items));
	f->items[f->n] = (struct found){ .row = row, .sim = NAN };
	return &f->items[f->n++];
}

static int
by_words(struct facts_search *t, const struct scope *who, enum record_type type,
	const struct tier_query *q, struct finds *f, struct err *err)
{
	struct record_filter filter = q->filter;
	FREED struct record_match *m = xcalloc(FOUND_MOST, sizeof(*m));
	size_t n;
	int rc;

	filter.type = type;
	rc = records_match(t->store, who, &filter, q->text, q->len, FOUND_MOST, m,
	    &n, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct found *v = find_or_add(f, m[i].row);
		v->bm25 = m[i].score;
		v->share = m[i].share;
	}
	return rc;
}

static int
by_meaning(struct facts_search *t, const struct scope *who, enum tier tier, enum record_type type,
	struct finds *f, struct err *err)
{
	FREED struct neighbours_hit *near = xcalloc(NEAR_MOST, sizeof(*near));
	size_t n = 0;
	double min = type == RECORD_FACT && tier == TIER_INSIGHTS ? -1 : NEAR_MIN;
	int rc = neighbours_find(t->alike, who, (enum vector_kind)type, 0, min, NEAR_MOST, near,
	    &n, err);

	for (size_t i = 0; rc == 0 && i < n; i++)
		find_or_add(f, near[i].row)->sim = near[i].sim;
	return rc;
}

/* Facts that are gathered by keys or, of a search of conversations, by the turns they rest on. */
struct gathering { struct finds *f; const struct search_result *r; };

static int
on_fact(void *arg, size_t i, const struct fact *f)
{
	struct gathering *g = arg;
	struct found *v;

	if (f->head.type != RECORD_FACT)
		return 0;
	v = find_or_add(g->f, f->head.row);
	if (g->r != NULL && !isnan(g->r->hits[i].p))
		v->turn = MAX(v->turn, (double)g->r->hits[i].p);
	if (g->r != NULL && i < FACT_TURNS)
		v->rests |= 1u << i;
	return 0;
}

/* Facts on the slots that are asked for: of the user, and of all that the question may name. */
static int
by_keys(struct facts_search *t, const struct scope *who, const struct fact_question *asked,
	struct arena *a, struct gathering *g, struct err *err)
{
	const char *end = asked->text + asked->len, *next, *key;
	const char **keys = arena_alloc(a, (asked->n_slots * (1 + NAMES_MOST) + 1) * sizeof(*keys));
	size_t n_names = 0, n = 0;

	for (size_t i = 0; i < asked->n_slots; i++)
		keys[n++] = asked->slots[i];
	for (const char *p = asked->text; p < end && n_names < NAMES_MOST; p = next + 1) {
		for (next = p; next < end && (ascii_is_alnum(*next) || *next & 0x80);)
			next++;
		n_names += next > p;
		for (size_t i = 0; next > p && i < asked->n_slots; i++) {
			key = arena_printf(a, "%.*s:%s", (int)(next - p), p, asked->slots[i]);
			keys[n++] = fact_key_clean(key, a);
		}
	}
	return facts_of_keys(t->store, who, keys, n, on_fact, g, err);
}

/* The facts that rest on the hits. */
static int
read_resting(struct facts_search *t, const struct scope *who, const struct search_result *r,
	struct finds *f, struct err *err)
{
	struct gathering g = { f, r };
	size_t n = MIN(r->n, (size_t)TURNS_MOST);
	int64_t rows[TURNS_MOST];

	for (size_t i = 0; i < n; i++)
		rows[i] = r->hits[i].row;
	for (size_t i = 0; i < MIN(n, (size_t)FACT_TURNS); i++)
		t->best[t->n_best++] = isnan(r->hits[i].p) ? 0 : (double)r->hits[i].p;
	return records_of_messages(t->store, who, rows, n, on_fact, &g, err);
}

/*
 * Facts that rest on the turns that a search of conversations finds, and facts on the key asked
 * for. The names of speakers are taken out of the question: facts hardly have them.
 */
static int
by_turns(struct facts_search *t, const struct scope *who, struct tier_query *q,
	const struct fact_question *asked, struct arena *a, struct finds *f, struct err *err)
{
	const struct search_query query = { .text = q->text,
		.len = q->len,
		.strategy = "fused",
		.limit = TURNS_MOST,
		.scope = SEARCH_USER,
		.filter = MESSAGE_FILTER_ANY,
		.now_us = clock_now_us() };
	struct gathering g = { f, NULL };
	struct search_result r;

	if (by_keys(t, who, asked, a, &g, err) < 0)
		return -1;
	if (q->said != NULL)
		r = *q->said;
	else if ((t->turns == NULL && search_open(t->store, &t->turns, err) < 0) ||
	    search_run(t->turns, who, &query, &r, err) < 0)
		return -1;
	if (read_resting(t, who, &r, f, err) < 0)
		return -1;
	LOCAL(buf) b = buf_of(CAP_QUERY_BYTES);
	question_without_names(r.question, q->text, q->len, &b);
	q->text = arena_strndup(a, b.data, b.len);
	q->len = b.len;
	return 0;
}

static int
on_any(void *arg, const struct fact *f)
{
	(void)f;
	*(bool *)arg = true;
	return 1;
}

/*
 * Whether the filter lets any record of the type through. If none, no model is opened and no vector
 * read.
 */
static int
has_any(struct facts_search *t, const struct scope *who, enum record_type type,
	const struct tier_query *q, bool *any, struct err *err)
{
	struct record_filter f = q->filter;

	*any = false;
	f.type = type;
	f.limit = 1;
	return records_each(t->store, who, &f, on_any, any, err) < 0 ? -1 : 0;
}

static int
open_alike(struct facts_search *t, const struct scope *who, const struct tier_query *q,
	struct err *err)
{
	if (t->user == NULL || strcmp(t->user, who->user) != 0) {
		neighbours_close(t->alike);
		t->alike = NULL;
		free(t->user);
		t->user = xstrdup(who->user);
		if (neighbours_open(t->store, who, &t->alike, err) < 0)
			return -1;
	}
	if (t->alike != NULL)
		neighbours_ask(t->alike, q->text, q->len);
	return 0;
}

static int
gather(struct facts_search *t, const struct scope *who, enum tier tier, const struct tier_query *q,
	const struct fact_question *asked, struct arena *a, struct finds *f, struct err *err)
{
	static const enum record_type types[][2] = { [TIER_INSIGHTS] = { RECORD_FACT, RECORD_FACT },
		[TIER_REFLECTIONS] = { RECORD_SUMMARY, RECORD_REFLECTION },
		[TIER_STORED] = { RECORD_FACT, RECORD_REFLECTION } };
	size_t n_types = tier == TIER_INSIGHTS ? 1 : 2;
	struct tier_query own = *q;

	for (size_t i = 0; i < n_types; i++) {
		enum record_type type = types[tier][i];
		bool any;

		if (q->types != 0 && !(q->types & 1u << type))
			continue;
		if (has_any(t, who, type, q, &any, err) < 0)
			return -1;
		if (any &&
		    ((tier == TIER_INSIGHTS && by_turns(t, who, &own, asked, a, f, err) < 0) ||
			by_words(t, who, type, &own, f, err) < 0 ||
			(q->said == NULL && (open_alike(t, who, &own, err) < 0 ||
			(t->alike != NULL && by_meaning(t, who, tier, type, f, err) < 0)))))
			return -1;
	}
	return 0;
}

ORDER_OF(best_first, struct tier_hit,
	a->score != b->score ? -ORDER_UP(score) : -ORDER_UP(record->head.row))

/* Records found by words were filtered by the store; those found by meaning are filtered here. */
static bool
passes(const struct fact *f, const struct scope *who, const struct record_filter *w, int64_t now)
{
	const struct record_head *h = &f->head;
	int64_t at = w->as_of_us != TIME_NONE ? w->as_of_us
	    : w->known_us != TIME_NONE	      ? w->known_us
					      : now;

	if ((h->retracted_us != TIME_NONE && !(w->also & RECORDS_RETRACTED)) ||
	    h->trust < w->min_trust || (w->guarded && !h->guarded) ||
	    (w->made != MADE_ANY &&
		(h->origin == ORIGIN_DERIVED) != (w->made == MADE_DISTILLED)) ||
	    (w->tag != NULL && strstr(h->tags, w->tag) == NULL) ||
	    (who->session != NULL && *who->session != '\0' &&
		strcmp(who->session, h->session) != 0))
		return false;
	if ((w->since_us != TIME_NONE || w->until_us != TIME_NONE) &&
	    (h->time_us == TIME_NONE || h->time_us < w->since_us ||
		(w->until_us != TIME_NONE && h->time_us >= w->until_us)))
		return false;
	if (h->type != RECORD_FACT)
		return w->bank == NULL && w->category < 0 && !(w->min_importance > 0);
	return (w->bank == NULL || strcmp(w->bank, f->bank) == 0) &&
	    (w->category < 0 || (int)f->category == w->category) &&
	    (double)f->importance >= w->min_importance &&
	    (*f->summarized == '\0' || (w->also & RECORDS_SUMMARIZED)) &&
	    (w->as_of_us == TIME_NONE || f->valid_from_us == TIME_NONE ||
		f->valid_from_us <= w->as_of_us) &&
	    (f->valid_to_us == TIME_NONE || f->valid_to_us > at || (w->also & RECORDS_ENDED));
}

/* Facts that held once are hits too where the question asks for what held once. */
static struct tier_query
query_of(const struct tier_query *q, enum tier tier, struct fact_question *asked)
{
	struct tier_query own = *q;

	if (tier == TIER_STORED)
		own.filter.made = MADE_GIVEN;
	fact_question_read(asked, q->text, q->len, clock_now_us());
	if (tier == TIER_INSIGHTS && asked->past && q->filter.as_of_us == TIME_NONE &&
	    q->filter.known_us == TIME_NONE)
		own.filter.also |= RECORDS_ENDED;
	return own;
}

/* Reads what was found; *out [f->n], in the arena. */
static int
read_found(struct facts_search *t, const struct scope *who, const struct finds *f,
	int64_t known_us, struct arena *a, const struct fact ***out, struct err *err)
{
	int64_t *rows = arena_alloc(a, (f->n + 1) * sizeof(*rows));

	*out = arena_alloc(a, (f->n + 1) * sizeof(**out));
	for (size_t i = 0; i < f->n; i++)
		rows[i] = f->items[i].row;
	return records_by_rows(t->store, who, rows, f->n, known_us, a, *out, err);
}

/* Reads what was found, and ranks facts; hits has room for all. */
static int
rank(struct facts_search *t, const struct scope *who, enum tier tier, const struct tier_query *q,
	const struct fact_question *asked, const struct finds *f, struct arena *a,
	struct tier_hit *hits, size_t *n, struct err *err)
{
	const struct fact **records;
	double best = 0;

	if (read_found(t, who, f, q->filter.known_us, a, &records, err) < 0)
		return -1;
	for (size_t i = 0; i < f->n; i++)
		best = MAX(best, f->items[i].bm25);
	for (size_t i = 0; i < f->n; i++) {
		const struct found *v = &f->items[i];
		struct tier_hit h = { .record = records[i],
			.sim = v->sim,
			.p = NAN,
			.share = v->share,
			.turn = v->turn,
			.rests = v->rests,
			.bm25 = best > 0 ? v->bm25 / best : 0 };
		h.score =
		    !facts_search_dense(t) ? h.bm25 : .6 * (isnan(h.sim) ? 0 : h.sim) + .4 * h.bm25;
		if (h.record != NULL && passes(h.record, who, &q->filter, clock_now_us()))
			hits[(*n)++] = h;
	}
	return tier == TIER_INSIGHTS ? fact_rank(t->store, who, asked, facts_search_dense(t), hits,
	    *n, a, err) : 0;
}

static int
by_turn_and_words(const void *x, const void *y)
{
	const struct found *v = x, *w = y;
	double p = v->turn + v->share, q = w->turn + w->share;

	return p != q ? (p < q) - (p > q) : (v->row < w->row) - (v->row > w->row);
}

int
facts_search_run(struct facts_search *t, const struct scope *who, enum tier tier,
	const struct tier_query *as_asked, struct arena *a, struct tier_hit **out, size_t *n,
	struct err *err)
{
	struct fact_question *asked = arena_alloc(a, sizeof(*asked));
	const struct tier_query q = query_of(as_asked, tier, asked);
	struct finds f = { NULL, 0, 0 };
	size_t n_hits = 0;
	bool own;
	int rc;

	*n = t->n_best = 0;
	*out = NULL;
	/* a service may be asked for the question's vector: not in a snapshot */
	if ((rc = gather(t, who, tier, &q, asked, a, &f, err)) < 0 ||
	    (rc = store_gather(t->store, &own, err)) < 0)
		goto out;
	/* reading what facts rest on costs most, so only so many are read */
	if (q.said != NULL && f.n > q.limit) {
		qsort(f.items, f.n, sizeof(*f.items), by_turn_and_words);
		f.n = q.limit;
	}
	*out = arena_alloc(a, (f.n + 1) * sizeof(**out));
	rc = rank(t, who, tier, &q, asked, &f, a, *out, &n_hits, err);
	store_gather_end(t->store, own);
	if (rc < 0)
		goto out;
	if (n_hits > 0)
		qsort(*out, n_hits, sizeof(**out), best_first);
	while (*n < MIN(n_hits, q.limit) && (*out)[*n].score >= q.min_score)
		++*n;
out:
	free(f.items);
	return rc;
}

void
facts_search_record(struct buf *out, const char *user, enum tier tier, const struct tier_hit *h,
	size_t rank)
{
	const struct fact *f = h->record;
	const struct record_head *r = &f->head;

	json_record(out, "hit");
	json_int(out, "rank", (int64_t)rank);
	json_str(out, "id", r->id);
	json_str(out, "user", user);
	json_time(out, "time", r->time_us);
	record_text(out, "agent", r->agent);
	record_text(out, "project", r->project);
	record_text(out, "session", r->session);
	json_str(out, "origin", origin_names[r->origin]);
	json_int(out, "trust", r->trust);
	record_sources(out, r, NULL);
	record_text(out, "source_id", r->source_id);
	json_num(out, "score", h->score);
	if (!isnan(h->p))
		json_num(out, "p", h->p);
	if (!isnan(h->sim))
		json_num(out, "sim", h->sim);
	json_num(out, "bm25", h->bm25);
	json_str(out, "tier", tier_names[tier]);
	json_str(out, "kind",
	    r->type == RECORD_FACT	    ? "fact"
		: r->type == RECORD_SUMMARY ? "summary"
					    : "reflection");
	json_strn(out, "content", r->content, r->content_len);
	if (r->type == RECORD_FACT) {
		record_text(out, "key", f->key);
		json_str(out, "bank", f->bank);
		if (f->valid_from_us != TIME_NONE)
			json_time(out, "valid_from", f->valid_from_us);
		if (f->valid_to_us != TIME_NONE)
			json_time(out, "valid_to", f->valid_to_us);
	}
	reranked_write(out, &h->again);
	json_end(out);
}
