/*
 * search_rank.c: ranks the candidates of a run: scores them by the run's strategy, replaces
 * estimated cosines of the best by exact ones, and fuses ranks. What goes by a rule and not by its
 * score is put into its place behind (search_order.c).
 */
#include "search/search_run.h"

#include <math.h>

#include "base/alloc.h"
#include "rank/answer_probability.h"

/*
 * candidates whose estimated cosine is replaced by an exact one; more would change less than one
 * hit in a hundred
 */
#define RESCORED 100
#define LOOKED_UP 200              /* the same where most cosines are not known at all */
#define RRF_K    60
/*
 * Candidates around which is looked. Around sixty, nDCG@10 of LoCoMo is -.001 to +.002 of that, and
 * a search of 100,000 chat lines takes a tenth longer, since it reads more turn features.
 */
#define AROUND_LIST  30
#define LEAST_COVERAGE 0.02f       /* smallest divisor, instead of 0 */
/*
 * How much of the weight of a prompt's words beside the question p expects near a hit. With all of
 * it p keeps .79 of the wrapped questions of a chat that it keeps of bare ones, by words, with this
 * .96, and of those asked of others' memories .030 and .070 (bare: .113); with less, long prompts
 * seem to be answered by other memories, too.
 */
#define BESIDE_SHARE 0.45f
/*
 * The share of code among the texts that were read: up to LEAST_CODE the memory holds other things
 * as well, from MOST_CODE on it is taken to be all code.
 */
#define LEAST_CODE   0.7f
#define MOST_CODE    0.85f
/* the probability of a reply, of that of the question that it answers */
#define REPLY_P 0.9f

struct search_hit *
search_add_hit(struct search *s, struct search_result *r, int64_t row)
{
	struct search_hit *h;

	h = xpush(s->hits, r->n, s->cap_hits);
	*h = (struct search_hit){ .row = row, .p = NAN, .sim = NAN };
	r->hits = s->hits;
	return h;
}

float
search_expected_near(const struct search *s, float sum)
{
	const struct question *q = &s->question;

	for (size_t i = 0; i < q->n_terms && q->prompt.n > 0; i++) {
		float asks = prompt_weight(&q->prompt, q->terms[i].start),
		      words = prompt_words(&q->prompt, q->terms[i].start);
		if (asks < PROMPT_ASKS)
			sum -= (1 - BESIDE_SHARE * asks / words) * s->idf[i];
	}
	return MAX(sum, LEAST_COVERAGE);
}

/*
 * The share of the question's idf that is found near a hit. Where a question asks several things a
 * hit answers only one, so the share is taken of the part that the hit covers best; all parts are
 * assumed to weigh the same.
 */
static float
share_near(const struct run *r, const struct search_hit *h, size_t i)
{
	const struct bm25_scores *at = &r->found.at[i];
	uint32_t first = r->corpus->session_first[at->session],
		 end = r->corpus->session_first[at->session + 1];
	float share = bm25_cover(r->bm25, at->turn - MIN(at->turn - first, ANSWER_NEAR),
			  MIN(end, at->turn + ANSWER_NEAR + 1)) /
	    r->found.expected_near;
	const struct passage_signals *read = r->found.is_read[i] ? &r->found.read[i] : NULL;

	if (r->n_times > 0 || r->times_missed)
		return r->n_times > 0;
	if (r->by_card && r->s->question.asks_last)
		return order_is_theirs(r, i);
	/* all that the index found in it were function words with the stem of one that is asked */
	if (at->self > 0 && read != NULL && read->passage == 0 && !read->cut)
		return 0;
	if (read != NULL && read->covers > h->coverage)
		share *= MIN((float)r->s->question.n_parts,
		    read->covers / MAX(h->coverage, LEAST_COVERAGE));
	return MIN(share, 1);
}

