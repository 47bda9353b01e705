/*
 * bm25.h: BM25 of every turn, of its window and of its session, in one pass over each term's list.
 *
 *	idf(t)   = ln(1 + (N - df + .5) / (df + .5))
 *	score(d) = sum over t of idf(t) tf / (tf + k1 (1 - b + b len / mean len))
 *
 * N and df count the user's own turns; the constant factor k1 + 1 is left out. (S. Robertson and H.
 * Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.)
 *
 * A window is a turn with .5 of the turn before and .4 of the turn after; a session is all its
 * turns. Their term frequencies and lengths are weighted sums of those of their turns, so no text
 * is indexed twice. The head is a turn's first 60 words. b depends on the kind of session: length
 * matters little among short chat turns, and much among an assistant's replies.
 *
 * Terms are added first; then the corpus is scored one slice of whole sessions at a time. A slice's
 * arrays stay in the processor's cache, and a million turns need no more memory than thirty
 * thousand.
 *
 *	bm25_reset(b);
 *	for each term: append its postings to b->list; bm25_add(b, weight, whole);
 *	while (bm25_next(b))
 *		for (i = bm25_near(b, b->from); i < b->to; i = bm25_near(b, i + 1))
 *			bm25_at(b, i, &scores);
 *
 * The time depends on the number of matches, not of turns: `near` has one bit for each turn that
 * has a match in itself or beside it, and turns without it are neither scored, emptied nor visited.
 */
#pragma once

#include "index/corpus.h"
#include "index/postings.h"

/* parameters for one kind of session */
struct bm25_shape { float k1, turn_b, window_b, session_b, head_b; };

extern const struct bm25_shape bm25_shapes[N_SESSION_KINDS];

/*
 * turns of a slice: its arrays take 210 KB and stay in the cache; with 32768 a search took 3 %
 * longer, with 2048 as long
 */
#define BM25_SLICE 8192

/*
 * All scores of one turn. previous and next are those of the turns beside it in its session, 0 when
 * there is none.
 */
struct bm25_scores {
	uint32_t turn, session;
	float self, window, head;
	float cover;                       /* sum of idf of the terms that the turn has */
	float exact;                       /* the same, of whole identifiers only */
	float previous, next, head_next;
	float of_session;                  /* of all turns of its session */
};

struct bm25 {
	const struct corpus *corpus;       /* borrowed */
	struct posting_list list;          /* postings of all terms; the caller appends to it */
	double idf_sum, exact_sum;         /* of all terms added, whether found or not */
	/* the highest in all slices so far */
	float best_turn, best_window, best_head, best_session;
	uint32_t from, to;                 /* turns from .. to - 1 are the slice at hand */
	uint32_t first_session;
	/* turn i is at [i - from], session s at [s - first_session] */
	float *turn, *window, *head, *cover, *exact;
	float *session;
	/* the session of each turn, with a sentinel at both ends */
	uint32_t *session_of;
	/* private */
	struct bm25_term *terms;
	size_t n_terms, cap_terms;
	struct bm25_stream *streams;
	size_t n_streams, cap_streams, n_listed;
	uint32_t slice;
	uint32_t begin, end;               /* sessions begin .. end - 1 are scored */
	size_t cap_turns, cap_sessions;
	/*
	 * bit i + 1: turn i of the slice, or one beside it, has a posting, even if it is in another
	 * session
	 */
	uint64_t *near;
	uint16_t *tf;
	uint32_t *session_tf, *touched;
	float (*norm)[4][2];               /* [kind][field]: k1 (1 - b) and k1 b / mean */
	void *big;
	size_t n_big;
};

/* slice: the most turns of a slice; a longer session is a slice of its own. */
void bm25_open(struct bm25 *b, const struct corpus *c,
	const struct bm25_shape shapes[N_SESSION_KINDS], uint32_t slice);
void bm25_close(struct bm25 *b);
/* prepares b for the next question */
void bm25_reset(struct bm25 *b);

double bm25_idf(uint32_t n, uint32_t df);

/*
 * Adds a term, whose postings are those appended to list since the last call. Each turn may occur
 * once; the order does not matter, but ascending runs are fastest. weight scales its idf; whole: it
 * is a whole identifier. Returns its df.
 */
size_t bm25_add(struct bm25 *b, float weight, bool whole);

/*
 * Adds a word that is written in several ways. Of the postings appended, the first n_own are the
 * word's own, and those behind them, at least one, belong to its other forms; among these a turn
 * may occur more than once. A turn that has only another form gets `share` of the score that the
 * word itself would give. df counts turns with any form and is returned.
 */
size_t bm25_add_forms(struct bm25 *b, size_t n_own, float weight, float share);

/*
 * Adds a whole identifier that the question does not spell but may mean (its words written
 * together). It counts only in `exact`, by share, 0-1, and only when it is found.
 */
void bm25_add_exact(struct bm25 *b, float share);

/*
 * Scores the next slice; false when all have been scored, and then from is 0 again. All slices
 * together cost 20 ns a posting and .2 ns a turn.
 */
bool bm25_next(struct bm25 *b);

/*
 * Splits the work for two threads: rest gets the sessions in the second half of the turns, b keeps
 * the others, and each scores its own slices. Call it between the last bm25_add and the first
 * bm25_next. rest borrows lists and terms of b until bm25_join, which merges the best scores into b
 * and gives it all sessions again. Scores are the same as without a split.
 */
void bm25_split(struct bm25 *b, struct bm25 *rest);
void bm25_join(struct bm25 *b, struct bm25 *rest);

/*
 * Returns the first turn of the slice, from `turn` on, that may have a score of its own; b->to when
 * there is none. All others have 0, except for their session's score.
 */
static inline uint32_t
bm25_near(const struct bm25 *b, uint32_t turn)
{
	uint32_t bit = turn - b->from + 1, end = b->to - b->from + 1;

	while (bit < end) {
		uint64_t rest = b->near[bit / 64] >> bit % 64;
		if (rest != 0)
			return MIN(b->from + bit + (uint32_t)__builtin_ctzll(rest) - 1, b->to);
		bit = (bit / 64 + 1) * 64;
	}
	return b->to;
}

/*
 * Returns the idf of the terms that turns from .. to - 1 have together, each counted once. Call it
 * after all slices. Cost: a binary search in each list.
 */
float bm25_cover(const struct bm25 *b, uint32_t from, uint32_t to);

/* Returns the scores of a turn of the slice at hand. */
void bm25_at(const struct bm25 *b, uint32_t turn, struct bm25_scores *out);
