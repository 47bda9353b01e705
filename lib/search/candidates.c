/*
 * candidates.c: chooses the turns that are ranked. The corpus is scored slice by slice
 * (rank/bm25.h); a turn is a candidate when it or a neighbour has a match. In a large memory a
 * cheap prefilter (prefilter.c) keeps only the best while the slices pass; the best of these by the
 * signals that need no turn features are ranked with all signals.
 */
#include "search/search_run.h"

#include <math.h>

#include "base/alloc.h"

/*
 * Up to FULL_MAX candidates are all ranked with all signals. Of more, the best SHORT_LIST are, or
 * the best LONG_LIST when the question names a speaker, a project or a time, which only the turn
 * features know; in a large memory, half of either.
 */
#define FULL_MAX     4000
#define SHORT_LIST   1000
#define LONG_LIST    8000
/*
 * The prefilter (prefilter.c) keeps this many times the length of the list; LIGHT_FACTOR_FEW where
 * only the nearest cosines are known.
 */
#define LIGHT_FACTOR 6
#define LIGHT_FACTOR_FEW 2
/* turns; in so small a memory one match makes the whole session candidates */
#define SMALL_MEMORY 20000
/*
 * In a large memory, cosines this many standard deviations above the mean are near; NEAR_SDS_FEW
 * where only the nearest cosines are known.
 */
#define NEAR_SDS     1.5f
#define NEAR_SDS_FEW 2.0f

/*
 * Words are weak where the best turn has less than this share of what a turn with all words of the
 * question can have, and another turn is so much nearer in meaning: as a z4, two deviations.
 */
#define WORDS_ENOUGH 0.4f
#define FAR_NEARER   0.6f

/* The share of the question's words that one turn has at best, by their idf (words_unsaid). */
#define FEW_WORDS  0.2f
#define MOST_WORDS 0.8f

/* In a large memory a turn without a match is a candidate only above this cosine. */
static inline float
near_cosine(const struct dense *d)
{
	return d->turns.mean + (d->few != NULL ? NEAR_SDS_FEW : NEAR_SDS) * d->turns.sd;
}

/*
 * Whether the turn is a candidate. By words: it or a neighbour has a match; in a small memory a
 * match anywhere in its session is enough, because speaker and time may make up for the rest. By
 * vectors: every turn that has one; in a large memory only the nearest fifteenth or so, since a
 * turn that is neither among these nor has a word never ranks among the first.
 */
static inline bool
may_be_hit(const struct run *r, uint32_t turn)
{
	const struct bm25 *b = r->bm25;
	uint32_t i = turn - b->from;
	bool small = r->corpus->n <= SMALL_MEMORY;

	if (r->strategy == BM25)
		return b->turn[i] > 0;
	if (r->strategy != DENSE &&
	    (b->window[i] > 0 || (small && b->session[b->session_of[i] - b->first_session] > 0)) &&
	    /* a bare tool call beside a match tells nothing */
	    corpus_words(r->corpus, turn) > 0)
		return true;
	return r->dense != NULL &&
	    dense_cosine(r->dense, turn) > (small ? DENSE_NONE : near_cosine(r->dense));
}

/*
 * Walks over the turns of a slice that may_be_hit has to look at. In a large memory these are the
 * turns near a match and the turns near in meaning; by_word and by_meaning are the next of either,
 * `to` when there are no more. In a small memory all turns are visited.
 */
struct walk { const struct run *run; bool all; float near; uint32_t by_word, by_meaning, to; };

static struct walk
walk_of(const struct run *r, uint32_t from, uint32_t to)
{
	bool all = r->corpus->n <= SMALL_MEMORY;
	struct walk p = { r, all, 0, all ? from : bm25_near(r->bm25, from), to, to };

	if (!all && r->dense != NULL) {
		p.near = near_cosine(r->dense);
		p.by_meaning = dense_next(r->dense, from, to, p.near);
	}
	return p;
}

