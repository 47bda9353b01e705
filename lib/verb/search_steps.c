/*
 * search_steps.c: the searches of search.c and tier.c one after the other, each only when those before were not enough.
 *
 *	ladder          summaries -> full text -> words like those asked -> (vectors) -> recent turns
 *	progressive     categories -> insights -> reflections -> summaries -> conversations
 *
 * What two steps find is one hit. The ladder's hits stand in the order of its steps, the messages that words and vectors found by the better score of both.
 * The progressive search puts first what is near enough to suffice by itself, then what was said, then what else is known: so a summary that has one word of
 * the question does not push away the turn that answers it.
 */
#include "verb/search_steps.h"

#include <math.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/json.h"
#include "verb/topic.h"

#define NEAR_MIN    .2             /* calibrated: a vector that is less near has found nothing */
#define SHORTEST    3              /* bytes of a question that has trigrams */

struct steps {
	const struct steps_in *in;
	const struct scope *who;
	struct arena *arena;
	struct steps_result *out;
	struct step_hit *hits;
	size_t n, cap;
};

bool
search_in_steps(const char *strategy)
{
	return strcmp(strategy, "ladder") == 0 || strcmp(strategy, "progressive") == 0;
}

/* ---- one step ---- */

static struct step_tier *
begin(struct steps *s, const char *name)
{
	struct step_tier *t = &s->out->tiers[s->out->n_tiers++];

	*t = (struct step_tier){ name, 0, clock_mono_us() };
	return t;
}

static void
end(struct step_tier *t)
{
	t->us = clock_mono_us() - t->us;
}

/* The message, when a step before has found it. */
static struct step_hit *
found_before(struct steps *s, int64_t row)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->hits[i].known.record == NULL && s->hits[i].category == NULL && s->hits[i].said.row == row)
			return &s->hits[i];
	return NULL;
}

static void
add(struct steps *s, struct step_tier *t, const struct step_hit *h)
{
	if (h->score < s->in->q->min_score)
		return;
	xgrow(&s->hits, &s->cap, s->n + 1, sizeof(*s->hits));
	s->hits[s->n++] = *h;
	t->n++;
}

