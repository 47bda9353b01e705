/*
 * candidates_few.c: cuts many candidates down to the best by words and vectors, and, where most
 * cosines are not known, adds turns of the best candidates' sessions.
 *
 * A turn without a word of the question, in a distant cell, is not found as a candidate by itself.
 * Yet a session that is about the question lifts all its turns, and the best of those would be hits
 * if all cosines were known. So in the sessions of the best candidates, the turns around each
 * session's best are looked up; this costs a few pages of codes a session.
 */
#include "search/search_run.h"

#include "base/alloc.h"
#include "base/order.h"

#define SESSIONS 16                /* how many of the best candidates' sessions are looked into */
#define AROUND   128               /* turns on either side of a session's best candidate */
/* standard deviations above the mean cosine, as where all cosines are known */
#define NEAR_SDS 1.5f

/* ---- what stands beside them ---- */

/* a part of a session, and the index in found of the session's best candidate */
struct session_part { struct query_vector_part part; size_t best; };

ORDER_BY(by_turn, struct bm25_scores, turn)

ORDER_BY(by_session, struct session_part, part.session)

/*
 * Writes the sessions with the best candidates into out, ascending by session, and returns how
 * many. Candidates are in the order of their sessions.
 */
static size_t
best_sessions(const struct run *r, const float *scores, struct session_part out[SESSIONS])
{
	LOCAL(topk) best = { 0 };
	size_t n;

	topk_init(&best, SESSIONS);
	for (size_t i = 0; i < r->found.n;) {
		uint32_t session = r->found.at[i].session;
		size_t at = i;
		for (i++; i < r->found.n && r->found.at[i].session == session; i++)
			if (scores[i] > scores[at])
				at = i;
		topk_add(&best, scores[at], (int64_t)at);
	}
	for (n = 0; n < best.n; n++) {
		const struct bm25_scores *c = &r->found.at[best.items[n].id];
		const uint32_t *first = r->corpus->session_first + c->session;
		uint32_t from = MAX(first[0], r->from), to = MIN(first[1], r->to);
		out[n] = (struct session_part){
			{ c->session, c->turn - MIN(c->turn - from, (uint32_t)AROUND),
			    MIN(to, c->turn + AROUND) },
			(size_t)best.items[n].id
		};
	}
	qsort(out, n, sizeof(*out), by_session);
	return n;
}

/*
 * Adds the turns of the part that are near in meaning and were no candidates. Neither they nor
 * their neighbours have a word of the question, so of BM25 they get only their session's share.
 */
static void
add_near(struct run *r, const struct session_part *b, const uint64_t *seen)
{
	struct bm25_scores like = { .session = b->part.session,
		.of_session = r->found.at[b->best].of_session };
	float least = r->dense->turns.mean + NEAR_SDS * r->dense->turns.sd;

	for (uint32_t turn = dense_next(r->dense, b->part.from, b->part.to, least);
	     turn < b->part.to; turn = dense_next(r->dense, turn + 1, b->part.to, least)) {
		if (seen[turn / 64] >> turn % 64 & 1)
			continue;
		like.turn = turn;
		*xpush(r->found.at, r->found.n, r->found.cap) = like;
	}
}

/*
 * Adds near turns of the best sessions to found. *scores grows with it; scores of turns in these
 * sessions are computed anew, because better cosines of the session are known now.
 */
static int
add_from_sessions(struct run *r, uint64_t *seen, float **scores, struct err *err)
{
	struct search *s = r->s;
	struct session_part best[SESSIONS];
	struct query_vector_part parts[SESSIONS];
	size_t n = best_sessions(r, *scores, best), n_before = r->found.n, at = 0;

	for (size_t i = 0; i < n_before; i++)
		seen[r->found.at[i].turn / 64] |= (uint64_t)1 << r->found.at[i].turn % 64;
	for (size_t i = 0; i < n; i++)
		parts[i] = best[i].part;
	if (query_vector_sessions(s->query_vector, &s->dense, parts, n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		add_near(r, &best[i], seen);
	*scores = xreallocarray(*scores, r->found.n + 1, sizeof(**scores));
	for (size_t i = 0; i < r->found.n; i++) {
		uint32_t session = r->found.at[i].session;

		for (; i < n_before && at < n && best[at].part.session < session; at++)
			;
		if (i >= n_before || (at < n && best[at].part.session == session))
			(*scores)[i] = candidates_first_score(r, i);
	}
	return 0;
}

/* Keeps the n best; among equals the first ones stay. There must be more than n. */
static void
keep_best(struct run *r, const float *scores, size_t n)
{
	FREED float *copy = xmemdup(scores, r->found.n * sizeof(*scores));
	float least = topk_nth(copy, r->found.n, n);
	size_t kept = 0, above = 0;

	for (size_t i = 0; i < r->found.n; i++)
		above += scores[i] > least;
	for (size_t i = 0; i < r->found.n; i++)
		if (scores[i] > least || (scores[i] == least && above++ < n))
			r->found.at[kept++] = r->found.at[i];
	r->found.n = kept;
}

int
candidates_narrow(struct run *r, size_t most, size_t n, uint64_t *seen, struct err *err)
{
	size_t n_before = r->found.n;

	if (seen == NULL && n_before <= most)
		return 0;
	FREED float *scores = xreallocarray(NULL, n_before + 1, sizeof(*scores));
	for (size_t i = 0; i < n_before; i++)
		scores[i] = candidates_first_score(r, i);
	if (seen != NULL && add_from_sessions(r, seen, &scores, err) < 0)
		return -1;
	bool more = r->found.n > n_before;
	if (r->found.n > most)
		keep_best(r, scores, n);
	if (more)
		qsort(r->found.at, r->found.n, sizeof(*r->found.at), by_turn);
	return 0;
}
