/*
 * candidates_score.c: scores candidates by the run's strategy, with all that is known of them so
 * far; and looks at what is around the best, and at their texts, so that more is.
 */
#include "search/search_run.h"

#include <math.h>

#include "base/conf.h"

/* bytes of text that are read again: of all candidates together, and of one candidate */
#define READ_BYTES   (32u << 10)
#define READ_MOST    (4u << 10)

static struct candidate
candidate_of(const struct run *r, size_t i)
{
	return (struct candidate){ .corpus = r->corpus,
		.question = &r->s->question,
		.best = &r->found.best,
		.at = &r->found.at[i],
		.dense = r->dense,
		.code = r->found.code,
		.unsaid = r->found.unsaid };
}

unsigned
candidates_kind(const struct run *r, size_t i)
{
	return r->corpus->kind[r->found.at[i].session];
}

void
candidates_signals(const struct run *r, size_t i, float x[N_SIGNALS])
{
	struct candidate c = candidate_of(r, i);

	c.card = &r->found.cards[i];
	c.read = r->found.is_read[i] ? &r->found.read[i] : NULL;
	c.around = r->found.around[i];
	c.foreign = r->found.foreign[i];
	signals_of(&c, x);
}

/* ---- scores ---- */

/* A source that did not find the turn gives 0. */
void
candidates_sides(const struct run *r, const struct bm25_scores *at, float sides[SEARCH_SIDES])
{
	sides[0] = r->dense != NULL ? dense_sim(r->dense, at->turn) : 0;
	if (isnan(sides[0]))
		sides[0] = 0;
	sides[1] = at->self / r->found.best.turn;
	sides[2] = at->exact > 0;
}

/* The weighted sum of cosine, BM25 and exact identifiers, or what another fusion makes of them. */
static float
hybrid(const struct run *r, const struct bm25_scores *at)
{
	float x[SEARCH_SIDES];

	candidates_sides(r, at, x);
	if (r->strategy == HYBRID)
		return (float)conf_real("alpha") * x[0] + (float)conf_real("beta") * x[1] +
		    (float)conf_real("gamma") * x[2];
	/* RRF ranks both sides later: until then the better of them decides who stays */
	return r->strategy == DENSE ? x[0] : MAX(x[0], x[1]);
}

bool
candidates_by_signals(const struct run *r)
{
	return r->strategy == FUSED || r->strategy == LEXICAL;
}

/* Whether all turns are scored by the same weights. */
static bool
is_about_matter(const struct run *r)
{
	return !r->s->question.about_person && !r->q->as_kind;
}

unsigned
candidates_profile_of(const struct run *r, unsigned session_kind)
{
	return is_about_matter(r) ? profile_matter(r->dense != NULL)
				  : profile_kind(session_kind, r->dense != NULL);
}

/* The weights of the turns of a session. *talk: how far those of chats count (profile_mix). */
static unsigned
profile_of(const struct run *r, uint32_t session, float *talk)
{
	unsigned kind = candidates_profile_of(r, r->corpus->kind[session]);

	*talk = is_about_matter(r) ? 0 : corpus_talk(r->corpus, session);
	return kind;
}

unsigned
candidates_profile(const struct run *r, size_t i)
{
	float talk;

	return profile_of(r, r->found.at[i].session, &talk);
}

/* The weight of the signal in the score of candidate i. */
static float
weight_of(const struct run *r, size_t i, enum signal signal)
{
	const struct profile *p = &r->s->profile;
	float talk;
	unsigned kind = profile_of(r, r->found.at[i].session, &talk);

	return profile_mix(p->weight[kind][signal],
	    p->weight[profile_kind(SESSION_CHAT, r->dense != NULL)][signal], talk);
}

static float
score_of(const struct run *r, const struct candidate *c)
{
	const struct profile *p = &r->s->profile;
	float x[N_SIGNALS], talk;
	unsigned kind = profile_of(r, c->at->session, &talk),
		 chat = profile_kind(SESSION_CHAT, r->dense != NULL);

	if (r->strategy == BM25)
		return c->at->self;
	if (!candidates_by_signals(r))
		return hybrid(r, c->at);
	if (c->card == NULL)
		return talk > 0
		    ? profile_mix(profile_score_of(p, kind, c), profile_score_of(p, chat, c), talk)
		    : profile_score_of(p, kind, c);
	signals_of(c, x);
	return talk > 0 ? profile_mix(profile_score(p, kind, x), profile_score(p, chat, x), talk)
			: profile_score(p, kind, x);
}