/* best: the score of the question's best hit. */
static float
probability(const struct run *r, const struct search_hit *h, size_t i, float best)
{
	return answer_probability(&(struct answer_evidence){
	    .near = share_near(r, h, i),
	    .score = h->score,
	    .behind = best - h->score,
	    .length = h->x[SIGNAL_LENGTH],
	    .code = h->x[SIGNAL_CODE],
	    .date = h->x[SIGNAL_DATE],
	    .other = r->s->question.n_speakers > 0 && h->x[SIGNAL_SPEAKER] == 0,
	    .prompt = r->s->question.prompt.n > 0,
	    .matter = h->kind >= PROFILE_MATTER,
	    .dense = r->dense != NULL,
	    .sim = !isnan(h->sim)  ? h->sim
		: r->dense != NULL ? MAX(dense_sim_of(r->dense, h->x[SIGNAL_DENSE]), 0)
				   : 0,
	    .z4 = h->x[SIGNAL_DENSE],
	    .foreign = h->x[SIGNAL_FOREIGN],
	});
}

static void
fill_hit(const struct run *r, struct search_hit *h, const struct topk_item *item, float best)
{
	size_t i = (size_t)item->id;
	const struct bm25_scores *at = &r->found.at[i];

	h->score = item->score;
	h->bm25 = at->self / r->found.best.cover;
	h->coverage = at->cover / r->found.best.cover;
	h->sim = r->dense != NULL ? dense_sim(r->dense, at->turn) : NAN;
	h->kind = candidates_profile(r, i);
	h->talk = corpus_talk(r->corpus, at->session);
	if (candidates_by_signals(r)) {
		candidates_signals(r, i, h->x);
		h->p = probability(r, h, i, best);
	}
}

void
search_best(struct run *r, const float *scores, size_t k)
{
	topk_release(&r->found.top);
	topk_init(&r->found.top, k);
	for (size_t i = 0; i < r->found.n; i++)
		topk_add(&r->found.top, scores[i], (int64_t)i);
	topk_sort(&r->found.top);
}

/*
 * Gives exact cosines to those of the k best candidates that have estimates, and scores them again.
 * *n_new: how many of the limit best had estimates.
 */
static int
rescore_best(struct run *r, float *scores, bool *is_exact, size_t k, size_t limit, size_t *n_new,
	struct err *err)
{
	struct search *s = r->s;
	FREED uint32_t *turns = xreallocarray(NULL, k + 1, sizeof(*turns));
	size_t n = 0;
	int rc;

	*n_new = 0;
	search_best(r, scores, k);
	for (size_t i = 0; i < r->found.top.n; i++) {
		size_t at = (size_t)r->found.top.items[i].id;
		if (is_exact[at])
			continue;
		*n_new += i < limit;
		turns[n++] = r->found.at[at].turn;
	}
	rc = *n_new == 0 ? 0 : query_vector_rescore(s->query_vector, &s->dense, turns, n, err);
	for (size_t i = 0; rc == 0 && *n_new > 0 && i < r->found.top.n; i++) {
		size_t at = (size_t)r->found.top.items[i].id;
		is_exact[at] = true;
		scores[at] = candidates_score(r, at);
	}
	return rc;
}

/*
 * Makes estimated cosines exact until all hits have exact ones: a candidate that stood among the
 * hits only by its estimate's error falls back, and another takes its place.
 */
static int
rescore(struct run *r, float *scores, size_t limit, struct err *err)
{
	FREED bool *is_exact = xcalloc(r->found.n + 1, sizeof(*is_exact));
	size_t k = MAX((size_t)(query_vector_by_cells(r->s->query_vector) ? LOOKED_UP : RESCORED),
		   2 * limit),
	       n_new = 1;
	int rc = 0;

	while (rc == 0 && n_new > 0)
		rc = rescore_best(r, scores, is_exact, k, limit, &n_new, err);
	return rc;
}

/*
 * Scores by reciprocal ranks of both sides, each over what it found (G. Cormack et al., "Reciprocal
 * Rank Fusion", 2009).
 */