/* Sets *turn to the next turn and steps past it; false when there is none. */
static inline bool
walk_next(struct walk *p, uint32_t *turn)
{
	uint32_t at = *turn = MIN(p->by_word, p->by_meaning);

	if (at >= p->to)
		return false;
	if (p->by_word == at)
		p->by_word = p->all ? at + 1 : bm25_near(&p->run->s->bm25, at + 1);
	if (p->by_meaning == at)
		p->by_meaning = dense_next(p->run->dense, at + 1, p->to, p->near);
	return true;
}

void
candidates_add(struct run *r, uint32_t turn)
{
	if (r->found.n == r->found.cap)
		xgrow(&r->found.at, &r->found.cap, r->found.n + 1, sizeof(*r->found.at));
	bm25_at(r->bm25, turn, &r->found.at[r->found.n++]);
}

/* ---- filters ---- */

static bool
has_filter(const struct run *r)
{
	const struct message_filter *f = &r->filter;

	return f->role >= 0 || f->said_by.names != NULL || f->since_us != TIME_NONE ||
	    f->until_us != TIME_NONE || f->min_trust > 0 || r->agent >= 0 || r->project >= 0;
}

bool
candidates_filtered(const struct run *r)
{
	return r->by_card || has_filter(r);
}

static bool
may_have_said(const struct run *r, const struct card *c)
{
	bool may = r->speakers == NULL;

	for (size_t i = 0; i < r->n_speakers && !may; i++)
		may = r->speakers[i] == c->speaker && (c->speaker != 0 || c->role == ROLE_USER);
	return may;
}

static bool
passes(const struct run *r, const struct card *c)
{
	const struct message_filter *f = &r->filter;

	if ((f->role >= 0 && c->role != f->role) || !may_have_said(r, c) ||
	    c->trust < f->min_trust)
		return false;
	if ((f->since_us != TIME_NONE && (c->time_us == TIME_NONE || c->time_us < f->since_us)) ||
	    (f->until_us != TIME_NONE && (c->time_us == TIME_NONE || c->time_us >= f->until_us)))
		return false;
	if (r->agent >= 0 && c->agent != 0 && c->agent != r->agent)
		return false;
	return r->project < 0 || c->project == r->project;
}

/* Reads the turn features of found [at .. at + n - 1] into out. */
static int
read_cards(const struct run *r, size_t at, size_t n, struct card *out, struct err *err)
{
	struct search *s = r->s;
	FREED uint32_t *turns = xreallocarray(NULL, n + 1, sizeof(*turns));

	for (size_t i = 0; i < n; i++)
		turns[i] = r->found.at[at + i].turn;
	return index_cards(s->index, turns, n, out, err);
}

/*
 * Removes the candidates from `at` on that do not pass the filter; reads the features of a thousand
 * at a time.
 */
static int
filter_found(struct run *r, size_t at, struct err *err)
{
	enum { STEP = 1000 };
	FREED struct card *cards = xcalloc(STEP, sizeof(*cards));
	size_t kept = at;
	int rc = 0;

	for (; rc == 0 && at < r->found.n; at += STEP) {
		size_t n = MIN(r->found.n - at, (size_t)STEP);
		rc = read_cards(r, at, n, cards, err);
		for (size_t i = 0; rc == 0 && i < n; i++)
			if (passes(r, &cards[i]))
				r->found.at[kept++] = r->found.at[at + i];
	}
	r->found.n = kept;
	return rc;
}

/* Whether the question means this speaker, where it names any, and this time alone. */
static bool
matches_times(const struct run *r, const struct card_said *said)
{
	const struct question *q = &r->s->question;
	bool then = false, theirs = q->n_speakers == 0;

	for (size_t i = 0; i < r->n_times; i++)
		then |= said->time_us != TIME_NONE && said->time_us >= r->times[i].from_us &&
		    said->time_us < r->times[i].to_us;
	for (size_t i = 0; i < q->n_speakers; i++)
		theirs |= q->speakers[i] == said->speaker;
	return then && theirs;
}

