/*
 * search_steps.c: runs the searches of search.c and facts_search.c one after the other, each only
 * when those before did not find enough.
 *
 *	ladder       summaries -> full text -> similar words -> vectors -> recent turns
 *	progressive  categories -> insights -> reflections -> summaries -> conversations
 *
 * What two steps find is one hit. A step of the ladder has found enough when enough of its hits are
 * likely to answer; if mere numbers counted, three summaries with one word of the question each
 * would end it. Its hits are ordered by how good their evidence is: summaries near enough to
 * suffice; messages as words and vectors together, or words alone, rank them; messages found by
 * similar words; other summaries; the newest messages.
 *
 * Facts are found through the turns that they rest on, so the progressive search begins with that
 * of conversations, and all its steps live on what it found: it knows at once which turns are
 * likely to answer, and costs little more than they do. When the facts rest on most of these,
 * going on to the turns would find nothing more. When they do not, the turns are what is wanted:
 * notes and summaries are searched only where no turn has a chance to answer. What is near enough
 * to suffice by itself comes first, then messages, then the rest, so that a summary with one word
 * of the question does not push away the turn that answers it.
 */
#include "search/search_steps.h"

#include <math.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/order.h"
#include "json/json.h"
#include "search/topic.h"

/*
 * The ladder: which place the hits of each step get. Among hits with the same evidence the newer
 * one comes first.
 */
#define PLACE_GOOD_SUMMARIES 0u
#define PLACE_VECTORS        1000000u
#define PLACE_WORDS          2000000u
#define PLACE_LIKE_WORDS     3000000u
#define PLACE_SUMMARIES      4000000u
#define PLACE_RECENT         5000000u

/* a shorter question, in bytes, is not searched by similar words */
#define SHORTEST    3

/* progressive: a category has this share of the question's words, or more */
#define TOPIC_LEAST .5
/* a turn with a smaller probability has no chance to answer */
#define CHANCE      .1
/* with such a share of its words, or a similarity, a record comes before messages */
#define SUFFICES    .8
/* records that are looked at for one that is taken: turns order them in another way */
#define LOOKED_AT   20

struct steps {
	const struct steps_in *in;
	const struct scope *who;
	struct arena *arena;
	struct steps_result *out;
	struct step_hit *hits;
	size_t n, cap;
	/* progressive: p of the likeliest turns, and on which of them the results rest, as bits */
	double turns[FACT_TURNS];
	size_t n_turns;
	unsigned rests;
	/* progressive: what the search of conversations found, which is run first, or NULL */
	const struct search_result *said;
};

bool
search_in_steps(const char *strategy)
{
	return strcmp(strategy, "ladder") == 0 || strcmp(strategy, "progressive") == 0;
}

/* ---- one step ---- */

static struct step_tier *
begin_tier(struct steps *s, const char *name)
{
	struct step_tier *t = &s->out->tiers[s->out->n_tiers++];

	*t = (struct step_tier){ name, 0, clock_mono_us() };
	return t;
}

static void
end_tier(struct step_tier *t)
{
	t->us = clock_mono_us() - t->us;
}

/* Returns the hit for the message if an earlier step has found it, else NULL. */
static struct step_hit *
found_before(struct steps *s, int64_t row)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->hits[i].known.record == NULL && s->hits[i].category == NULL &&
		    s->hits[i].said.row == row)
			return &s->hits[i];
	return NULL;
}

static void
add_hit(struct steps *s, struct step_tier *t, const struct step_hit *h)
{
	if (h->score < s->in->q->min_score)
		return;
	*xpush(s->hits, s->n, s->cap) = *h;
	t->n++;
}

/* How near a record is to the question: a similarity, without vectors a share of its words. */
static double
nearness(const struct steps *s, const struct tier_hit *h)
{
	return !isnan(h->sim) ? h->sim : facts_search_dense(s->in->tiers) ? 0 : h->share;
}

/* Of facts the turn that they rest on tells most; notes and summaries rest on none. */
static int
likeliest_first(const void *a, const void *b)
{
	const struct tier_hit *x = a, *y = b;
	double p = x->turn + x->score / 2, q = y->turn + y->score / 2;

	return (p < q) - (p > q);
}

/*
 * Searches facts, notes or summaries; types as bits of enum record_type. What is less near than
 * least is left out, unless it rests on a turn that was found.
 */