static void
fuse_ranks(struct run *r, float *scores)
{
	FREED float *side = xreallocarray(NULL, r->found.n + 1, sizeof(*side));

	memset(scores, 0, r->found.n * sizeof(*scores));
	for (int words = 0; words < 2; words++) {
		for (size_t i = 0; i < r->found.n; i++)
			side[i] = words	       ? r->found.at[i].self
			    : r->dense != NULL ? dense_sim(r->dense, r->found.at[i].turn)
					       : NAN;
		search_best(r, side, r->found.n + 1);
		for (size_t k = 0; k < r->found.top.n; k++) {
			const struct topk_item *t = &r->found.top.items[k];

			if (words ? t->score > 0 : !isnan(t->score))
				scores[t->id] += 1.0f / (float)(RRF_K + k + 1);
		}
	}
}

/* ---- the texts of the best ---- */

/* Scores the first n of top again, by the signals that are known by now. */
static void
score_again(struct run *r, size_t n, float *scores)
{
	const struct topk *top = &r->found.top;

	for (size_t k = 0; k < n; k++)
		scores[top->items[k].id] = candidates_score(r, (size_t)top->items[k].id);
}

/* Whether any signal with a weight needs one of these (NEEDS_ flags, rank/signals.h). */
static bool
is_needed(const struct run *r, unsigned needs)
{
	for (enum signal i = 0; i < N_SIGNALS; i++)
		if ((signals[i].needs & needs) != 0 && candidates_use(r, i))
			return true;
	return false;
}

/* Whether what is said around a candidate counts. */
static bool
looks_around(const struct run *r)
{
	return candidates_use(r, SIGNAL_COVERAGE_BEFORE) || candidates_use(r, SIGNAL_DENSE_NEAR);
}

/*
 * Looks at what is said around the n best candidates, and scores these again; only where it counts.
 */
static void
look_around(struct run *r, size_t n, float *scores)
{
	if (!looks_around(r))
		return;
	r->found.expected_near = search_expected_near(r->s, r->found.best.cover);
	search_best(r, scores, n);
	candidates_look_around(r, r->found.top.n);
	score_again(r, r->found.top.n, scores);
}

static bool
reads_texts(const struct run *r)
{
	const struct question *q = &r->s->question;

	return is_needed(r,
	    NEEDS_TEXT | (q->n_parts > 0 ? (unsigned)NEEDS_PARTS : 0) |
		(q->things != 0 ? (unsigned)NEEDS_THINGS : 0));
}

/*
 * Reads the texts of the best candidates, *n of them, and scores these again with what the texts
 * tell.
 */
static int
read_best(struct run *r, bool bridges, float *scores, size_t *n, struct err *err)
{
	search_best(r, scores, READ_LIST);
	if (candidates_read(r, bridges, n, err) < 0)
		return -1;
	score_again(r, *n, scores);
	if (bridges) {
		candidates_bridge(r, *n, scores);
		score_again(r, *n, scores);
	}
	return 0;
}

/*
 * How far the n candidates that were read are code, 0-1. 0 when one is a turn of a chat or a log,
 * because then not only code may answer. Lower when one has the identifiers of the question or the
 * name that it spells, because then words decide better than vectors.
 */
static float
code_share(const struct run *r, size_t n)
{
	size_t n_code = 0;
	float exact = 0;

	for (size_t k = 0; k < n; k++) {
		size_t i = (size_t)r->found.top.items[k].id;
		if (candidates_kind(r, i) != SESSION_UNKNOWN)
			return 0;
		n_code += r->found.read[i].code;
		exact = MAX(exact, r->found.at[i].exact / r->found.best.exact);
	}
	return n == 0 ? 0
		      : MAX(1 - exact, 0) *
		MIN(MAX(((float)n_code / (float)n - LEAST_CODE) / (MOST_CODE - LEAST_CODE), 0), 1);
}

/*
 * Reads the texts of the best candidates and scores these again. Where they are code, cosines weigh
 * more, for all candidates: others may be the best then, and are read in turn.
 */
