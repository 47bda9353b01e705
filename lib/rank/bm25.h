/*
 * bm25.h: BM25 of every turn, of its window and of its session, in one pass over each term's list.
 *
 *   idf(t)   = ln(1 + (N - df + .5) / (df + .5))                          N, df: the user's own turns
 *   score(d) = sum over t of idf(t) tf / (tf + k1 (1 - b + b len / mean len))      (the constant factor k1 + 1 left out)
 * (S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.)
 *
 * A window is a turn with .5 of the turn before and .4 of the turn after; a session is all its
 * turns: their term frequencies and lengths are the weighted sums of their turns', so no text is
 * indexed twice. The head is a turn's first 60 words. b belongs to the kind of session: length
 * matters little among short chat turns, much among an assistant's replies.
 *
 * Terms are added first, then the corpus is scored a slice of whole sessions at a time: a slice's
 * arrays stay in the processor's cache, and a million turns need no more memory than thirty
 * thousand.
 *
 *	bm25_reset(b);
 *	for each term: append its postings to b->list; bm25_add(b, weight, whole);
 *	while (bm25_next(b))
 *		for (i = bm25_near(b, b->from); i < b->to; i = bm25_near(b, i + 1))
 *			bm25_at(b, i, &scores);
 *
 * Twenty thousand matches among a million turns are scored, emptied and looked through in time for
 * twenty thousand: near has a bit of each turn that has a match in itself or beside it.
 */
#ifndef RANK_BM25_H
#define RANK_BM25_H

#include "index/corpus.h"
#include "index/postings.h"

/* of one kind of session */
struct bm25_shape { float k1, turn_b, window_b, session_b, head_b; };

extern const struct bm25_shape bm25_shapes[N_SESSION_KINDS];

/*
 * turns of a slice: its arrays take 210 KB, which stay near; 32768 made a search .03 slower, 2048
 * as well
 */
#define BM25_SLICE 8192

/* All scores of one turn, and what the turns beside it in its session have (0: there is none). */
struct bm25_scores {
	uint32_t turn, session;
	float self, window, head;
	float cover;                       /* idf of the terms that the turn has */
	float exact;                       /* the same of whole identifiers alone */
	float previous, next, head_previous, head_next;
	float of_session, of_session_user;     /* of all its turns, of the asker's */
};

struct bm25 {
	const struct corpus *corpus;       /* borrowed */
	struct posting_list list;          /* postings of all terms; the caller appends */
	double idf_sum, exact_sum;         /* of all terms added, found or not */
	/* the best of all slices so far */
	float best_turn, best_window, best_head, best_session, best_session_user;
	uint32_t from, to;                 /* turns of the slice at hand */
	uint32_t first_session;
	/* of turn i at [i - from], of session s at [s - first_session] */
	float *turn, *window, *head, *cover, *exact;
	float *session, *session_user;
	uint32_t *session_of;              /* numbers of sessions; a sentinel at both ends */
	/* private */
	struct bm25_term *terms;
	size_t n_terms, cap_terms;
	struct bm25_stream *streams;
	size_t n_streams, cap_streams, n_listed;
	uint32_t slice;
	uint32_t begin, end;               /* sessions that are scored */
	size_t cap_turns, cap_sessions;
	/*
	 * bit i + 1: turn i of the slice is or stands beside one with a posting, be it in another
	 * session
	 */
	uint64_t *near;
	uint16_t *tf;
	uint32_t *session_tf, *session_user_tf, *touched;
	float (*norm)[5][2];               /* [kind][what]: k1 (1 - b), k1 b / mean */
	void *big;
	size_t n_big;
};

/* slice: turns of a slice at most, but for a longer session. */
void bm25_open(struct bm25 *b, const struct corpus *c,
	const struct bm25_shape shapes[N_SESSION_KINDS], uint32_t slice);
void bm25_close(struct bm25 *b);
void bm25_reset(struct bm25 *b);                               /* for the next question */

double bm25_idf(uint32_t n, uint32_t df);

/*
 * Adds a term, whose postings are those appended to list since the last call: each turn once, in
 * any order; runs in ascending order are what it does best with. weight scales its idf; whole: it
 * is an identifier as it stands. Returns its df.
 */
size_t bm25_add(struct bm25 *b, float weight, bool whole);

/*
 * The same of a word that is written in several ways: of the postings appended n_own are of the
 * word itself, and those behind them, at least one, of its other forms; there a turn may come
 * again. A turn that has only another form counts share of what it would with the word. idf is by
 * the turns that have any. Returns how many these are.
 */
size_t bm25_add_forms(struct bm25 *b, size_t n_own, float weight, float share);

/*
 * Adds a whole identifier that the question may mean but does not spell (its words closed up):
 * counts for exact alone, by share, 0-1, and only when found.
 */
void bm25_add_exact(struct bm25 *b, float share);

/*
 * Scores the next slice; false when all have been, and then from is 0 again. Cost over all: 20 ns a
 * posting, .2 ns a turn.
 */
bool bm25_next(struct bm25 *b);

/*
 * For two threads: rest gets the sessions of the second half of the turns, b keeps those of the
 * first, and each scores its own slices. Between bm25_add and the first bm25_next; rest borrows
 * lists and terms of b until bm25_join, which makes b whole again, with the best of both. A turn's
 * scores are those that b alone gives it.
 */
void bm25_split(struct bm25 *b, struct bm25 *rest);
void bm25_join(struct bm25 *b, struct bm25 *rest);

/*
 * Of the slice at hand the first turn from turn on that may have a score of its own; b->to when
 * there is none. All others have 0, but for their session's.
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
 * The idf of the terms that turns from ... to - 1 have, each once; of any turns, after all slices.
 * Cost: each list is searched by halves.
 */
float bm25_cover(const struct bm25 *b, uint32_t from, uint32_t to);

/* The scores of a turn of the slice at hand. */
void bm25_at(const struct bm25 *b, uint32_t turn, struct bm25_scores *out);

#endif
