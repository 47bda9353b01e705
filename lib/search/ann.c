/*
 * ann.c: which vectors of a large memory a search reads:
 *
 *	near      all in the cells nearest to the question, and those not in a cell yet. Turns that
 *	          are near in meaning but have none of the question's words are found here.
 *	sample    pages of codes at even distances: mean and deviation of all turns and windows.
 *	beside    for a few sessions, the neighbours of their nearest turns. They show by how much a
 *	          session's best window exceeds what the near cells alone say of it.
 *	sessions  turns of the best candidates' sessions that lie in distant cells and have none of
 *	          the question's words, but are near the question all the same.
 *	asked     candidates found by words, their neighbours and sessions, when the ranking asks
 *	          for exact cosines.
 */
#include "search/ann.h"

#include "base/alloc.h"
#include "base/order.h"
#include "math/topk.h"

/* sessions whose best windows are looked up, to correct the estimates of the others */
#define SESSIONS 128
/* of all vectors, how many count as near; the rest of the near cells is dropped */
#define NEAR     150000
/* turns of a session: its best window almost always lies at one of these */
#define NEAREST  4

void
ann_close(struct ann *f)
{
	free(f->seen);
	memset(f, 0, sizeof(*f));
}

/* ---- what the store gives ---- */

/*
 * Keeps those of keys [n] that belong to messages of the corpus, in order. turns [VECTORS_PER_PAGE]
 * gets their turns, which [VECTORS_PER_PAGE] their places in keys. Returns how many.
 */
static uint32_t
turns_of(struct ann *f, uint32_t n, const uint64_t *keys, uint32_t *turns, uint32_t *which)
{
	const struct corpus *c = f->d->corpus;
	int64_t base = vectors_info(f->vectors)->user_base;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct vector_key key;
		vector_key_unpack(keys[i], base, &key);
		if (key.kind == VECTOR_MESSAGE &&
		    (turns[kept] = corpus_turn_near(c, key.row, &f->run)) != c->n)
			which[kept++] = i;
	}
	return kept;
}

static void
set_sample(struct ann *f, uint32_t n, const uint64_t *keys, const float *cosines)
{
	uint32_t turns[VECTORS_PER_PAGE], which[VECTORS_PER_PAGE],
	    kept = turns_of(f, n, keys, turns, which);
	float of[VECTORS_PER_PAGE];

	for (uint32_t i = 0; i < kept; i++)
		of[i] = cosines[which[i]];
	dense_ann_sample(f->d, turns, of, kept);
}

static void
set_cosines(void *arg, uint32_t n, const uint64_t *keys, const float *cosines,
	const uint32_t *slots)
{
	struct ann *f = arg;
	uint32_t turns[VECTORS_PER_PAGE], which[VECTORS_PER_PAGE],
	    kept = turns_of(f, n, keys, turns, which);

	for (uint32_t i = 0; i < kept; i++)
		dense_set(f->d, turns[i], cosines[which[i]], slots[which[i]]);
}

/* ---- sessions ---- */

/* Computes the cosines of the neighbours of the NEAREST turns of each of sessions [n]. */
static int
score_neighbours(struct ann *f, const uint32_t *sessions, size_t n, struct err *err)
{
	FREED uint32_t *slots = xreallocarray(NULL, NEAREST * n + 1, sizeof(*slots));
	size_t n_slots = 0;

	for (size_t i = 0; i < n; i++)
		n_slots += dense_ann_nearest(f->d, sessions[i], NEAREST, slots + n_slots);
	qsort(slots, n_slots, sizeof(*slots), by_uint32);
	return vectors_estimate(f->vectors, f->q, &(struct vectors_some){ .which = VECTORS_AROUND,
	    .slots = slots, .n = n_slots }, set_cosines, f, err);
}

static bool
is_looked_up(const struct ann *f, uint32_t session)
{
	return f->seen[session / 64] >> session % 64 & 1;
}

static void
set_looked_up(struct ann *f, uint32_t session)
{
	f->seen[session / 64] |= (uint64_t)1 << session % 64;
}

