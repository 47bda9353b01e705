/*
 * prefilter.c: when there are more candidates than can be ranked with all signals, keeps the best
 * by a light score while the slices pass: BM25 and cosine of a turn and of its session, weighted as
 * the profile weighs them. A histogram of the scores kept tells which score can still be among the
 * best.
 *
 * Most turns of a large memory that have a common word in or beside them are so far behind that no
 * cosine could bring them to the front. They are dropped before their cosine is looked up, 64
 * compared at once.
 *
 * The session's share matters in a large memory: by the turns' own words and cosines alone three
 * times as many candidates had to be kept, and of the hits of --exact .928 were found in a million
 * chat lines, now .939 (n 200); in 100,000 lines .976, now .988 (n 50).
 */
#include "search/search_run.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/alloc.h"

/* the shares of the question's idf that the best window and the best session have, roughly */
#define LIGHT_WINDOW 0.6f
#define LIGHT_SESSION 0.9f
#define LIGHT_Z4     1.5f          /* six standard deviations: roughly what the best vector has */
#define ROUNDING     0.01f         /* the most by which rounding may change a light score */
#define BLOCK        64            /* turns that are compared at once, one bit each */

/* The factors of a kind of session, scaled so that the best light scores reach PREFILTER_STEPS. */
static struct prefilter_factors
factors_of(const struct run *r, unsigned kind, float idf)
{
	const float *w = r->s->profile.weight[candidates_profile_of(r, kind)];
	struct prefilter_factors f = {
		.words = MAX(w[SIGNAL_TURN], 0) + MAX(w[SIGNAL_WINDOW], 0) + MAX(w[SIGNAL_HEAD], 0),
		.cover = w[SIGNAL_COVERAGE] + w[SIGNAL_COVERAGE_2] + w[SIGNAL_COVERAGE_BEFORE],
		.session = w[SIGNAL_SESSION],
		.meaning = w[SIGNAL_DENSE] + w[SIGNAL_DENSE_WINDOW] + w[SIGNAL_DENSE_USER] +
		    w[SIGNAL_DENSE_NEAR],
		.dense_session = w[SIGNAL_DENSE_SESSION],
	};
	float all;

	if (r->strategy == BM25)
		f = (struct prefilter_factors){ .words = 1 };
	else if (r->strategy == DENSE)
		f = (struct prefilter_factors){ .meaning = 1 };
	else if (!candidates_by_signals(r))
		f = (struct prefilter_factors){ .words = 1, .cover = 1, .meaning = 2 / LIGHT_Z4 };
	if (r->dense == NULL)
		f.meaning = f.dense_session = 0;
	all = (PREFILTER_STEPS - 1) /
	    MAX(f.words + f.cover + f.session + (f.meaning + f.dense_session) * LIGHT_Z4, 1e-6f);
	return (struct prefilter_factors){ f.words * all / idf / LIGHT_WINDOW, f.cover * all / idf,
		f.meaning * all, f.session * all / idf / LIGHT_SESSION, f.dense_session * all };
}

void
prefilter_open(struct prefilter *l, const struct run *r, size_t n)
{
	float idf = MAX((float)r->bm25->idf_sum, 1e-6f);

	memset(l, 0, sizeof(*l));
	l->n = n;
	l->session_no = CORPUS_NO_SESSION;
	l->words = r->strategy == BM25 ? r->bm25->turn : r->bm25->window;
	for (unsigned kind = 0; kind < N_SESSION_KINDS; kind++)
		l->of[kind] = factors_of(r, kind, idf);
}

/* Computes what all turns of a session share. */
static void
enter_session(struct prefilter *l, const struct run *r, uint32_t session)
{
	const struct bm25 *b = r->bm25;
	const struct prefilter_factors *f = &l->of[r->corpus->kind[session]];

	l->session_no = session;
	l->f = f;
	l->session = f->session * b->session[session - b->first_session];
	if (f->dense_session != 0)
		l->session += f->dense_session * MIN(dense_session(r->dense, session), LIGHT_Z4);
	l->meaning_most = MAX(f->meaning, 0) * LIGHT_Z4;
}