/* Whether the question means this speaker or this time. */
static bool
matches_fields(const struct run *r, uint32_t turn, const struct card_said *said)
{
	const struct question *q = &r->s->question;
	const struct card card = { .time_us = said->time_us };
	const struct candidate as = { .question = q, .card = &card };

	if (r->n_times > 0)
		return matches_times(r, said);
	for (size_t i = 0; i < q->n_speakers; i++)
		if (q->speakers[i] == said->speaker)
			return true;
	if ((q->last_roles >> corpus_role(r->corpus, turn) & 1) != 0)
		return true;
	return q->n_spans > 0 && signals[SIGNAL_DATE].value(&as) > 0;
}

/* Adds those of turns from .. to - 1 of the slice whose speaker or time the question means. */
static int
add_field_matches(struct run *r, uint32_t from, uint32_t to, struct err *err)
{
	struct search *s = r->s;
	FREED struct card_said *said = NULL;
	int rc;

	if (from >= to)
		return 0;
	said = xreallocarray(NULL, to - from, sizeof(*said));
	rc = index_said(s->index, from, to - from, said, err);
	for (uint32_t i = 0; rc == 0 && i < to - from; i++)
		if ((matches_fields(r, from + i, &said[i]) &&
			(r->n_times == 0 || corpus_words(r->corpus, from + i) > 0)) ||
		    (r->or_words && may_be_hit(r, from + i)))
			candidates_add(r, from + i);
	return rc;
}

/* Adds the turns that have a match in them or beside them, or are near in meaning. */
static void
add_matches(struct run *r, uint32_t from, uint32_t to)
{
	struct walk p = walk_of(r, from, to);

	for (uint32_t i; walk_next(&p, &i);)
		if (may_be_hit(r, i))
			candidates_add(r, i);
}

/* ---- of too many the best ---- */

static void
prefilter_slice(struct run *r, struct prefilter *l, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		if (may_be_hit(r, i))
			prefilter_offer(l, r, i);
	if (r->found.n > 2 * l->n)
		prefilter_compact(l, r);
}

/*
 * Whether candidates are also sought in the sessions of the best ones: where only the cosines in
 * near cells are known, turns elsewhere would be missed. Never with a filter, because then all
 * cosines are read.
 */
static bool
searches_sessions(const struct run *r)
{
	return r->dense != NULL && r->dense->few != NULL && r->strategy == FUSED;
}

/* Finds all candidates; with a prefilter l, which may be NULL, only the best of them. */
static int
find_in_slices(struct run *r, struct prefilter *l, struct err *err)
{
	struct search *s = r->s;
	struct bm25 *b = r->bm25;
	struct index_wants cards = { .cards_from = r->from, .cards_to = r->to };

	if (l != NULL && r->corpus->n > SMALL_MEMORY) {
		prefilter_all(l, r, r->dense != NULL ? near_cosine(r->dense) : 0);
		return 0;
	}
	/* slice by slice they would be asked for in as many rounds */
	if (l == NULL && (r->by_card || has_filter(r)) && index_want(s->index, &cards, err) < 0)
		return -1;
	while (bm25_next(b)) {
		uint32_t from = MAX(r->from, b->from), to = MIN(r->to, b->to);
		size_t before = r->found.n;
		if (l != NULL) {
			prefilter_slice(r, l, from, to);
			continue;
		}
		if (!r->by_card)
			add_matches(r, from, to);
		else if (add_field_matches(r, from, to, err) < 0)
			return -1;
		if (has_filter(r) && filter_found(r, before, err) < 0)
			return -1;
	}
	return 0;
}

/*
 * The best turn by words counts as one that has all words well, but it may have a single common
 * one: where the question is of another language, as what answers it, that is the rule. So where
 * another turn is far nearer in meaning, words count by what the best has of the question.
 */