float
candidates_score(const struct run *r, size_t i)
{
	struct candidate c = candidate_of(r, i);

	c.card = candidates_by_signals(r) ? &r->found.cards[i] : NULL;
	c.read = r->found.is_read[i] ? &r->found.read[i] : NULL;
	c.around = r->found.around[i];
	c.foreign = r->found.foreign[i];
	return score_of(r, &c);
}

float
candidates_first_score(const struct run *r, size_t i)
{
	struct candidate c = candidate_of(r, i);

	/* of all that somebody said the last is asked for, and sessions stand by age */
	if (r->by_card && r->s->question.asks_last)
		return (float)c.at->turn;
	return score_of(r, &c);
}

int
candidates_scores(struct run *r, float *scores, struct err *err)
{
	if (candidates_by_signals(r) && candidates_cards(r, err) < 0)
		return -1;
	for (size_t i = 0; i < r->found.n; i++)
		scores[i] = candidates_score(r, i);
	return 0;
}

/* ---- what is around them, and their texts ---- */

void
candidates_look_around(struct run *r, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		size_t i = (size_t)r->found.top.items[k].id;
		r->found.around[i] = around_turn(r->corpus, &r->found.at[i], r->bm25,
		    r->found.expected_near, r->dense);
	}
}

bool
candidates_use(const struct run *r, enum signal signal)
{
	/* the last is for sessions of no known kind in which people talk */
	bool seen[N_SESSION_KINDS + 1] = { false };
	size_t n_kinds = 0, most = is_about_matter(r) ? 1 : NELEM(seen);

	for (size_t i = 0; candidates_by_signals(r) && i < r->found.n && n_kinds < most; i++) {
		unsigned kind = corpus_talk(r->corpus, r->found.at[i].session) > 0
		    ? (unsigned)N_SESSION_KINDS
		    : candidates_kind(r, i);
		if (seen[kind])
			continue;
		if (weight_of(r, i, signal) != 0)
			return true;
		seen[kind] = true;
		n_kinds++;
	}
	return false;
}

int
candidates_read(struct run *r, bool bridges, size_t *n, struct err *err)
{
	struct search *s = r->s;
	size_t left = READ_BYTES, len;
	float part[FEEDBACK_MOST] = { 0 }, covers[FEEDBACK_MOST] = { 0 };
	const char *text;
	uint32_t turns[FEEDBACK_MOST];
	struct index_wants wants = { .texts = turns,
		.n_texts = MIN(r->found.top.n, (size_t)FEEDBACK_MOST) };

	passage_open(&s->passage, &s->question, s->idf);
	feedback_open(&r->found.feedback, &s->question, s->idf, r->q->text, r->q->len, bridges);
	s->passage.feedback = &r->found.feedback;
	for (size_t i = 0; i < wants.n_texts; i++)
		turns[i] = r->found.at[r->found.top.items[i].id].turn;
	if (index_want(s->index, &wants, err) < 0)
		return -1;
	for (*n = 0;
	     *n < MIN(r->found.top.n, (size_t)FEEDBACK_MOST) && left > 0 && s->passage.all_idf > 0;
	     ++*n) {
		size_t i = (size_t)r->found.top.items[*n].id;
		if (index_text(s->index, r->found.at[i].turn, &text, &len, err) < 0)
			return -1;
		size_t n_read = MIN(len, MIN(left, (size_t)READ_MOST));
		r->found.read[i] = passage_look(&s->passage, text, n_read);
		r->found.read[i].cut = n_read < len;
		feedback_end(&r->found.feedback, r->found.at[i].session);
		r->found.is_read[i] = true;
		left -= n_read;
	}
	feedback_part(&r->found.feedback, part);
	feedback_covers(&r->found.feedback, covers);
	for (size_t k = 0; k < *n; k++) {
		r->found.read[r->found.top.items[k].id].part = part[k];
		r->found.read[r->found.top.items[k].id].covers = covers[k];
	}
	return 0;
}

void
candidates_bridge(struct run *r, size_t n, const float *scores)
{
	float of[FEEDBACK_MOST] = { 0 }, bridge[FEEDBACK_MOST];

	for (size_t k = 0; k < n; k++)
		of[k] = scores[r->found.top.items[k].id];
	feedback_bridge(&r->found.feedback, of, bridge);
	for (size_t k = 0; k < n; k++)
		r->found.read[r->found.top.items[k].id].bridge = bridge[k];
}