/*
 * Corrects the windows of all sessions by a sample of them, evenly spread. A session without a
 * known turn cannot serve; the next one that has a known turn stands in for it.
 */
static int
correct_sessions(struct ann *f, struct err *err)
{
	uint32_t n_sessions = f->d->corpus->n_sessions, sessions[SESSIONS] = { 0 }, slot, next = 0;
	float best[SESSIONS];
	size_t n = 0;

	for (uint32_t i = 0; i < MIN(SESSIONS, n_sessions); i++) {
		uint32_t s =
		    MAX(next, (uint32_t)((uint64_t)i * n_sessions / MIN(SESSIONS, n_sessions)));
		for (uint32_t tries = 0; tries < SESSIONS && s < n_sessions &&
		     dense_ann_nearest(f->d, s, 1, &slot) == 0;
		     tries++)
			s++;
		if (s >= n_sessions || dense_ann_nearest(f->d, s, 1, &slot) == 0)
			continue;
		sessions[n++] = s;
		next = s + 1;
	}
	if (score_neighbours(f, sessions, n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		best[i] = dense_ann_best(f->d, sessions[i]);
		set_looked_up(f, sessions[i]);
	}
	dense_ann_correct(f->d, sessions, best, n);
	return 0;
}

/*
 * Keeps one page as a piece. Cosines below f->least are dropped: a turn with words of the question
 * is looked up later in any case.
 */
static void
keep_page(void *arg, uint32_t n, const uint64_t *keys, const float *cosines, const uint32_t *slots)
{
	struct ann_found *f = arg;
	size_t first = f->n;

	xgrow(&f->keys, &f->cap, f->n + n, sizeof(*f->keys));
	xgrow(&f->cosines, &f->cap_cosines, f->n + n, sizeof(*f->cosines));
	xgrow(&f->slots, &f->cap_slots, f->n + n, sizeof(*f->slots));
	for (uint32_t i = 0; i < n; i++) {
		f->keys[f->n] = keys[i];
		f->cosines[f->n] = cosines[i];
		f->slots[f->n] = slots[i];
		f->n += cosines[i] >= f->least;
	}
	*xpush(f->pieces, f->n_pieces, f->cap_pieces) = (uint32_t)(f->n - first);
}

float
ann_least(const float *cosines, size_t n, uint32_t n_all)
{
	size_t k = n_all <= NEAR ? n : n * NEAR / n_all;
	FREED float *copy = NULL;

	if (k == n)
		return DENSE_NONE;
	copy = xmemdup(cosines, n * sizeof(*copy));
	return topk_nth(copy, n, MAX(k, 1));
}

int
ann_find(struct ann_found *found, struct vectors *v, const float *q, struct err *err)
{
	found->least = DENSE_NONE;
	if (vectors_estimate(v, q, &(struct vectors_some){ .which = VECTORS_SAMPLE }, keep_page,
		found, err) < 0)
		return -1;
	found->n_sampled = found->n_pieces;
	found->least = ann_least(found->cosines, found->n, vectors_info(v)->n);
	return vectors_estimate(v, q, &(struct vectors_some){ .which = VECTORS_NEAR }, keep_page,
	    found, err);
}

void
ann_found_release(struct ann_found *found)
{
	free(found->keys);
	free(found->cosines);
	free(found->slots);
	free(found->pieces);
	memset(found, 0, sizeof(*found));
}

int
ann_take(struct ann *f, struct vectors *v, const float *q, const struct ann_found *found,
	struct dense *d, struct err *err)
{
	size_t at = 0;

	*f = (struct ann){ .vectors = v,
		.q = q,
		.d = d,
		.seen = xcalloc(d->corpus->n_sessions / 64 + 1u, sizeof(*f->seen)) };
	for (size_t i = 0; i < found->n_pieces; at += found->pieces[i++])
		if (i < found->n_sampled)
			set_sample(f, found->pieces[i], found->keys + at, found->cosines + at);
		else
			set_cosines(f, found->pieces[i], found->keys + at, found->cosines + at,
			    found->slots + at);
	dense_measure(d);
	return correct_sessions(f, err);
}

/* ---- what is asked for ---- */

/* Computes the exact cosines of those of turns [n], ascending, that have none yet. */
static int
score_unknown(struct ann *f, const uint32_t *turns, size_t n, struct err *err)
{
	FREED int64_t *rows = xreallocarray(NULL, n + 1, sizeof(*rows));
	FREED uint32_t *far = xreallocarray(NULL, n + 1, sizeof(*far));
	FREED uint32_t *slots = xreallocarray(NULL, n + 1, sizeof(*slots));
	uint32_t run = 0;
	FREED float *cosines = xreallocarray(NULL, n + 1, sizeof(*cosines));
	size_t n_far = 0;
	int rc;

	for (size_t i = 0; i < n; i++) {
		if (dense_cosine(f->d, turns[i]) != DENSE_FAR ||
		    (n_far > 0 && far[n_far - 1] == turns[i]))
			continue;
		rows[n_far] = corpus_row_near(f->d->corpus, turns[i], &run);
		far[n_far++] = turns[i];
	}
	rc = vectors_of_messages(f->vectors, f->q, rows, n_far, cosines, slots, err);
	for (size_t i = 0; rc == 0 && i < n_far; i++)
		dense_put(f->d, far[i], cosines[i] > DENSE_NONE ? cosines[i] : DENSE_NONE,
		    slots[i]);
	return rc;
}

int
ann_range(struct ann *f, uint32_t from, uint32_t to, struct err *err)
{
	uint32_t turns[QUERY_VECTOR_RANGE], n = 0;

	for (uint32_t turn = from; turn < to; turn++)
		turns[n++] = turn;
	return n == 0 ? 0 : score_unknown(f, turns, n, err);
}

/* Computes the best windows of the sessions of turns [n], ascending. */
static int
score_sessions(struct ann *f, const uint32_t *turns, size_t n, struct err *err)
{
	FREED uint32_t *sessions = xreallocarray(NULL, n + 1, sizeof(*sessions));
	size_t n_sessions = 0;
	int rc;

	for (size_t i = 0; i < n; i++) {
		uint32_t s = dense_session_of(f->d->corpus, turns[i]);
		if (!is_looked_up(f, s))
			sessions[n_sessions++] = s;
		set_looked_up(f, s);
	}
	rc = score_neighbours(f, sessions, n_sessions, err);
	for (size_t i = 0; rc == 0 && i < n_sessions; i++) {
		float best = dense_ann_best(f->d, sessions[i]);
		if (best != DENSE_NONE)
			f->d->session[sessions[i]] = best;
	}
	return rc;
}

int
ann_look_up(struct ann *f, struct dense *d, const uint32_t *turns, size_t n, bool *known,
	struct err *err)
{
	f->d = d;
	for (size_t i = 0; i < n; i++)
		known[i] = dense_knows(d, turns[i]);
	return score_unknown(f, turns, n, err) < 0 ? -1 : score_sessions(f, turns, n, err);
}

int
ann_sessions(struct ann *f, struct dense *d, const struct query_vector_part *parts, size_t n,
	struct err *err)
{
	uint32_t run = 0;
	FREED int64_t *rows = NULL;
	size_t n_rows = 0;
	int rc;

	f->d = d;
	for (size_t i = 0; i < n; i++)
		n_rows += parts[i].to - parts[i].from;
	rows = xreallocarray(NULL, n_rows + 1, sizeof(*rows));
	n_rows = 0;
	for (size_t i = 0; i < n; i++)
		for (uint32_t turn = parts[i].from; turn < parts[i].to; turn++)
			rows[n_rows++] = corpus_row_near(d->corpus, turn, &run);
	rc = vectors_estimate(f->vectors, f->q, &(struct vectors_some){ .which = VECTORS_BESIDE,
	    .rows = rows, .n = n_rows }, set_cosines, f, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		float best = dense_ann_best(d, parts[i].session);
		if (best != DENSE_NONE)
			d->session[parts[i].session] = best;
		set_looked_up(f, parts[i].session);
	}
	return rc;
}