/* Scores below least are dropped; of those equal to it the first stay, so that n remain. */
void
prefilter_compact(struct prefilter *l, struct run *r)
{
	size_t kept = 0, n_at = 0, above = 0;

	for (unsigned i = l->least + 1; i < PREFILTER_STEPS; i++)
		above += l->count[i];
	for (size_t i = 0; i < r->found.n; i++) {
		unsigned score = l->scores[i];
		if (score > l->least || (score == l->least && above + n_at++ < l->n)) {
			r->found.at[kept] = r->found.at[i];
			l->scores[kept++] = (uint16_t)score;
		}
	}
	r->found.n = kept;
}

/* Raises the least score while enough candidates lie above it. */
static inline void
raise_least(struct prefilter *l)
{
	while (l->n_taken - l->count[l->least] >= l->n)
		l->n_taken -= l->count[l->least++];
}

static void
keep_best(struct prefilter *l, struct run *r, uint32_t turn)
{
	const struct bm25 *b = r->bm25;
	uint32_t i = turn - b->from;
	float sum;
	unsigned score;

	if (b->session_of[i] != l->session_no)
		enter_session(l, r, b->session_of[i]);
	sum = l->session + l->f->words * l->words[i] + l->f->cover * b->cover[i];
	if (r->dense != NULL && sum + l->meaning_most >= (float)l->least)
		sum += l->f->meaning * MIN(MAX(dense_turn(r->dense, turn), 0), LIGHT_Z4);
	sum = MAX(sum, 0);
	if (sum < (float)l->least)
		return;
	score = sum < PREFILTER_STEPS - 1 ? (unsigned)sum : PREFILTER_STEPS - 1;
	l->count[score]++;
	l->n_taken++;
	candidates_add(r, turn);
	if (l->cap < r->found.n)
		xgrow(&l->scores, &l->cap, r->found.n, sizeof(*l->scores));
	l->scores[r->found.n - 1] = (uint16_t)score;
	raise_least(l);
}

void
prefilter_offer(struct prefilter *l, struct run *r, uint32_t turn)
{
	l->n_seen++;
	if (l->seen != NULL)
		l->seen[turn / 64] |= (uint64_t)1 << turn % 64;
	keep_best(l, r, turn);
}

/* ---- many at once ---- */

/* Returns bits first .. first + n - 1 of bits; n <= BLOCK. */
static inline uint64_t
bits_of(const uint64_t *bits, uint32_t first, uint32_t n)
{
	uint64_t of = bits[first / 64] >> first % 64;

	if (first % 64 + n > 64)
		of |= bits[first / 64 + 1] << (64 - first % 64);
	return n < 64 ? of & (((uint64_t)1 << n) - 1) : of;
}

/*
 * Which of the turns [n] have a BM25 score, their own or their window's, and at least one word: a
 * bare tool call beside a match tells nothing.
 */
static uint64_t
with_words(const float *words, const uint16_t *info, uint32_t n)
{
	uint64_t bits = 0;
	uint32_t i = 0;

#if defined(__SSE2__)
	const __m128i mask = _mm_set1_epi16(POSTINGS_MAX_WORDS), zero = _mm_setzero_si128();
	for (; i + 8 <= n; i += 8) {
		__m128i none =
		    _mm_cmpeq_epi16(_mm_and_si128(_mm_loadu_si128(
						      (const __m128i *)(const void *)(info + i)),
					mask),
			zero);
		int some =
		    _mm_movemask_ps(_mm_cmpgt_ps(_mm_loadu_ps(words + i), _mm_setzero_ps())) |
		    _mm_movemask_ps(_mm_cmpgt_ps(_mm_loadu_ps(words + i + 4), _mm_setzero_ps()))
			<< 4;
		bits |= (uint64_t)(some & ~_mm_movemask_epi8(_mm_packs_epi16(none, zero))) << i;
	}
#endif
	for (; i < n; i++)
		bits |= (uint64_t)(words[i] > 0 && postings_words(info[i]) > 0) << i;
	return bits;
}