static void
weigh_words(struct run *r)
{
	struct bm25_best *best = &r->found.best;
	float nearest = -INFINITY, weak = WORDS_ENOUGH * best->cover / best->turn;
	size_t first = 0;

	if (r->dense == NULL || r->found.n == 0 || weak <= 1)
		return;
	for (size_t i = 0; i < r->found.n; i++) {
		nearest = MAX(nearest, dense_turn(r->dense, r->found.at[i].turn));
		if (r->found.at[i].self > r->found.at[first].self)
			first = i;
	}
	if (nearest - dense_turn(r->dense, r->found.at[first].turn) < FAR_NEARER)
		return;
	best->turn *= weak;
	best->window *= weak;
	best->head *= weak;
	best->session *= weak;
}

/*
 * How far no candidate has the question's words, so that whoever asks has forgotten them: none from
 * MOST_WORDS on, all up to FEW_WORDS.
 */
static float
words_unsaid(const struct run *r)
{
	float most = 0;

	for (size_t i = 0; i < r->found.n; i++)
		most = MAX(most, r->found.at[i].cover);
	most = (MOST_WORDS - most / r->found.best.cover) / (MOST_WORDS - FEW_WORDS);
	return MAX(MIN(most, 1), 0);
}

/* What was known of the candidates before. */
static void
free_known(struct candidates *c)
{
	free(c->cards);
	free(c->around);
	free(c->is_read);
	free(c->read);
	free(c->foreign);
	c->cards = NULL;
}

int
candidates_find(struct run *r, size_t *n_all, struct err *err)
{
	struct search *s = r->s;
	bool named = s->question.n_spans > 0 || s->question.n_speakers > 0 ||
	    s->question.n_projects > 0;
	size_t keep = MAX((size_t)r->q->limit * 4, (size_t)(named ? LONG_LIST : SHORT_LIST));
	size_t full = FULL_MAX,
	       n_light = keep *
	    (r->dense != NULL && r->dense->few != NULL ? LIGHT_FACTOR_FEW : LIGHT_FACTOR);
	bool light = !candidates_filtered(r) && !r->q->exact && r->to - r->from > n_light;
	uint64_t *seen = NULL;
	struct prefilter l;
	int rc;

	prefilter_open(&l, r, n_light);
	if (searches_sessions(r))
		l.seen = seen = xcalloc(r->corpus->n / 64 + 1u, sizeof(*seen));
	if (r->dense != NULL && r->dense->few != NULL)
		dense_ann_mark(&s->dense, near_cosine(r->dense));
	r->found.n = 0;
	if (find_in_slices(r, light ? &l : NULL, err) < 0)
		return -1;
	bm25_best(r->bm25, &r->found.best);
	*n_all = light ? l.n_seen : r->found.n;
	if (light)
		prefilter_compact(&l, r);
	prefilter_release(&l);
	if (r->corpus->n > SMALL_MEMORY) {
		full = seen != NULL ? 0 : keep;
		keep = MAX(keep / 2, (size_t)r->q->limit * 4);
	}
	rc = candidates_narrow(r, r->q->exact ? SIZE_MAX : MAX(full, keep), keep, seen, err);
	free(seen);
	if (rc < 0 || copies_drop(r, err) < 0)
		return -1;
	weigh_words(r);
	r->found.unsaid = words_unsaid(r);
	free_known(&r->found);
	r->found.read = xcalloc(r->found.n + 1, sizeof(*r->found.read));
	r->found.is_read = xcalloc(r->found.n + 1, sizeof(*r->found.is_read));
	r->found.around = xcalloc(r->found.n + 1, sizeof(*r->found.around));
	r->found.foreign = xcalloc(r->found.n + 1, sizeof(*r->found.foreign));
	return 0;
}

void
candidates_release(struct candidates *c)
{
	free_known(c);
	free(c->at);
	feedback_close(&c->feedback);
	topk_release(&c->top);
}

int
candidates_cards(struct run *r, struct err *err)
{
	free(r->found.cards);
	r->found.cards = xreallocarray(NULL, r->found.n + 1, sizeof(*r->found.cards));
	return read_cards(r, 0, r->found.n, r->found.cards, err);
}