static int
step_known(struct steps *s, const char *name, enum tier tier, unsigned types, size_t limit,
	double least, struct err *err)
{
	/* where no turn has a chance, notes and summaries are looked for by meaning, too */
	const struct search_result *said = tier == TIER_INSIGHTS ? s->said : NULL;
	struct tier_query q = { .text = s->in->q->text,
		.len = s->in->q->len,
		.limit = said != NULL ? limit + limit / 4 : limit * LOOKED_AT,
		.types = types,
		.said = said,
		.filter = *s->in->known };
	struct step_tier *t = begin_tier(s, name);
	struct tier_hit *hits;
	size_t n;

	if (facts_search_run(s->in->tiers, s->who, tier, &q, s->arena, &hits, &n, err) < 0)
		return -1;
	qsort(hits, n, sizeof(*hits), likeliest_first);
	for (size_t i = 0; i < n && t->n < limit; i++) {
		struct step_hit h = { .tier = tier, .known = hits[i] };
		h.score = MAX(hits[i].turn, nearness(s, &hits[i]));
		if (h.score < least && !(hits[i].turn > 0))
			continue;
		s->rests |= hits[i].rests;
		add_hit(s, t, &h);
	}
	end_tier(t);
	return 0;
}

static void
note_times(struct search_result *all, const struct search_result *r)
{
	all->question = r->question;
	all->n_candidates = MAX(all->n_candidates, r->n_candidates);
	all->widened |= r->widened;
	all->dense |= r->dense;
	if (r->words_down != NULL)
		all->words_down = r->words_down;
	if (r->missing_model != NULL) {
		all->missing_model = r->missing_model;
		all->missing_why = r->missing_why;
	}
	all->us_text += r->us_text;
	all->us_vectors += r->us_vectors;
	all->us_rank += r->us_rank;
	all->us_fetch += r->us_fetch;
}

/*
 * Whether two messages have the same evidence: the same words as often, in texts of the same
 * length.
 */
static bool
are_equal(const struct search_hit *a, const struct search_hit *b)
{
	return a->bm25 == b->bm25 && a->coverage == b->coverage &&
	    a->message->content_len == b->message->content_len &&
	    (isnan(a->sim) || a->sim == b->sim);
}

/* Updates a message found before with what this step knows better. */
static void
update_hit(struct step_hit *before, const struct step_hit *h)
{
	if (!isnan(h->said.sim))
		before->said.sim = h->said.sim;
	before->score = MAX(before->score, h->score);
	before->said.score = (float)before->score;
	before->place = MIN(before->place, h->place);
}

/*
 * Searches messages by a strategy of search.c. The search frees them with its next run, so they are
 * copied into the arena. place: of the first hit. *n_likely, unless NULL, is how many hits are
 * likely to answer.
 */
static int
step_said(struct steps *s, const char *name, const char *strategy, bool as_written, size_t limit,
	size_t place, size_t *n_likely, struct err *err)
{
	struct scope all = { .user = s->who->user,
		.agent = s->who->agent,
		.project = s->who->project };
	struct search_query q = *s->in->q;
	struct step_tier *t = begin_tier(s, name);
	bool words = strcmp(strategy, "lexical") == 0, recent = strcmp(strategy, "recent") == 0,
	     vectors = place == PLACE_VECTORS;
	struct search_result r;
	size_t last_place = place;

	q.strategy = strategy;
	q.as_written = as_written;
	q.limit = (int64_t)limit;
	q.min_score = 0;
	if (s->said != NULL)
		r = *s->said;
	else if (search_run(s->in->search, s->who, &q, &r, err) < 0)
		return -1;
	note_times(&s->out->said, &r);
	for (size_t i = 0; i < r.n && (s->said == NULL || t->n < limit); i++) {
		struct step_hit h = { .tier = TIER_CONVERSATIONS,
			.said = r.hits[i],
			.place = place + i },
				*before;
		if ((words && !(h.said.bm25 > 0)) || (vectors && !r.dense))
			continue;
		if (i > 0 && are_equal(&r.hits[i - 1], &r.hits[i]))
			h.place = last_place;
		last_place = h.place;
		h.score = recent || isnan(h.said.p) ? 0 : (double)h.said.p;
		if (n_likely != NULL)
			*n_likely += h.score >= conf_real("likely");
		h.said.score = (float)h.score;
		if ((before = found_before(s, h.said.row)) != NULL) {
			update_hit(before, &h);
			continue;
		}
		if (messages_by_rows(s->in->store, &all, &h.said.row, 1, s->arena, &h.said.message,
			err) < 0)
			return -1;
		if (h.said.message != NULL)
			add_hit(s, t, &h);
	}
	end_tier(t);
	return 0;
}

/* ---- ladder ---- */

ORDER_OF(by_place, struct step_hit,
	a->place != b->place ? ORDER_UP(place) : -ORDER_UP(said.row))

static int
on_summary(void *arg, const struct fact *f)
{
	size_t *n = arg;

	(void)f;
	++*n;
	return 0;
}

/* Whether there are so few summaries that they cannot stand for the conversations. */
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