/* Which of the turns [n] get a score of at least `least` by their words. */
static uint64_t
score_reaches(const struct prefilter_factors *f, const float *words, const float *cover, uint32_t n,
	float least)
{
	uint64_t bits = 0;
	uint32_t i = 0;

#if defined(__SSE2__)
	const __m128 by_words = _mm_set1_ps(f->words), by_cover = _mm_set1_ps(f->cover),
		     from = _mm_set1_ps(least);
	for (; i + 4 <= n; i += 4) {
		__m128 sum = _mm_add_ps(_mm_mul_ps(by_words, _mm_loadu_ps(words + i)),
		    _mm_mul_ps(by_cover, _mm_loadu_ps(cover + i)));
		bits |= (uint64_t)_mm_movemask_ps(_mm_cmpge_ps(sum, from)) << i;
	}
#endif
	for (; i < n; i++)
		bits |= (uint64_t)(f->words * words[i] + f->cover * cover[i] >= least) << i;
	return bits;
}

/* Which of the turns [n] of the session at hand may be among the n best so far. */
static uint64_t
may_be_best(const struct prefilter *l, const struct run *r, uint32_t turn, uint32_t n)
{
	const struct bm25 *b = r->bm25;
	const float *words = l->words + (turn - b->from), *cover = b->cover + (turn - b->from);
	float least = (float)l->least - l->session - ROUNDING;
	uint64_t near, known;

	if (l->least == 0)
		return UINT64_MAX;
	if (r->dense == NULL)
		return score_reaches(l->f, words, cover, n, least);
	near = score_reaches(l->f, words, cover, n, least - l->meaning_most);
	if (r->dense->few == NULL)
		return near;
	known = bits_of(r->dense->known, turn, n);
	return (near & known) |
	    (score_reaches(l->f, words, cover, n, least - l->f->meaning * DENSE_FAR_Z4) & ~known);
}

static void
mark_seen(struct prefilter *l, uint32_t turn, uint64_t bits)
{
	l->n_seen += bits_count(bits);
	if (l->seen == NULL)
		return;
	l->seen[turn / 64] |= bits << turn % 64;
	if (turn % 64 > 0 && bits >> (64 - turn % 64) != 0)
		l->seen[turn / 64 + 1] |= bits >> (64 - turn % 64);
}

void
prefilter_pass(struct prefilter *l, struct run *r, uint32_t from, uint32_t to, float near)
{
	const struct bm25 *b = r->bm25;
	const uint32_t *first = r->corpus->session_first;
	uint32_t session = b->first_session,
		 by_meaning = r->dense != NULL ? dense_next(r->dense, from, to, near) : to;

	for (uint32_t at = from, end; at < to; at = end) {
		uint64_t bits;
		for (; first[session + 1] <= at; session++)
			;
		end = MIN(MIN(at + BLOCK, to), first[session + 1]);
		bits = r->strategy == DENSE ? 0 : bits_of(b->near, at - b->from + 1, end - at);
		if (bits != 0)
			bits &=
			    with_words(l->words + (at - b->from), r->corpus->info + at, end - at);
		for (; by_meaning < end;
		     by_meaning = dense_next(r->dense, by_meaning + 1, to, near))
			bits |= (uint64_t)1 << (by_meaning - at);
		if (bits == 0)
			continue;
		mark_seen(l, at, bits);
		if (session != l->session_no)
			enter_session(l, r, session);
		for (bits &= may_be_best(l, r, at, end - at); bits != 0; bits &= bits - 1)
			keep_best(l, r, at + (uint32_t)__builtin_ctzll(bits));
	}
}

void
prefilter_join(struct prefilter *l, const struct prefilter *rest)
{
	l->n_seen += rest->n_seen;
	l->least = MAX(l->least, rest->least);
	l->n_taken = 0;
	for (unsigned i = 0; i < PREFILTER_STEPS; i++) {
		l->count[i] += rest->count[i];
		l->n_taken += i >= l->least ? l->count[i] : 0;
	}
	raise_least(l);
}

void
prefilter_release(struct prefilter *l)
{
	free(l->scores);
}