/* Facts, notes or summaries: types as bits of enum record_type. */
static int
step_known(struct steps *s, const char *name, enum tier tier, unsigned types, size_t limit, double least, struct err *err)
{
	struct tier_query q = { .text = s->in->q->text, .len = s->in->q->len, .limit = limit, .types = types, .filter = *s->in->known };
	struct step_tier *t = begin(s, name);
	struct tier_hit *hits;
	size_t n;

	if (tiers_search(s->in->tiers, s->who, tier, &q, s->arena, &hits, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct step_hit h = { .tier = tier, .known = hits[i] };
		h.score = !isnan(hits[i].sim) ? hits[i].sim : tiers_dense(s->in->tiers) ? 0 : hits[i].share;
		if (h.score >= least)
			add(s, t, &h);
	}
	end(t);
	return 0;
}

static void
note_times(struct search_result *all, const struct search_result *r)
{
	all->question = r->question;
	all->n_candidates = MAX(all->n_candidates, r->n_candidates);
	all->widened |= r->widened;
	all->dense |= r->dense;
	if (r->missing_model != NULL) {
		all->missing_model = r->missing_model;
		all->missing_why = r->missing_why;
	}
	all->us_text += r->us_text;
	all->us_vectors += r->us_vectors;
	all->us_rank += r->us_rank;
	all->us_fetch += r->us_fetch;
}

/* Messages, by a strategy of search.c. The search forgets them with its next run, so they are read again into the arena. */
static int
step_said(struct steps *s, const char *name, const char *strategy, bool similar, size_t limit, struct err *err)
{
	struct scope all = { .user = s->who->user, .agent = s->who->agent, .project = s->who->project };
	struct search_query q = *s->in->q;
	struct step_tier *t = begin(s, name);
	bool words = strcmp(strategy, "bm25") == 0, vectors = strcmp(strategy, "dense") == 0, recent = strcmp(strategy, "recent") == 0;
	struct search_result r;
	double best = 0;

	q.strategy = strategy;
	q.similar = similar;
	q.limit = (int64_t)limit;
	q.min_score = 0;
	if (search_run(s->in->search, s->who, &q, &r, err) < 0)
		return -1;
	note_times(&s->out->said, &r);
	for (size_t i = 0; i < r.n; i++)
		best = MAX(best, (double)r.hits[i].bm25);
	for (size_t i = 0; i < r.n; i++) {
		struct step_hit h = { .tier = TIER_CONVERSATIONS, .said = r.hits[i] }, *before;
		bool near = !isnan(h.said.sim);
		if ((words && !(h.said.bm25 > 0)) || (vectors && !(near && (double)h.said.sim >= NEAR_MIN)))
			continue;
		h.score = recent ? 0 : near ? (double)h.said.sim : best > 0 ? (double)h.said.bm25 / best : 0;
		h.said.score = (float)h.score;
		if ((before = found_before(s, h.said.row)) != NULL) {
			if (near)
				before->said.sim = h.said.sim;
			before->score = MAX(before->score, h.score);
			before->said.score = (float)before->score;
			continue;
		}
		if (messages_by_row(s->in->store, &all, h.said.row, s->arena, &h.said.message, err) < 0)
			return -1;
		if (h.said.message != NULL)
			add(s, t, &h);
	}
	end(t);
	return 0;
}

static int
by_score(const void *a, const void *b)
{
	const struct step_hit *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return x->said.row < y->said.row ? 1 : x->said.row > y->said.row ? -1 : 0;      /* of equals the newer one */
}

/* ---- ladder ---- */

static int
on_summary(void *arg, const struct fact *f)
{
	size_t *n = arg;

	(void)f;
	++*n;
	return 0;
}

/* There are so few that they cannot stand for what was said. */
static int
few_summaries(struct steps *s, size_t few, bool *is_few, struct err *err)
{
	struct record_filter f = *s->in->known;
	size_t n = 0;

	f.type = RECORD_SUMMARY;
	f.limit = (int64_t)few;
	if (records_each(s->in->store, s->who, &f, on_summary, &n, err) < 0)
		return -1;
	*is_few = n < few;
	return 0;
}

/* What the words say, what words like them say, and what vectors say; then, when all that is little, what was said last. */
static int
ladder_said(struct steps *s, size_t few, bool by_vectors, struct err *err)
{
	const struct step_tier *tiers = s->out->tiers;
	size_t limit = (size_t)s->in->q->limit, first = s->n, by_words, like = 0;

	if (step_said(s, "fulltext", "bm25", false, limit, err) < 0)
		return -1;
	by_words = tiers[s->out->n_tiers - 1].n;
	if (by_words < few && s->in->q->len >= SHORTEST) {
		if (step_said(s, "trigrams", "bm25", true, limit, err) < 0)
			return -1;
		like = tiers[s->out->n_tiers - 1].n;
	}
	if ((by_vectors || (by_words < 2 && like == 0)) && step_said(s, "vectors", "dense", false, limit, err) < 0)
		return -1;
	if (s->n > first)
		qsort(s->hits + first, s->n - first, sizeof(*s->hits), by_score);
	return s->n - first < few ? step_said(s, "recent", "recent", false, limit, err) : 0;
}

static int
ladder(struct steps *s, struct err *err)
{
	size_t few = (size_t)conf_int("ladder_few");
	bool may_say = s->in->tiers_in & 1u << TIER_CONVERSATIONS, no_summaries = true;

	if (s->in->tiers_in & 1u << TIER_REFLECTIONS) {
		if (step_known(s, "summaries", TIER_REFLECTIONS, 1u << RECORD_SUMMARY, (size_t)s->in->q->limit, 0, err) < 0 ||
		    few_summaries(s, few, &no_summaries, err) < 0)
			return -1;
	}
	if (s->n < few && may_say && ladder_said(s, few, no_summaries, err) < 0)
		return -1;
	s->out->stopped = s->n >= few ? "enough" : "end";
	return 0;
}

/* ---- progressive ---- */

/* Why the search may stop here; NULL: it goes on. */
static const char *
may_stop(const struct steps *s)
{
	size_t covered = 0;
	double sum = 0;

	for (size_t i = 0; i < s->out->n_tiers; i++)
		covered += s->out->tiers[i].n > 0;
	for (size_t i = 0; i < s->n; i++)
		sum += s->hits[i].score;
	if (s->n >= (size_t)conf_int("progressive_results") && covered >= (size_t)conf_int("progressive_tiers") &&
	    sum >= conf_real("progressive_score") * (double)s->n)
		return "enough";
	return s->n >= (size_t)conf_int("progressive_total") ? "limit" : NULL;
}

/* What is near enough to suffice by itself, what was said, what else is known; each as it was found. */
static unsigned
class_of(const struct step_hit *h)
{
	return h->known.record == NULL && h->category == NULL ? 1 : h->score >= conf_real("progressive_score") ? 0 : 2;
}

static void
order(struct steps *s)
{
	struct step_hit *sorted = xcalloc(s->n + 1, sizeof(*sorted));
	size_t n = 0;

	for (unsigned c = 0; c < 3; c++)
		for (size_t i = 0; i < s->n; i++)
			if (class_of(&s->hits[i]) == c)
				sorted[n++] = s->hits[i];
	free(s->hits);
	s->hits = sorted;
}

/* Categories have neither time, trust nor agent: they are left out where one of these is asked for. */
static bool
has_topics(const struct steps *s)
{
	const struct record_filter *f = s->in->known;
	const struct scope *w = s->who;

	return s->in->tiers_in == TIERS_ALL && f->since_us == TIME_NONE && f->until_us == TIME_NONE && f->as_of_us == TIME_NONE && f->known_us == TIME_NONE &&
	       f->min_trust == 0 && f->bank == NULL && f->category < 0 && (w->agent == NULL || *w->agent == '\0') &&
	       (w->project == NULL || *w->project == '\0') && (w->session == NULL || *w->session == '\0');
}

static int
step_topics(struct steps *s, size_t limit, struct err *err)
{
	struct step_tier *t = begin(s, "categories");
	struct topic *topics;
	size_t n;

	if (topics_find(s->in->store, s->who, s->in->q->text, s->in->q->len, s->arena, &topics, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n && t->n < limit && topics[i].share >= conf_real("progressive_least"); i++)
		add(s, t, &(struct step_hit){ .score = topics[i].share, .category = &topics[i].category });
	end(t);
	return 0;
}

static int
progressive(struct steps *s, struct err *err)
{
	static const struct { const char *name; enum tier tier; enum record_type type; } tiers[] = {
		{ "insights", TIER_INSIGHTS, RECORD_FACT }, { "reflections", TIER_REFLECTIONS, RECORD_REFLECTION },
		{ "summaries", TIER_REFLECTIONS, RECORD_SUMMARY }, { "conversations", TIER_CONVERSATIONS, 0 },
	};
	int rc = 0;

	if (has_topics(s)) {
		rc = step_topics(s, MIN((size_t)conf_int("progressive_tier"), (size_t)conf_int("progressive_total")), err);
		s->out->stopped = may_stop(s);
	}
	for (size_t i = 0; i < NELEM(tiers) && rc == 0 && s->out->stopped == NULL; i++) {
		size_t limit = MIN((size_t)conf_int("progressive_tier"), (size_t)conf_int("progressive_total") - s->n);
		if (!(s->in->tiers_in & 1u << tiers[i].tier))
			continue;
		rc = tiers[i].tier == TIER_CONVERSATIONS ? step_said(s, tiers[i].name, "fused", false, limit, err) :
		     step_known(s, tiers[i].name, tiers[i].tier, 1u << tiers[i].type, limit, conf_real("progressive_least"), err);
		s->out->stopped = may_stop(s);
	}
	if (s->out->stopped == NULL)
		s->out->stopped = "end";
	order(s);
	return rc;
}

/* ---- both ---- */

int
steps_run(const struct steps_in *in, const struct scope *who, struct arena *a, struct steps_result *out, struct err *err)
{
	struct steps s = { .in = in, .who = who, .arena = a, .out = out };
	int rc;

	memset(out, 0, sizeof(*out));
	rc = strcmp(in->q->strategy, "ladder") == 0 ? ladder(&s, err) : progressive(&s, err);
	if (rc == 0) {
		out->n = MIN(s.n, (size_t)in->q->limit);
		out->hits = arena_alloc(a, (out->n + 1) * sizeof(*out->hits));
		if (out->n > 0)
			memcpy(out->hits, s.hits, out->n * sizeof(*out->hits));
	}
	free(s.hits);
	return rc;
}

void
steps_category_record(struct buf *out, const char *user, const struct step_hit *h, size_t rank)
{
	const struct category *c = h->category;

	json_open(out);
	json_str(out, "type", "hit");
	json_int(out, "rank", (int64_t)rank);
	json_str(out, "id", c->id);
	json_str(out, "user", user);
	json_time(out, "time", c->updated_us);
	json_str(out, "origin", "derived");
	json_int(out, "trust", 0);
	json_num(out, "score", h->score);
	json_num(out, "bm25", h->score);
	json_str(out, "tier", "categories");
	json_str(out, "kind", "category");
	json_str(out, "content", *c->name != '\0' ? c->name : c->keywords);
	reranked_write(out, &h->known.again);
	json_close(out);
	buf_addc(out, '\n');
}

void
steps_record(struct buf *out, const char *user, const char *strategy, const struct steps_result *r)
{
	json_open(out);
	json_str(out, "type", "steps");
	json_str(out, "user", user);
	json_str(out, "strategy", strategy);
	json_key(out, "tiers");
	for (size_t i = 0; i < r->n_tiers; i++) {
		buf_addc(out, i == 0 ? '[' : ',');
		json_open(out);
		json_str(out, "name", r->tiers[i].name);
		json_int(out, "results", (int64_t)r->tiers[i].n);
		json_num(out, "ms", (double)r->tiers[i].us / 1000);
		json_close(out);
	}
	buf_adds(out, r->n_tiers == 0 ? "[]" : "]");
	json_str(out, "stopped", r->stopped);
	json_close(out);
	buf_addc(out, '\n');
}