/* Searches summaries; *n_good of them are near enough to suffice. */
static int
ladder_summaries(struct steps *s, size_t *n_good, struct err *err)
{
	if (step_known(s, "summaries", TIER_REFLECTIONS, 1u << RECORD_SUMMARY,
		(size_t)s->in->q->limit, 0, err) < 0)
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		bool good = s->hits[i].score >= conf_real("ladder_score");
		s->hits[i].place = (good ? PLACE_GOOD_SUMMARIES : PLACE_SUMMARIES) + i;
		*n_good += good;
	}
	return 0;
}

/*
 * Searches by words, then by similar words, then by vectors; when all these find little, adds the
 * newest messages.
 */
static int
ladder_said(struct steps *s, size_t few, bool by_vectors, size_t *n_good, struct err *err)
{
	size_t limit = (size_t)s->in->q->limit, by_words = 0, more = 0;

	if (step_said(s, "fulltext", "lexical", true, limit, PLACE_WORDS, &by_words, err) < 0)
		return -1;
	if (by_words < few && s->in->q->len >= SHORTEST &&
	    step_said(s, "trigrams", "lexical", false, limit, PLACE_LIKE_WORDS, &more, err) < 0)
		return -1;
	if ((by_vectors || by_words < few) &&
	    step_said(s, "vectors", "fused", false, limit, PLACE_VECTORS, &more, err) < 0)
		return -1;
	*n_good += MAX(by_words, more);
	return *n_good < few
	    ? step_said(s, "recent", "recent", false, limit, PLACE_RECENT, NULL, err)
	    : 0;
}

static int
ladder(struct steps *s, struct err *err)
{
	size_t few = (size_t)conf_int("ladder_few"), n_good = 0;
	bool may_say = s->in->tiers_in & 1u << TIER_CONVERSATIONS, no_summaries = true;

	if (s->in->tiers_in & 1u << TIER_REFLECTIONS &&
	    (ladder_summaries(s, &n_good, err) < 0 ||
		few_summaries(s, few, &no_summaries, err) < 0))
		return -1;
	if (n_good < few && may_say && ladder_said(s, few, no_summaries, &n_good, err) < 0)
		return -1;
	if (s->n > 0)
		qsort(s->hits, s->n, sizeof(*s->hits), by_place);
	s->out->stopped = n_good >= few ? "enough" : "end";
	return 0;
}

/* ---- progressive ---- */

/*
 * Why the search may stop here; NULL: it may not. It has enough with so many results, from so many
 * tiers, that one may answer and that they rest on most of the likeliest turns, by their
 * probabilities. When none of them is likely to answer, the turns would not do better: it is at its
 * end. A category answers nothing.
 */
static const char *
may_stop(const struct steps *s)
{
	size_t covered = 0, wanted = (size_t)conf_int("progressive_results");
	double best = 0, all = 0, had = 0;

	for (size_t i = 0; i < s->out->n_tiers; i++)
		covered += s->out->tiers[i].n > 0;
	for (size_t i = 0; i < s->n; i++)
		best = MAX(best, s->hits[i].category == NULL ? s->hits[i].score : 0);
	for (size_t i = 0; i < s->n_turns; i++) {
		all += s->turns[i];
		had += s->rests & 1u << i ? s->turns[i] : 0;
	}
	if (wanted > 0 && s->n >= wanted &&
	    covered >= (size_t)conf_int("progressive_tiers") && best >= CHANCE &&
	    had >= conf_real("progressive_score") * all)
		return best >= conf_real("likely") ? "enough" : "end";
	return s->n >= (size_t)conf_int("progressive_total") ? "limit" : NULL;
}

/*
 * The progressive order: first what is near enough to suffice by itself, then messages, then the
 * rest, categories last.
 */
static unsigned
class_of(const struct steps *s, const struct step_hit *h)
{
	if (h->category != NULL)
		return h->score >= SUFFICES ? 0 : 3;
	if (h->known.record == NULL)
		return 1;
	return nearness(s, &h->known) >= SUFFICES ? 0 : 2;
}

static void
order(struct steps *s)
{
	struct step_hit *sorted = xcalloc(s->n + 1, sizeof(*sorted));
	size_t n = 0;

	for (unsigned c = 0; c < 4; c++)
		for (size_t i = 0; i < s->n; i++)
			if (class_of(s, &s->hits[i]) == c)
				sorted[n++] = s->hits[i];
	free(s->hits);
	s->hits = sorted;
}

/*
 * Whether categories are searched. They have no time, trust or agent, so they are left out when the
 * filter asks for one of these.
 */
