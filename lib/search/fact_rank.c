/*
 * fact_rank.c: a fact is a short text that often lacks the words of a question: "Bedminster, top
 * floor" says where somebody lives who was asked so. So the turn that it rests on counts, found as
 * a search of conversations finds it, and that the question asks for the fact's key or names whom
 * it is about.
 */
#include "search/fact_rank.h"

#include <math.h>

#include "base/alloc.h"
#include "facts/subject.h"
#include "math/real.h"

/* of a fact about another time, or another person, than the question names */
#define OTHER_TIME   .3
#define OTHER_PERSON .7
/* of a fact on a key on which a later one says something: that is no proof that it has ended */
#define OTHER_SINCE  .3
/* the most of a fact that does not hold yet, of the score of what holds until then */
#define NOT_YET      .5

/*
 * Of the whole, [a slot is asked for][there are vectors]: learnt by a softmax over the facts of
 * each of fifty questions about a present or past state, and of 897 about what was said in five
 * long chats. Where no slot is asked for, the turns know best.
 */
struct weights { double sim, bm25, best_turn, turn, share, idf, keyed, named, recent; };
static const struct weights weights[2][2] = {
	{ { 0, .143, .268, .276, .257, .056, 0, 0, 0 },
	    { .243, .133, .284, .151, .167, .020, 0, .002, 0 } },
	{ { 0, .040, .124, .150, .246, .066, .316, .040, .018 },
	    { .235, .010, .080, .128, .132, .060, .205, .095, .055 } }
};

/* What counts for a fact beside what the hit has. */
struct evidence {
	struct fact_subject subject;
	const char *project;
	uint8_t *match;                        /* [words of the question] (fact_question_match) */
	double share;                          /* of the question's words, by their rarity */
	double recent;                         /* 0 to 1, from the oldest to the newest */
	double keyed;                          /* 0 to 1: on a key that the question asks for */
	bool held;
};

/* Declares the turns that the facts rest on. */
static int
want_sources(struct store *s, const struct scope *who, const struct tier_hit *hits, size_t n,
	struct err *err)
{
	FREED const struct fact **facts = xreallocarray(NULL, n + 1, sizeof(*facts));

	for (size_t i = 0; i < n; i++)
		facts[i] = hits[i].record;
	return subjects_want(s, who, facts, n, err);
}

static int
read_evidence(struct store *s, const struct scope *who, const struct fact_question *q,
	const struct fact *f, struct arena *a, struct evidence *e, struct err *err)
{
	const struct message *m = NULL;

	*e = (struct evidence){ .keyed = fact_question_keyed(q, f),
		.held = fact_question_held(q, f), .project = f->head.project };
	if (fact_subject(s, who, f, a, &e->subject, err) < 0)
		return -1;
	if (f->head.n_sources > 0 &&
	    messages_find(s, who, f->head.sources[0].id, a, &m, err) < 0)
		return -1;
	e->match = arena_alloc(a, q->words.n + 1);
	fact_question_match(q, e->subject.of, f, m != NULL ? m->content : NULL,
	    m != NULL ? m->content_len : 0, e->match);
	return 0;
}

/* Words that few of the facts have count more, as log(1 + N / n); those that none has do not. */
static void
weigh_words(const struct fact_question *q, struct evidence *all, size_t n)
{
	double sum = 0, weight[SAID_WORDS];

	for (size_t k = 0; k < q->words.n; k++) {
		size_t n_has = 0;
		for (size_t i = 0; i < n; i++)
			n_has += all[i].match[k] > 0;
		weight[k] = n_has == 0 ? 0 : real_log(1 + (double)n / (double)n_has);
		sum += weight[k];
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < q->words.n && sum > 0; k++)
			all[i].share += weight[k] * all[i].match[k] / 2 / sum;
}

static bool
has_ended(const struct fact *f)
{
	return f->valid_to_us != TIME_NONE && f->valid_to_us <= clock_now_us();
}

/*
 * The later a fact was said, the more it tells of what holds; of a question about what held once,
 * facts that have ended tell more. Returns whether their ages differ.
 */
