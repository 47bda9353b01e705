/*
 * candidates_light.c: of more candidates than can get their signals the best by a light score, as the slices pass: what a turn and its session have of the words and of the meaning, weighed as the
 * profile weighs them. A histogram of those taken says from which score on one can still be among the best.
 *
 * Most turns of a large memory that have a common word in them or beside them are too far behind for anything that their vector may say: they are left before it is looked up.
 *
 * In a large memory it is the sessions that tell them apart: by the turns' words and cosines alone three times as many had to be taken, and of a million chat lines .928 of the hits of --exact
 * came up, now .939 (n 200); of 100,000 .976, now .988 (n 50).
 */
#include "verb/search_run.h"

#include "base/alloc.h"

#define LIGHT_WINDOW 0.6f          /* of the question's idf: about what its best window has, */
#define LIGHT_SESSION 0.9f         /* and its best session */
#define LIGHT_Z4     1.5f          /* six deviations: about what the best vector has */

/* By signals: as the profile weighs those that come first. */
static struct light_factors
factors_of(const struct run *r, unsigned kind, float idf)
{
	const float *w = r->s->profile.weight[profile_kind(kind, r->dense != NULL)];
	struct light_factors f = {
		.words = MAX(w[SIGNAL_TURN], 0) + MAX(w[SIGNAL_WINDOW], 0) + MAX(w[SIGNAL_HEAD], 0), .cover = w[SIGNAL_COVERAGE] + w[SIGNAL_COVERAGE_2],
		.session = w[SIGNAL_SESSION], .meaning = w[SIGNAL_DENSE] + w[SIGNAL_DENSE_WINDOW] + w[SIGNAL_DENSE_USER], .dense_session = w[SIGNAL_DENSE_SESSION],
	};
	float all;

	if (r->strategy == BM25)
		f = (struct light_factors){ .words = 1 };
	else if (r->strategy == DENSE)
		f = (struct light_factors){ .meaning = 1 };
	else if (!candidates_by_signals(r))
		f = (struct light_factors){ .words = 1, .cover = 1, .meaning = 2 / LIGHT_Z4 };
	if (r->dense == NULL)
		f.meaning = f.dense_session = 0;
	all = (LIGHT_STEPS - 1) / MAX(f.words + f.cover + f.session + (f.meaning + f.dense_session) * LIGHT_Z4, 1e-6f);
	return (struct light_factors){ f.words * all / idf / LIGHT_WINDOW, f.cover * all / idf, f.meaning * all, f.session * all / idf / LIGHT_SESSION, f.dense_session * all };
}

void
light_open(struct light *l, const struct run *r, size_t n)
{
	float idf = MAX((float)r->s->bm25.idf_sum, 1e-6f);

	memset(l, 0, sizeof(*l));
	l->n = n;
	l->session_no = CORPUS_NO_SESSION;
	l->words = r->strategy == BM25 ? r->s->bm25.turn : r->s->bm25.window;
	for (unsigned kind = 0; kind < N_SESSION_KINDS; kind++)
		l->of[kind] = factors_of(r, kind, idf);
}

/* What all turns of a session have. */
static void
enter_session(struct light *l, const struct run *r, uint32_t session)
{
	const struct bm25 *b = &r->s->bm25;
	const struct light_factors *f = &l->of[r->corpus->kind[session]];

	l->session_no = session;
	l->f = f;
	l->session = f->session * b->session[session - b->first_session];
	if (f->dense_session != 0)
		l->session += f->dense_session * MIN(dense_session(r->dense, session), LIGHT_Z4);
	l->meaning_most = MAX(f->meaning, 0) * LIGHT_Z4;
}

/* Those below least go; of those at least itself the first, so that n stay. */
void
light_compact(struct light *l, struct run *r)
{
	struct search *s = r->s;
	size_t kept = 0, n_at = 0, above = 0;

	for (unsigned i = l->least + 1; i < LIGHT_STEPS; i++)
		above += l->count[i];
	for (size_t i = 0; i < s->n_found; i++) {
		unsigned score = l->scores[i];
		if (score > l->least || (score == l->least && above + n_at++ < l->n)) {
			s->found[kept] = s->found[i];
			l->scores[kept++] = (uint16_t)score;
		}
	}
	s->n_found = kept;
}

void
light_take(struct light *l, struct run *r, uint32_t turn)
{
	struct search *s = r->s;
	const struct bm25 *b = &s->bm25;
	uint32_t i = turn - b->from;
	float sum;
	unsigned score;

	l->n_seen++;
	if (l->seen != NULL)
		l->seen[turn / 64] |= (uint64_t)1 << turn % 64;
	if (b->session_of[i] != l->session_no)
		enter_session(l, r, b->session_of[i]);
	sum = l->session + l->f->words * l->words[i] + l->f->cover * b->cover[i];
	if (r->dense != NULL && sum + l->meaning_most >= (float)l->least)
		sum += l->f->meaning * MIN(MAX(dense_turn(r->dense, turn), 0), LIGHT_Z4);
	sum = MAX(sum, 0);
	if (sum < (float)l->least)
		return;
	score = sum < LIGHT_STEPS - 1 ? (unsigned)sum : LIGHT_STEPS - 1;
	l->count[score]++;
	l->n_taken++;
	candidates_add(s, turn);
	if (l->cap < s->n_found)
		xgrow(&l->scores, &l->cap, s->n_found, sizeof(*l->scores));
	l->scores[s->n_found - 1] = (uint16_t)score;
	while (l->n_taken - l->count[l->least] >= l->n)
		l->n_taken -= l->count[l->least++];
}

void
light_release(struct light *l)
{
	free(l->scores);
}