static bool
has_topics(const struct steps *s)
{
	const struct record_filter *f = s->in->known;
	const struct scope *w = s->who;

	return s->in->tiers_in == TIERS_ALL && f->since_us == TIME_NONE &&
	    f->until_us == TIME_NONE && f->as_of_us == TIME_NONE && f->known_us == TIME_NONE &&
	    f->min_trust == 0 && f->bank == NULL && f->category < 0 && f->tag == NULL &&
	    f->min_importance <= 0 &&
	    (w->agent == NULL || *w->agent == '\0') &&
	    (w->project == NULL || *w->project == '\0') &&
	    (w->session == NULL || *w->session == '\0');
}

static int
step_topics(struct steps *s, size_t limit, struct err *err)
{
	struct step_tier *t = begin_tier(s, "categories");
	struct topic *topics;
	size_t n;

	if (topics_find(s->in->store, s->who, s->in->q->text, s->in->q->len, s->arena, &topics, &n,
		err) < 0)
		return -1;
	for (size_t i = 0; i < n && t->n < limit && topics[i].share >= TOPIC_LEAST; i++)
		add_hit(s, t,
		    &(struct step_hit){ .score = topics[i].share,
			.category = &topics[i].category });
	end_tier(t);
	return 0;
}

/*
 * Notes and summaries are passed over where a turn may answer: it says more than they do. Not where
 * all tiers are wanted.
 */
static bool
passes_over(const struct steps *s, enum tier tier)
{
	double best = 0;

	for (size_t i = 0; i < s->n_turns; i++)
		best = MAX(best, s->turns[i]);
	return tier == TIER_REFLECTIONS && s->in->tiers_in & 1u << TIER_CONVERSATIONS &&
	    best >= CHANCE && conf_int("progressive_results") > 0;
}

static int
progressive(struct steps *s, struct err *err)
{
	static const struct { const char *name; enum tier tier; enum record_type type; } tiers[] = {
		{ "insights", TIER_INSIGHTS, RECORD_FACT }, { "reflections", TIER_REFLECTIONS, RECORD_REFLECTION },
		{ "summaries", TIER_REFLECTIONS, RECORD_SUMMARY }, { "conversations", TIER_CONVERSATIONS, 0 },
	};
	struct search_result said;
	int rc = 0;

	if (s->in->tiers_in & 1u << TIER_CONVERSATIONS) {
		struct search_query q = *s->in->q;

		q.strategy = "fused";
		q.limit = MAX(q.limit, conf_int("progressive_tier"));
		q.min_score = 0;
		if (search_run(s->in->search, s->who, &q, &said, err) < 0)
			return -1;
		s->said = &said;
	}
	if (has_topics(s)) {
		rc = step_topics(s,
		    MIN((size_t)conf_int("progressive_tier"),
			(size_t)conf_int("progressive_total")),
		    err);
		s->out->stopped = may_stop(s);
	}
	for (size_t i = 0; i < NELEM(tiers) && rc == 0 && s->out->stopped == NULL; i++) {
		size_t limit = MIN((size_t)conf_int("progressive_tier"),
		    (size_t)conf_int("progressive_total") - s->n);
		if (!(s->in->tiers_in & 1u << tiers[i].tier) || passes_over(s, tiers[i].tier))
			continue;
		if (s->out->n_tiers >= (size_t)conf_int("progressive_most")) {
			s->out->stopped = "limit";
			break;
		}
		rc = tiers[i].tier == TIER_CONVERSATIONS
		    ? step_said(s, tiers[i].name, "fused", false, limit, 0, NULL, err)
		    : step_known(s, tiers[i].name, tiers[i].tier, 1u << tiers[i].type, limit,
			  conf_real("progressive_least"), err);
		if (tiers[i].tier == TIER_INSIGHTS)
			s->n_turns = facts_search_turns(s->in->tiers, s->turns);
		else if (tiers[i].tier == TIER_CONVERSATIONS)
			s->n_turns = 0;
		s->out->stopped = may_stop(s);
	}
	if (s->out->stopped == NULL)
		s->out->stopped = "end";
	order(s);
	return rc;
}

/* ---- both ---- */

int
steps_run(const struct steps_in *in, const struct scope *who, struct arena *a,
	struct steps_result *out, struct err *err)
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

	json_record(out, "hit");
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
	json_end(out);
}

void
steps_record(struct buf *out, const char *user, const char *strategy, const struct steps_result *r)
{
	json_record(out, "steps");
	json_str(out, "user", user);
	json_str(out, "strategy", strategy);
	json_array_open(out, "tiers");
	for (size_t i = 0; i < r->n_tiers; i++) {
		json_object_open(out, NULL);
		json_str(out, "name", r->tiers[i].name);
		json_int(out, "results", (int64_t)r->tiers[i].n);
		json_num(out, "ms", (double)r->tiers[i].us / 1000);
		json_close(out);
	}
	json_array_close(out);
	json_str(out, "stopped", r->stopped);
	json_end(out);
}