static bool
weigh_age(const struct fact_question *q, const struct tier_hit *hits, struct evidence *all,
	size_t n)
{
	int64_t oldest = INT64_MAX, newest = INT64_MIN;

	for (size_t i = 0; i < n; i++) {
		int64_t at = hits[i].record->head.time_us;
		oldest = at != TIME_NONE ? MIN(oldest, at) : oldest;
		newest = at != TIME_NONE ? MAX(newest, at) : newest;
	}
	for (size_t i = 0; i < n; i++) {
		const struct fact *f = hits[i].record;
		if (q->past)
			all[i].recent = has_ended(f);
		else if (newest > oldest && f->head.time_us != TIME_NONE)
			all[i].recent = (double)(f->head.time_us - oldest) /
			    (double)(newest - oldest);
	}
	return q->past || newest > oldest;
}

/* 1: the question names whom the fact is about; 0: it names another; between: who knows. */
static double
judge_subject(const struct fact_question *q, const struct evidence *e)
{
	if (fact_question_names(q, e->subject.of))
		return 1;
	/* of a project, as well as of the people who work on it */
	if (*e->project != '\0' && fact_question_names(q, e->project))
		return 1;
	if (e->subject.of == NULL)
		return .5;
	return fact_question_names(q, e->subject.speaker) ? .4 : 0;
}

/* Whether another of the facts is on the same key, of the same person, and was said later. */
static bool
is_followed(const struct tier_hit *hits, const struct evidence *all, size_t n, size_t i)
{
	const struct fact *f = hits[i].record;

	for (size_t k = 0; k < n && *f->key != '\0'; k++) {
		const struct fact *g = hits[k].record;

		if (f->head.time_us != TIME_NONE && g->head.time_us != TIME_NONE &&
		    g->head.time_us > f->head.time_us && strcmp(f->key, g->key) == 0 &&
		    subjects_agree(all[i].subject.of, all[k].subject.of) && !has_ended(g))
			return true;
	}
	return false;
}

void
fact_rank_not_yet(const struct fact_question *q, struct tier_hit *hits, size_t n)
{
	for (size_t i = 0; i < n && !q->ahead; i++) {
		const struct fact *f = hits[i].record;

		if (f->valid_from_us <= clock_now_us())
			continue;
		for (size_t k = 0; k < n; k++)
			if (!has_ended(hits[k].record) &&
			    strcmp(hits[k].record->superseded_by, f->head.id) == 0) {
				hits[i].score = MIN(hits[i].score, NOT_YET * hits[k].score);
				hits[i].p = MIN(hits[i].p, NOT_YET * hits[k].p);
			}
	}
}

int
fact_rank(struct store *s, const struct scope *who, const struct fact_question *q, bool dense,
	struct tier_hit *hits, size_t n, struct arena *a, struct err *err)
{
	struct evidence *all = arena_alloc(a, (n + 1) * sizeof(*all));
	struct weights w = weights[q->n_slots > 0][dense];
	bool names_any = false;
	double turn = 0, sum;

	if (want_sources(s, who, hits, n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (read_evidence(s, who, q, hits[i].record, a, &all[i], err) < 0)
			return -1;
		names_any |= fact_question_names(q, all[i].subject.of);
		turn = MAX(turn, hits[i].turn);
	}
	weigh_words(q, all, n);
	for (size_t i = 0; i < n && names_any; i++)
		all[i].keyed *= judge_subject(q, &all[i]);
	/* what the question, or these facts, cannot tell has no weight */
	w.recent = weigh_age(q, hits, all, n) ? w.recent : 0;
	if (!(turn > 0))
		w.turn = w.best_turn = 0;
	w.named = names_any ? w.named : 0;
	sum = w.sim + w.bm25 + w.best_turn + w.turn + w.share + w.idf + w.keyed + w.named +
	    w.recent;
	for (size_t i = 0; i < n; i++) {
		const struct evidence *e = &all[i];
		struct tier_hit *h = &hits[i];
		h->score = w.bm25 * h->bm25 + w.share * e->share + w.idf * h->share +
		    w.recent * e->recent + (isnan(h->sim) ? 0 : w.sim * MAX(h->sim, 0)) +
		    w.turn * h->turn + (turn > 0 ? w.best_turn * h->turn / turn : 0) +
		    w.keyed * e->keyed +
		    (names_any ? w.named * judge_subject(q, e) : 0);
		h->score /= sum;
		if (!e->held || (q->past && q->from_us == TIME_NONE && !has_ended(h->record)))
			h->score *= OTHER_TIME;
		if (names_any && judge_subject(q, e) < .5)
			h->score *= OTHER_PERSON;
		if (e->keyed > 0 && !q->past && q->from_us == TIME_NONE &&
		    is_followed(hits, all, n, i))
			h->score *= OTHER_SINCE;
	}
	fact_rank_not_yet(q, hits, n);
	return 0;
}