static int
read_texts(struct run *r, size_t want, float *scores, struct err *err)
{
	bool bridges = is_needed(r, NEEDS_BRIDGE);
	size_t n;

	if (read_best(r, bridges, scores, &n, err) < 0)
		return -1;
	if (r->dense == NULL || !is_needed(r, NEEDS_CODE))
		return 0;
	if ((r->found.code = code_share(r, n)) <= 0)
		return 0;
	for (size_t i = 0; i < r->found.n; i++)
		scores[i] = candidates_score(r, i);
	if (!query_vector_is_exact(r->s->query_vector) && rescore(r, scores, want, err) < 0)
		return -1;
	return read_best(r, bridges, scores, &n, err);
}

/* Looks which of the best are in another language, where that counts. */
static int
tell_languages(struct run *r, size_t want, float *scores, struct err *err)
{
	bool any = false;

	if (r->dense == NULL || !is_needed(r, NEEDS_LANGUAGES))
		return 0;
	if (candidates_foreign(r, scores, &any, err) < 0)
		return -1;
	return any && !query_vector_is_exact(r->s->query_vector) ? rescore(r, scores, want, err)
								 : 0;
}

int
search_read(struct run *r, struct err *err)
{
	FREED float *scores = xreallocarray(NULL, r->found.n + 1, sizeof(*scores));
	int rc;

	for (size_t i = 0; i < r->found.n; i++)
		scores[i] = candidates_score(r, i);
	look_around(r, r->found.n, scores);
	if ((rc = tell_languages(r, READ_LIST, scores, err)) == 0)
		rc = read_texts(r, READ_LIST, scores, err);
	return rc;
}

int
search_rank(struct run *r, int64_t limit, struct search_result *out, struct err *err)
{
	struct search *s = r->s;
	size_t n_all, n, want, reply = SIZE_MAX;
	float first_p = 0;
	bool reads;

	r->found.code = 0;
	if (candidates_find(r, &n_all, err) < 0)
		return -1;
	r->found.expected_near = search_expected_near(r->s, r->found.best.cover);
	out->n_candidates += n_all;
	n = MIN((size_t)limit, r->found.n);
	reads = reads_texts(r);
	want = MAX(n,
	    reads		   ? (size_t)READ_LIST
		: looks_around(r) ? (size_t)AROUND_LIST
				  : 1);
	FREED float *scores = xreallocarray(NULL, r->found.n + 1, sizeof(*scores));
	if (candidates_scores(r, scores, err) < 0)
		return -1;
	if (r->dense != NULL && !query_vector_is_exact(s->query_vector) &&
	    rescore(r, scores, want, err) < 0)
		return -1;
	look_around(r, AROUND_LIST, scores);
	if (tell_languages(r, want, scores, err) < 0)
		return -1;
	if (reads && read_texts(r, want, scores, err) < 0)
		return -1;
	if (s->question.asks_last)
		order_last_first(r, scores);
	if (s->question.asks_now && candidates_by_signals(r))
		order_newer_up(r, scores);
	if (r->strategy == RRF)
		fuse_ranks(r, scores);
	if (!candidates_by_signals(r) || r->filter.role == ROLE_TOOL)
		search_best(r, scores, n);
	else if (order_silent_last(r, n, scores, err) < 0)
		return -1;
	if (candidates_by_signals(r))
		reply = order_reply_next(r, n, scores);
	for (size_t k = 0; k < n; k++) {
		const struct topk_item *item = &r->found.top.items[k];
		struct search_hit *h =
		    search_add_hit(s, out, corpus_row(r->corpus, r->found.at[item->id].turn));
		fill_hit(r, h, item, r->found.top.items[0].score);
		if (k == 0)
			first_p = h->p;
		else if ((size_t)item->id == reply)
			h->p = MAX(h->p, REPLY_P * first_p);
		if (r->q->min_score > 0 &&
		    (double)(isnan(h->p) ? h->score : h->p) < r->q->min_score)
			out->n--;
	}
	return 0;
}
